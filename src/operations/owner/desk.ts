import { z } from 'zod';
import type { Activity } from '../../model/reader.ts';
import { linkNamesOf } from './link-names.ts';
import { ownerOperation } from './operation.ts';
import { readerIdOf, recordOf } from './readers.ts';
import type { DeskServices, OwnerServices } from './services.ts';
import { eventsOfEach, toVisits } from './visits.ts';

export const visitDesk = ownerOperation({
  name: 'visit_desk',
  summary:
    'What happened since the last visit of the owner, and what needs doing; marks this visit if the desk is seen.',
  input: z.object({ is_seen: z.boolean(), max_listed: z.int() }),
  async handle({ is_seen, max_listed }, services: DeskServices) {
    const { store, now, upkeep, edition } = services;
    const { before, isFirst } = await store.desk.visit(now(), is_seen);
    const since = before ?? new Date(0);
    const { messages, total } = await store.contacts.listSince(since, max_listed);
    const { named } = await linkNamesOf(services);
    const activity = (await store.readers.activitySince(since)).map((one) => ({ ...one, visitor: named(one.visitor) }));
    const links = await store.links.list();
    const firstOpened = new Set(
      links.filter(({ openedAt }) => openedAt !== null && openedAt >= since).map(({ id }) => id),
    );
    const [waiting, active] = [activity.filter(isWaiting), activity.filter((one) => !isWaiting(one))];
    const listed = active.slice(0, max_listed);
    const keys = listed.map(({ key }) => key);
    const eventsOf = await eventsOfEach(keys, since, services, maxEvents);
    const withId = <One extends Activity>(one: One) => ({ ...one, id: readerIdOf(one.key, services) });
    return {
      /** The status that visitors get; empty if it says nothing. */
      availability: edition(null).profile.availability.status,
      /** When the previous visit ended; null on the first. */
      before,
      /** Whether the owner sees this for the first time. */
      is_first: isFirst,
      messages,
      /** The number of messages; `messages` has only the latest. */
      message_count: total,
      /** The visitors who did more than ask for access, the latest first, at most `max_listed`. */
      active: listed.map((one) => ({
        ...withId(one),
        /** Whether it is a link that was opened for the first time. */
        isFirst: one.visitor.kind === 'link' && firstOpened.has(one.visitor.id),
        visits: toVisits(eventsOf(one.key)),
      })),
      /** The further active visitors, who are not listed. */
      unlisted: active.slice(max_listed),
      /** The visitors who only asked for access, the latest first. */
      waiting: waiting.map(withId),
      upkeep: { ...(await upkeep()), deadLetters: (await store.outbox.state()).dead },
      ...recordOf(services),
    };
  },
});

const maxEvents = 10_000;

const isWaiting = ({ visitor, requests, connected, hasErasedReads, hasRead }: Activity): boolean =>
  visitor.kind === 'address' && requests > 0 && connected.length === 0 && !hasErasedReads && !hasRead;

export const countPending = ownerOperation({
  name: 'count_pending',
  summary: 'How many messages are unread, and how many e-mails were given up.',
  handle: async (_input, { store }: OwnerServices) => ({
    unread: await store.contacts.countUnread(),
    dead_letters: (await store.outbox.state()).dead,
  }),
});

export const getPdfState = ownerOperation({
  name: 'get_pdf_state',
  summary: 'Whether the PDF of the profile is printed; with `waits`, waits a while for that.',
  input: z.object({ waits: z.boolean() }),
  handle: async ({ waits }, { prints }: DeskServices) => prints.pdfState({ waits }),
});

export const retryPrints = ownerOperation({
  name: 'retry_prints',
  summary: 'Tries at once to print what could not be printed.',
  handle: async (_input, { prints }: DeskServices) => prints.retry(),
});

export const getProfileState = ownerOperation({
  name: 'get_profile_state',
  summary: 'The faults and warnings of the profile document, and what is served of it.',
  handle: async (_input, { profileState }: DeskServices) => profileState(),
});
