import { z } from 'zod';
import { dailyMailAt, MailSchedule } from '../../model/notice.ts';
import { ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices } from './services.ts';

export const listUnsent = ownerOperation({
  name: 'list_unsent',
  summary: 'The notices that have not been sent: those that wait, why and until when, and the dead letters.',
  handle: async (_input, { store, now }: OwnerServices) => store.outbox.listUnsent(now()),
});

export const getMail = ownerOperation({
  name: 'get_mail',
  summary:
    'Where mail to the owner goes and when, how much of the hourly budget is used, and the notices that have not been sent.',
  async handle(_input, { store, now, mail }: DeskServices) {
    const at = now();
    return {
      destination: mail.destination,
      address: mail.ownerAddress(),
      schedules: await store.outbox.schedules(),
      next_daily_mail: dailyMailAt(at, 1),
      budget: await store.outbox.budget(at),
      unsent: await store.outbox.listUnsent(at),
    };
  },
});

export const setMailSchedules = ownerOperation({
  name: 'set_mail_schedules',
  summary: 'Sets whether notices of messages, and of requests for access, are sent at once or once a day.',
  input: z.object({ contact_request: MailSchedule, auth_request: MailSchedule }),
  async handle(schedules, { store, wakeOutbox }: OwnerServices) {
    await store.outbox.setSchedules(schedules);
    wakeOutbox();
  },
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
