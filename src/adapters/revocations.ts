import { createHmac } from 'node:crypto';
import type { IssuedToken } from '../operations/services.ts';
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

/** What the owner ends; the subject is the address in its normal spelling. */
export type Ended = { kind: 'jti'; jti: string } | { kind: 'subject'; subject: string } | { kind: 'all' };

// The mark that every token bears, beside the keyed hashes of its subject, one for each key that verifies at the moment.
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

  const marksOf = (subject: string) => [
    ...keys.secretsFor('revocation').map((secret) => createHmac('sha256', secret).update(subject).digest('base64url')),
    everyone,
  ];

  const hasEnded = ({ jti, issuedAt }: IssuedToken, marks: string[]) =>
    endedIds.has(jti) || marks.some((mark) => toSeconds(issuedAt) <= (endedThrough.get(mark) ?? 0));

  /** The first second from now on in which a token with these marks is not ended. */
  const firstFreeSecond = (marks: string[]) =>
    marks.reduce((second, mark) => Math.max(second, (endedThrough.get(mark) ?? 0) + 1), toSeconds(now()));

  // A token may be dated ahead to keep clear of an earlier revocation, so the next one is dated no earlier than that.
  function toRevocation(ended: Ended): Revocation {
    if (ended.kind === 'jti') return { kind: 'jti', value: ended.jti, revokedAt: now() };
    const marks = ended.kind === 'all' ? [everyone, ...endedThrough.keys()] : marksOf(ended.subject);
    return { kind: ended.kind, value: marks[0]!, revokedAt: toInstant(firstFreeSecond(marks)) };
  }

  async function refresh(): Promise<void> {
    for (const { sequence, kind, value, revokedAt } of await store.revocationsAfter(lastSequence)) {
      if (kind === 'jti') endedIds.add(value);
      else endedThrough.set(value, Math.max(toSeconds(revokedAt), endedThrough.get(value) ?? 0));
      lastSequence = Math.max(lastSequence, sequence);
    }
  }

  async function revoke(ended: Ended): Promise<void> {
    await refresh();
    await store.revoke(toRevocation(ended));
    await refresh();
  }

  await refresh();
  return { refresh, revoke, marksOf, hasEnded, firstFreeSecond };
}

/** An instant as claims have it, in whole seconds (RFC 7519, NumericDate). */
export const toSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

/** The instant of a claim. */
export const toInstant = (seconds: number): Date => new Date(seconds * 1000);
