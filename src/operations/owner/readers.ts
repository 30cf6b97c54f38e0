import { countCodePoints } from 'resume-profile/text';
import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import { countedOpeningOf } from '../../model/link.ts';
import { maxCounted, type Reader } from '../../model/reader.ts';
import { toOwnersText, Visitor, type VisitorKey, visitorKeyOf } from '../../model/visitor.ts';
import { operations } from '../index.ts';
import { offeredIn } from '../operation.ts';
import { linkNamesOf } from './link-names.ts';
import { type OutputOf, ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices } from './services.ts';
import { countActs, eventsOfEach, Period, startOf, toVisits } from './visits.ts';

// Anybody can ask for ten tokens a minute in the name of somebody else.
export const maxTokens = 100;
const maxEventsOfOne = 1_000;
const maxNote = 2_000;

/** Returns the id of a reader for URLs: a keyed hash, because browsers and proxies keep URLs. */
export const readerIdOf = (visitor: VisitorKey, { hashVisitor }: Pick<OwnerServices, 'hashVisitor'>): string =>
  hashVisitor(visitor).slice(0, 22);

/** Throws `NOT_FOUND` if no reader has the id. */
export async function findReader(id: string, services: OwnerServices): Promise<Reader> {
  const { readers } = services.store;
  for await (const keys of readers.keys()) {
    const key = keys.find((one) => readerIdOf(one, services) === id);
    const [reader] = key === undefined ? [] : (await readers.list({ key }, 1)).readers;
    if (reader !== undefined) return reader;
  }
  throw new Failure('NOT_FOUND');
}

export const NamedVisitor = z.object({ visitor: Visitor.optional(), reader: z.string().optional() });

/** Throws `NOT_FOUND` if no reader has the id, and `BAD_REQUEST` if nobody is named. */
export async function visitorOf(
  { visitor, reader }: z.output<typeof NamedVisitor>,
  services: OwnerServices,
): Promise<Visitor> {
  if (visitor !== undefined) return visitor;
  if (reader === undefined) throw new Failure('BAD_REQUEST');
  return (await findReader(reader, services)).visitor;
}

/** Returns whether reads are recorded, and the names of the operations that visitors can call at the moment. */
export const recordOf = ({ reads, edition }: DeskServices) => ({
  is_recorded: reads.isOn,
  offered: offeredIn(operations, edition(null).profile).map(({ name }) => name as string),
});

export const listReaders = ownerOperation({
  name: 'list_readers',
  summary:
    'The readers seen last within a period, with their visits: all, those who came, or those who did nothing but ask; and how many there are, null if they are too many to count.',
  input: Period.extend({ text: z.string().optional(), has_visited: z.boolean().optional(), limit: z.int() }),
  async handle({ text, has_visited: hasVisited, limit, ...period }, services: DeskServices) {
    const { store, tokens, now } = services;
    const at = now();
    const since = startOf(period, at);
    const { named, keysFor } = await linkNamesOf(services);
    const filter = { text, links: keysFor(text), since, hasVisited };
    const { readers, total } = await store.readers.list(filter, limit);
    const keys = readers.map(({ key }) => key);
    const eventsOf = await eventsOfEach(hasVisited ? keys : [], since, services);
    const subjectKeyOf = ({ subject }: { readonly subject: Visitor }) => visitorKeyOf(subject);
    const isCurrent = ({ expiresAt }: { readonly expiresAt: Date }) => expiresAt > at;
    const tokensBy = Map.groupBy(await store.tokens.listOf(keys, maxTokens), subjectKeyOf);
    const grantsBy = Map.groupBy(await store.oauth.grants.listOf(keys, maxTokens), subjectKeyOf);
    const listed = readers.map((reader) => {
      const issued = tokensBy.get(reader.key) ?? [];
      const requested = issued.filter(({ grantId, issuedAt }) => grantId === null && issuedAt >= since);
      return {
        ...reader,
        visitor: named(reader.visitor),
        id: readerIdOf(reader.key, services),
        /** How often they asked for access within the period, at most `maxTokens`. */
        requests: new Set(requested.map(({ jti }) => countedOpeningOf(jti))).size,
        /** `maxTokens` if there may be more. */
        validTokens: issued.filter((token) => isCurrent(token) && !tokens.isRevoked(token)).length,
        /** The grants that have not ended, at most `maxTokens`. */
        validGrants: (grantsBy.get(reader.key) ?? []).filter(isCurrent),
        visits: toVisits(eventsOf(reader.key)),
      };
    });
    return { readers: listed, total, ...recordOf(services) };
  },
});
export type ListedReader = OutputOf<typeof listReaders>['readers'][number];

const readersAtOnce = 500;

export const exportReaders = ownerOperation({
  name: 'export_readers',
  summary: `The readers of a period with what they did in it, at most ${maxCounted} of them: those seen last.`,
  input: Period.extend({ text: z.string().optional() }),
  audits: ['readers_exported'],
  async handle({ text, ...period }, services: OwnerServices) {
    const { store, now, audit } = services;
    const at = now();
    const since = startOf(period, at);
    const { named, keysFor } = await linkNamesOf(services);
    const { readers } = await store.readers.list({ text, links: keysFor(text), since }, maxCounted);
    const grants = await store.oauth.grants.listUnexpired(at);
    const verified = new Set(grants.filter(({ isVerified }) => isVerified).map(({ subject }) => visitorKeyOf(subject)));
    const rows = [];
    for (let start = 0; start < readers.length; start += readersAtOnce) {
      const batch = readers.slice(start, start + readersAtOnce);
      const keys = batch.map(({ key }) => key);
      const eventsOf = await eventsOfEach(keys, since, services);
      for (const reader of batch) {
        const visits = toVisits(eventsOf(reader.key));
        const { openings, pdfs, messages } = countActs(visits.flatMap(({ events }) => events));
        rows.push({
          address: toOwnersText(named(reader.visitor)),
          is_verified: verified.has(reader.key),
          first_seen_at: reader.firstSeenAt.toISOString(),
          last_seen_at: reader.lastSeenAt.toISOString(),
          visits: visits.length,
          page_openings: openings,
          pdfs,
          messages,
          clients: [...new Set(visits.flatMap(({ clients }) => clients))],
          note: reader.note,
        });
      }
    }
    audit({ event: 'readers_exported', detail: String(rows.length) });
    return rows;
  },
});

export const getReader = ownerOperation({
  name: 'get_reader',
  summary: 'One reader, with their tokens and grants, also those that have ended, what they read, and their messages.',
  input: z.object({ id: z.string() }),
  async handle({ id }, services: DeskServices) {
    const { store } = services;
    const reader = await findReader(id, services);
    const { key, visitor } = reader;
    const { named, ofAccess } = await linkNamesOf(services);
    const [tokens, grants, events, messages] = await Promise.all([
      store.tokens.listOf([key], maxTokens),
      store.oauth.grants.listOf([key], maxTokens),
      store.readers.eventsOf([key], new Date(0), maxEventsOfOne),
      store.contacts.list(visitor),
    ]);
    const withState = tokens.map((token) => ({ ...ofAccess(token), isRevoked: services.tokens.isRevoked(token) }));
    const views = [...(await services.views())];
    return {
      ...{ reader: { ...reader, visitor: named(visitor) }, tokens: withState, grants: grants.map(ofAccess), views },
      ...{ visits: toVisits(events), messages, ...recordOf(services) },
    };
  },
});

export const noteReader = ownerOperation({
  name: 'note_reader',
  summary: 'Keeps a note about a reader in place of the one before; an empty one removes it.',
  input: z.object({
    id: z.string(),
    note: z.string().refine((text) => countCodePoints(text) <= maxNote, {
      error: ({ input }) =>
        `has ${countCodePoints(String(input))} characters, and can have ${maxNote}. Shorten it, and save it again.`,
    }),
  }),
  async handle({ id, note }, services: OwnerServices) {
    const { key } = await findReader(id, services);
    await services.store.readers.note(key, note, services.now());
  },
});
