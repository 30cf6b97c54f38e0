import { z } from 'zod';
import type { StoredContact } from '../../model/contact.ts';
import type { Activity } from '../../model/reader.ts';
import { noun, ownerOperation } from './operation.ts';
import { readerIdOf, recordOf } from './readers.ts';
import type { DeskServices, OwnerServices, Upkeep } from './services.ts';

export const visitDesk = ownerOperation({
  kind: 'owner',
  name: 'visit_desk',
  summary:
    'What happened since the last visit of the owner, and what needs doing; marks this visit if the desk is seen.',
  input: z.object({ is_seen: z.boolean(), max_messages: z.int() }),
  output: z.object({
    /** When the visit before ended; null on the first. */
    before: z.date().nullable(),
    messages: z.array(noun<StoredContact>()),
    /** How many messages there are, `messages` being the latest. */
    message_count: z.int(),
    /** What each visitor did, the latest first. */
    activity: z.array(noun<Activity & { readonly id: string }>()),
    upkeep: noun<Upkeep>(),
    is_recorded: z.boolean(),
    offered: z.array(z.string()),
  }),
  async handle({ is_seen, max_messages }, services: DeskServices) {
    const { store, now, upkeep } = services;
    const before = await store.desk.visit(now(), is_seen);
    const since = before ?? new Date(0);
    const { messages, total } = await store.contacts.listSince(since, max_messages);
    const activity = await store.readers.activitySince(since);
    return {
      before,
      messages,
      message_count: total,
      activity: activity.map((one) => ({ ...one, id: readerIdOf(one.canonicalAddress, services) })),
      upkeep: { ...(await upkeep()), deadLetters: (await store.outbox.state()).dead },
      ...recordOf(services),
    };
  },
});

export const countPending = ownerOperation({
  kind: 'owner',
  name: 'count_pending',
  summary: 'How many messages are unread, and how many e-mails were given up.',
  input: z.object({}),
  output: z.object({ unread: z.int(), dead_letters: z.int() }),
  handle: async (_input, { store }: OwnerServices) => ({
    unread: await store.contacts.countUnread(),
    dead_letters: (await store.outbox.state()).dead,
  }),
});

export const createSignInLink = ownerOperation({
  kind: 'owner',
  name: 'create_sign_in_link',
  summary: 'Makes a link to sign in at the desk, which works once.',
  input: z.object({ path: z.string() }),
  output: z.object({ url: z.string(), expiresAt: z.date() }),
  audits: ['desk_link_requested'],
  handle: ({ path }, { signIn }: OwnerServices) => signIn.createLink(path),
});

export const signOut = ownerOperation({
  kind: 'owner',
  name: 'sign_out',
  summary: 'Ends one session at the desk.',
  input: z.object({ session: z.string() }),
  output: z.null(),
  audits: ['desk_signed_out'],
  async handle({ session }, { signIn }: OwnerServices) {
    await signIn.signOut(session);
    return null;
  },
});

export const signOutEverywhere = ownerOperation({
  kind: 'owner',
  name: 'sign_out_everywhere',
  summary: 'Ends every session at the desk, and every link that was not used; says how many sessions there were.',
  input: z.object({}),
  output: z.object({ ended: z.int() }),
  audits: ['desk_signed_out'],
  handle: async (_input, { signIn }: OwnerServices) => ({ ended: await signIn.signOutEverywhere() }),
});
