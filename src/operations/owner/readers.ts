import { z } from 'zod';
import { toCanonicalAddress } from '../../model/email-address.ts';
import { Failure } from '../../model/failure.ts';
import type { Reader } from '../../model/reader.ts';
import { countCodePoints } from '../../model/text.ts';
import { operations } from '../index.ts';
import { offeredIn } from '../operation.ts';
import { type OutputOf, ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices } from './services.ts';

// Anybody can ask for ten tokens a minute in the name of somebody else.
/** How many tokens, and how many clients, of an address are listed. */
export const maxTokens = 100;
const maxReads = 1_000;
const maxNote = 2_000;

/** Returns the id of a reader for URLs: a keyed hash, because browsers and proxies keep URLs. */
export const readerIdOf = (address: string, { hashVisitor }: OwnerServices): string =>
  hashVisitor(address).slice(0, 22);

/** Throws `NOT_FOUND` if no reader has the id. */
export async function findReader(id: string, services: OwnerServices): Promise<Reader> {
  const { readers } = services.store;
  for await (const addresses of readers.addresses()) {
    const address = addresses.find((one) => readerIdOf(one, services) === id);
    const [found] = address === undefined ? [] : (await readers.list({ address }, 1)).readers;
    if (found !== undefined) return found;
  }
  throw new Failure('NOT_FOUND');
}

/** A visitor, by the address in any spelling or by the id of the reader. */
export const Visitor = z.object({ email: z.string().optional(), reader: z.string().optional() });

/** Throws `NOT_FOUND` if no reader has the id, and `BAD_REQUEST` if nobody is named. */
export async function emailOf({ email, reader }: z.output<typeof Visitor>, services: OwnerServices): Promise<string> {
  if (email !== undefined) return email;
  if (reader === undefined) throw new Failure('BAD_REQUEST');
  return (await findReader(reader, services)).address;
}

/** Returns whether reads are recorded, and the names of the operations that visitors can call at the moment. */
export const recordOf = ({ reads, edition }: DeskServices) => ({
  is_recorded: reads.isOn,
  offered: offeredIn(operations, edition().profile).map(({ name }) => name as string),
});

export const listReaders = ownerOperation({
  name: 'list_readers',
  summary: 'The readers seen last, and how many there are; null if they are too many to count.',
  input: z.object({ text: z.string().optional(), since: z.date().optional(), limit: z.int() }),
  async handle({ limit, ...filter }, services: DeskServices) {
    const { store, tokens, now } = services;
    const { readers, total } = await store.readers.list(filter, limit);
    const addresses = readers.map(({ canonicalAddress }) => canonicalAddress);
    const byAddress = ({ subject }: { readonly subject: string }) => toCanonicalAddress(subject);
    const isCurrent = ({ expiresAt }: { readonly expiresAt: Date }) => expiresAt > now();
    const issued = await store.tokens.listOf(addresses, maxTokens);
    const valid = issued.filter((token) => isCurrent(token) && !tokens.isRevoked(token));
    const tokensBy = Map.groupBy(valid, byAddress);
    const grantsBy = Map.groupBy((await store.oauth.grants.listOf(addresses, maxTokens)).filter(isCurrent), byAddress);
    const listed = readers.map((reader) => ({
      ...reader,
      id: readerIdOf(reader.canonicalAddress, services),
      /** `maxTokens` if there may be more. */
      validTokens: tokensBy.get(reader.canonicalAddress)?.length ?? 0,
      /** Those that have not ended, at most `maxTokens`. */
      validGrants: grantsBy.get(reader.canonicalAddress) ?? [],
    }));
    return { readers: listed, total, ...recordOf(services) };
  },
});
export type ListedReader = OutputOf<typeof listReaders>['readers'][number];

export const getReader = ownerOperation({
  name: 'get_reader',
  summary: 'One reader, with their tokens and grants, also those that have ended, what they read, and their messages.',
  input: z.object({ id: z.string() }),
  async handle({ id }, services: DeskServices) {
    const { store, tokens: revocable } = services;
    const reader = await findReader(id, services);
    const { canonicalAddress, address } = reader;
    const [tokens, grants, reads, messages] = await Promise.all([
      store.tokens.listOf([canonicalAddress], maxTokens),
      store.oauth.grants.listOf([canonicalAddress], maxTokens),
      store.readers.readsOf(canonicalAddress, maxReads),
      store.contacts.list(address),
    ]);
    const withState = tokens.map((token) => ({ ...token, isRevoked: revocable.isRevoked(token) }));
    return { reader, tokens: withState, grants, reads, messages, ...recordOf(services) };
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
    const { canonicalAddress } = await findReader(id, services);
    await services.store.readers.note(canonicalAddress, note, services.now());
  },
});

const chartDays = 14;
const figureDays = 7;

export const countReads = ownerOperation({
  name: 'count_reads',
  summary: `What was read on each of the last ${chartDays} days, and within ${figureDays} days.`,
  input: z.object({}),
  async handle(_input, { store: { readers }, now }: OwnerServices) {
    const today = now();
    /** The beginning of a day at the server, so many days from now. */
    const midnight = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() + days);
    const days = Array.from({ length: chartDays }, async (_, index) => {
      const day = midnight(index + 1 - chartDays);
      return { day, ...(await readers.readTotals(day, midnight(index + 2 - chartDays))) };
    });
    return { days: await Promise.all(days), week: await readers.readTotals(midnight(1 - figureDays), midnight(1)) };
  },
});
export type DayOfReads = OutputOf<typeof countReads>['days'][number];
