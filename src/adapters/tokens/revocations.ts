import { allTokens, type IssuedToken, type Revocation } from '../../model/token.ts';
import { type Visitor, visitorKeyOf } from '../../model/visitor.ts';
import { hmac } from '../node-crypto.ts';
import type { DurableStore } from '../store/store.ts';
import type { Keys } from './keys.ts';

/** The target of a revocation: one token, every token of a subject, or all tokens. */
type RevocationTarget = { kind: 'jti'; jti: string } | { kind: 'subject'; subject: Visitor } | { kind: 'all' };

/** How often all revocations are read again, because the store erases revocations of expired tokens. */
const wholeMilliseconds = 60 * 60 * 1_000;

/** Opens a copy of the revocations: checking a token needs no query. `refresh` adds those of others, and drops erased ones. */
export async function openRevocations(
  keys: Keys,
  store: Pick<DurableStore, 'revocations'>,
  now: () => Date,
  onAdded: () => void,
) {
  let revokedIds = new Set<string>();
  /** The last revoked second of issue, by the hash of the subject or `allTokens`. */
  const revokedThrough = new Map<string, number>();
  let lastSequence = 0;
  let wholeReadAt = Number.NEGATIVE_INFINITY;

  /** Returns the hash of a subject by each current key; new revocations are stored under the first. */
  const subjectHashes = (subject: Visitor) =>
    keys.secretsFor('revocation').map((secret) => hmac(secret, visitorKeyOf(subject)));

  const secondOf = (hash: string) => revokedThrough.get(hash) ?? 0;
  const latestSecondOf = (hashes: readonly string[]) =>
    hashes.reduce((latest, hash) => Math.max(latest, secondOf(hash)), secondOf(allTokens));

  const isRevoked = ({ jti, issuedAt }: IssuedToken, hashes: readonly string[]) =>
    revokedIds.has(jti) || toSeconds(issuedAt) <= latestSecondOf(hashes);

  /** Returns the first second, from now on, at which a token issued to a subject with these hashes is not revoked. */
  const earliestIssuedAt = (hashes: readonly string[]) => Math.max(toSeconds(now()), latestSecondOf(hashes) + 1);

  // After a revocation, tokens may have a future `iat` (`earliestIssuedAt`): the next revocation must include them.
  function toRevocation(target: RevocationTarget): Revocation {
    if (target.kind === 'jti') return { kind: 'jti', value: target.jti, revokedAt: now() };
    if (target.kind === 'all')
      return { kind: 'all', value: allTokens, revokedAt: toInstant(earliestIssuedAt([...revokedThrough.keys()])) };
    const hashes = subjectHashes(target.subject);
    return { kind: 'subject', value: hashes[0]!, revokedAt: toInstant(earliestIssuedAt(hashes)) };
  }

  async function refresh(): Promise<void> {
    const at = now().getTime();
    const isWhole = at - wholeReadAt >= wholeMilliseconds;
    const rows = await store.revocations.listAfter(isWhole ? 0 : lastSequence);
    // Unless another refresh has meanwhile read a later revocation; the last revocation is not erased.
    if (isWhole && (rows.at(-1)?.sequence ?? 0) >= lastSequence) {
      revokedIds = new Set();
      wholeReadAt = at;
    }
    for (const { sequence, kind, value, revokedAt } of rows) {
      if (kind === 'jti') revokedIds.add(value);
      else revokedThrough.set(value, Math.max(toSeconds(revokedAt), secondOf(value)));
      lastSequence = Math.max(lastSequence, sequence);
    }
    if (rows.length > 0) onAdded();
  }

  /** `keepsGrant` leaves the grant of a single token, which can be renewed. */
  async function revoke(target: RevocationTarget, { keepsGrant = false } = {}): Promise<void> {
    await refresh();
    const whose = target.kind === 'subject' ? { subject: visitorKeyOf(target.subject) } : {};
    await store.revocations.add(toRevocation(target), { ...whose, keepsGrant });
    await refresh();
  }

  await refresh();
  return { refresh, revoke, subjectHashes, isRevoked, earliestIssuedAt };
}

/** Returns the NumericDate of an instant, in whole seconds (RFC 7519). */
export const toSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

export const toInstant = (seconds: number): Date => new Date(seconds * 1000);
