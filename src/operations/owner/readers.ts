import { z } from 'zod';
import type { StoredContact } from '../../model/contact.ts';
import { toCanonicalAddress } from '../../model/email-address.ts';
import { Failure } from '../../model/failure.ts';
import type { Grant } from '../../model/oauth.ts';
import type { ReadEvent, Reader, ReadTotals } from '../../model/reader.ts';
import { countCodePoints } from '../../model/text.ts';
import type { StoredToken } from '../../model/token.ts';
import { operations } from '../index.ts';
import { offeredIn } from '../operation.ts';
import { noun, ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices } from './services.ts';

/** How many tokens, and how many clients, of an address are told of: anybody can ask for ten a minute, and name the address of somebody else. */
export const maxTokens = 100;
/** How many reads of a reader are listed at most. */
const maxReads = 1_000;
const maxNote = 2_000;

/** Returns the id of a reader for URLs: a keyed hash, because addresses would stay in browsers and in the logs of proxies. */
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

/** Whether it is recorded what visitors read, and the names of the operations that they can call at the moment. */
const Recording = { is_recorded: z.boolean(), offered: z.array(z.string()) };

export const recordOf = ({ reads, edition }: DeskServices) => ({
  is_recorded: reads.isOn,
  offered: offeredIn(operations, edition().profile).map(({ name }) => name),
});

/** A reader as a list shows them. */
export interface ListedReader extends Reader {
  readonly id: string;
  /** How many valid tokens they have, `maxTokens` if there may be more. */
  readonly validTokens: number;
  /** Those that have not ended, at most `maxTokens`. */
  readonly validGrants: readonly Grant[];
}

export const listReaders = ownerOperation({
  kind: 'owner',
  name: 'list_readers',
  summary: 'The readers seen last, and how many there are; null if they are too many to count.',
  input: z.object({ text: z.string().optional(), since: z.date().optional(), limit: z.int() }),
  output: z.object({ readers: z.array(noun<ListedReader>()), total: z.int().nullable(), ...Recording }),
  async handle({ text, since, limit }, services: DeskServices) {
    const { store, tokens, now } = services;
    const filter = { ...(text !== undefined && { text }), ...(since !== undefined && { since }) };
    const { readers, total } = await store.readers.list(filter, limit);
    const addresses = readers.map(({ canonicalAddress }) => canonicalAddress);
    const byAddress = ({ subject }: { readonly subject: string }) => toCanonicalAddress(subject);
    const isCurrent = ({ expiresAt }: { readonly expiresAt: Date }) => expiresAt > now();
    const issued = await store.tokens.listOf(addresses, maxTokens);
    const valid = Map.groupBy(
      issued.filter((token) => isCurrent(token) && !tokens.isRevoked(token)),
      byAddress,
    );
    const grants = Map.groupBy((await store.oauth.grants.listOf(addresses, maxTokens)).filter(isCurrent), byAddress);
    const listed = readers.map((reader) => ({
      ...reader,
      id: readerIdOf(reader.canonicalAddress, services),
      validTokens: valid.get(reader.canonicalAddress)?.length ?? 0,
      validGrants: grants.get(reader.canonicalAddress) ?? [],
    }));
    return { readers: listed, total, ...recordOf(services) };
  },
});

const failures = { NOT_FOUND: 'No reader has this id.' };

export const getReader = ownerOperation({
  kind: 'owner',
  name: 'get_reader',
  summary: 'One reader, with their tokens and grants, also those that have ended, what they read, and their messages.',
  input: z.object({ id: z.string() }),
  output: z.object({
    reader: noun<Reader>(),
    tokens: z.array(noun<StoredToken & { readonly isRevoked: boolean }>()),
    grants: z.array(noun<Grant>()),
    reads: z.array(noun<ReadEvent>()),
    messages: z.array(noun<StoredContact>()),
    ...Recording,
  }),
  failures,
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
    return {
      reader,
      tokens: tokens.map((token) => ({ ...token, isRevoked: revocable.isRevoked(token) })),
      grants,
      reads,
      messages,
      ...recordOf(services),
    };
  },
});

export const noteReader = ownerOperation({
  kind: 'owner',
  name: 'note_reader',
  summary: 'Keeps a note about a reader in place of the one before; an empty one removes it.',
  input: z.object({
    id: z.string(),
    note: z
      .string()
      .transform((text) => text.replaceAll('\r\n', '\n').trim())
      .refine((text) => countCodePoints(text) <= maxNote, {
        error: ({ input }) =>
          `has ${countCodePoints(String(input))} characters, and can have ${maxNote}. Shorten it, and save it again.`,
      }),
  }),
  output: z.null(),
  failures,
  async handle({ id, note }, services: OwnerServices) {
    const { canonicalAddress } = await findReader(id, services);
    await services.store.readers.note(canonicalAddress, note, services.now());
    return null;
  },
});

const chartDays = 14;
const figureDays = 7;

/** What was read on a day. */
export interface DayOfReads extends ReadTotals {
  /** The beginning of the day. */
  readonly day: Date;
}

export const countReads = ownerOperation({
  kind: 'owner',
  name: 'count_reads',
  summary: `What was read on each of the last ${chartDays} days, and within ${figureDays} days.`,
  input: z.object({}),
  output: z.object({ days: z.array(noun<DayOfReads>()), week: noun<ReadTotals>() }),
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
