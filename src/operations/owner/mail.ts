import { z } from 'zod';
import { ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices } from './services.ts';

export const listUnsent = ownerOperation({
  name: 'list_unsent',
  summary: 'The notices that have not been sent: those that wait, why and until when, and the dead letters.',
  input: z.object({}),
  handle: async (_input, { store, now }: OwnerServices) => store.outbox.listUnsent(now()),
});

export const getMail = ownerOperation({
  name: 'get_mail',
  summary:
    'Where mail to the owner goes, how much of the hourly budgets is used, and the notices that have not been sent.',
  input: z.object({}),
  handle: async (_input, { store, now, mail }: DeskServices) => ({
    destination: mail.destination,
    address: mail.ownerAddress(),
    budgets: await store.outbox.budgets(now()),
    unsent: await store.outbox.listUnsent(now()),
  }),
});

export const retryMail = ownerOperation({
  name: 'retry_mail',
  summary: 'Queues the dead letter with an id, or all, again; says how many.',
  input: z.object({ id: z.string().optional() }),
  async handle({ id }, { store, now, wakeOutbox }: OwnerServices) {
    const retried = await store.outbox.retryDead(now(), id);
    wakeOutbox();
    return { retried };
  },
});
