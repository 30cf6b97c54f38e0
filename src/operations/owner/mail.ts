import { z } from 'zod';
import type { MailBudget, UnsentNotice } from '../../model/notice.ts';
import { noun, ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices } from './services.ts';

const unsent = z.array(noun<UnsentNotice>());

export const listUnsent = ownerOperation({
  kind: 'owner',
  name: 'list_unsent',
  summary: 'The notices that have not been sent: those that wait, why and until when, and the dead letters.',
  input: z.object({}),
  output: unsent,
  handle: async (_input, { store, now }: OwnerServices) => store.outbox.listUnsent(now()),
});

export const getMail = ownerOperation({
  kind: 'owner',
  name: 'get_mail',
  summary:
    'Where mail to the owner goes, how much of the hourly budgets is used, and the notices that have not been sent.',
  input: z.object({}),
  output: z.object({
    destination: noun<DeskServices['mail']['destination']>(),
    address: z.string().optional(),
    budgets: z.array(noun<MailBudget>()),
    unsent,
  }),
  handle: async (_input, { store, now, mail }: DeskServices) => ({
    destination: mail.destination,
    address: mail.ownerAddress(),
    budgets: await store.outbox.budgets(now()),
    unsent: await store.outbox.listUnsent(now()),
  }),
});

export const retryMail = ownerOperation({
  kind: 'owner',
  name: 'retry_mail',
  summary: 'Queues the dead letter with an id, or all, again; says how many.',
  input: z.object({ id: z.string().optional() }),
  output: z.object({ retried: z.int() }),
  async handle({ id }, { store, now, wakeOutbox }: OwnerServices) {
    const retried = await store.outbox.retryDead(now(), id);
    wakeOutbox();
    return { retried };
  },
});
