import { createHmac } from 'node:crypto';
import type { Transaction } from 'kysely';
import { toCanonicalAddress } from '../../model/email-address.ts';
import { Failure } from '../../model/failure.ts';
import type { IssuedToken, Sender } from '../../operations/ports.ts';
import type { Tables } from '../store/migrations.ts';
import type { Keys } from './keys.ts';

/** Ends tokens before their time: the one of a `jti`, those of a subject (by its keyed hash), or all (the value is empty). */
export interface Revocation {
  readonly kind: 'jti' | 'subject' | 'all';
  readonly value: string;
  /** Tokens of a subject, or all, are ended through this second of issue. */
  readonly revokedAt: Date;
}

/** Where the revocations of all processes are kept; a later one has a higher sequence. */
export interface RevocationStore {
  revoke(revocation: Revocation): Promise<void>;
  revocationsAfter(sequence: number): Promise<(Revocation & { readonly sequence: number })[]>;
}

/** What the owner ends; a subject in any of its spellings. */
export type RevocationTarget = { kind: 'jti'; jti: string } | { kind: 'subject'; subject: string } | { kind: 'all' };

/** The value of a revocation of all. */
const everyone = '';

interface Options {
  readonly keys: Keys;
  readonly store: RevocationStore;
  readonly now: () => Date;
}

/** The revocations that this process has read, and the way to add one. */
export async function openRevocations({ keys, store, now }: Options) {
  const endedIds = new Set<string>();
  const endedThrough = new Map<string, number>();
  let lastSequence = 0;

  // The first is what a revocation is kept under; earlier versions kept it under the subject as it was typed.
  const subjectHashes = (subject: string) =>
    [...new Set([toCanonicalAddress(subject), subject])].flatMap((spelling) =>
      keys.secretsFor('revocation').map((secret) => createHmac('sha256', secret).update(spelling).digest('base64url')),
    );

  const endOf = (hash: string) => endedThrough.get(hash) ?? 0;
  const lastEnd = (hashes: readonly string[]) =>
    hashes.reduce((end, hash) => Math.max(end, endOf(hash)), endOf(everyone));

  const hasEnded = ({ jti, issuedAt }: IssuedToken, hashes: readonly string[]) =>
    endedIds.has(jti) || toSeconds(issuedAt) <= lastEnd(hashes);

  /** The first second from now on in which a token of a subject with these hashes is not revoked. */
  const earliestIssuedAt = (hashes: readonly string[]) => Math.max(toSeconds(now()), lastEnd(hashes) + 1);

  // A token may be dated ahead to keep clear of an earlier revocation, so the next one is dated no earlier than that.
  function toRevocation(target: RevocationTarget): Revocation {
    if (target.kind === 'jti') return { kind: 'jti', value: target.jti, revokedAt: now() };
    if (target.kind === 'all')
      return { kind: 'all', value: everyone, revokedAt: toInstant(earliestIssuedAt([...endedThrough.keys()])) };
    const hashes = subjectHashes(target.subject);
    return { kind: 'subject', value: hashes[0]!, revokedAt: toInstant(earliestIssuedAt(hashes)) };
  }

  async function refresh(): Promise<void> {
    for (const { sequence, kind, value, revokedAt } of await store.revocationsAfter(lastSequence)) {
      if (kind === 'jti') endedIds.add(value);
      else endedThrough.set(value, Math.max(toSeconds(revokedAt), endedThrough.get(value) ?? 0));
      lastSequence = Math.max(lastSequence, sequence);
    }
  }

  async function revoke(target: RevocationTarget): Promise<void> {
    await refresh();
    await store.revoke(toRevocation(target));
    await refresh();
  }

  await refresh();
  return { refresh, revoke, subjectHashes, hasEnded, earliestIssuedAt };
}

/** Throws `UNAUTHORIZED` if the sender's token has been revoked, by what every process has kept until this transaction began. */
export async function refuseRevoked(trx: Transaction<Tables>, { token, subjectHashes }: Sender): Promise<void> {
  const revocation = await trx
    .selectFrom('revocations')
    .select('sequence')
    .where(({ eb, and, or }) =>
      or([
        and([eb('kind', '=', 'jti'), eb('value', '=', token.jti)]),
        and([
          eb('revoked_at', '>=', token.issuedAt.toISOString()),
          or([eb('kind', '=', 'all'), and([eb('kind', '=', 'subject'), eb('value', 'in', subjectHashes)])]),
        ]),
      ]),
    )
    .executeTakeFirst();
  if (revocation !== undefined) throw new Failure('UNAUTHORIZED');
}

/** An instant as claims have it, in whole seconds (RFC 7519, NumericDate). */
export const toSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

/** The instant of a claim. */
export const toInstant = (seconds: number): Date => new Date(seconds * 1000);
