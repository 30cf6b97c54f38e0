import { compactVerify, decodeProtectedHeader, SignJWT } from 'jose';
import { z } from 'zod';
import type { IssuedToken, Tokens } from '../../operations/ports.ts';
import { newId } from '../node-crypto.ts';
import type { Keys } from './keys.ts';
import { openRevocations, type RevocationStore, toInstant, toSeconds } from './revocations.ts';

interface Options {
  readonly keys: Keys;
  readonly baseUrl: string;
  readonly ttlSeconds: number;
  readonly store: RevocationStore;
  readonly now: () => Date;
  readonly rememberAtMost?: number;
  /** Told why a token is no good, which its sender never is. */
  readonly onRefused?: (reason: Refusal) => void;
}

type Refusal = 'malformed' | 'unknown key' | 'bad signature' | 'wrong claims' | 'not valid yet' | 'expired' | 'revoked';

/**
 * Ed25519 JWTs in the shape of RFC 9068, bound to `baseUrl`. A revocation counts in every process once its `refresh` has
 * read it; those kept so far are read on opening. Verified tokens are remembered, so that most calls cost no cryptography,
 * until a key comes or goes.
 */
export async function openTokens(options: Options) {
  const { keys, baseUrl, ttlSeconds, store, now, rememberAtMost = 10_000, onRefused = () => {} } = options;
  const Claims = claimsFor(baseUrl);
  const revocations = await openRevocations({ keys, store, now });
  const remembered = new Map<string, Remembered>();
  let rememberedUnder = keys.verifying;
  const kids = new WeakMap<IssuedToken, string>();

  async function read(text: string): Promise<Remembered | Refusal> {
    const signed = await signedClaims(text, keys);
    if (typeof signed === 'string') return signed;
    const claims = Claims.safeParse(signed.claims);
    if (!claims.success) return 'wrong claims';
    const { sub, jti, iat, exp, nbf = iat } = claims.data;
    if (Math.max(iat, nbf) > toSeconds(now()) + 60) return 'not valid yet';
    const token = { jti, subject: sub, issuedAt: toInstant(iat), expiresAt: toInstant(exp) };
    kids.set(token, signed.kid);
    return { token, subjectHashes: revocations.subjectHashes(sub) };
  }

  function refuse(reason: Refusal): null {
    onRefused(reason);
    return null;
  }

  function endOf({ token, subjectHashes }: Remembered): Refusal | null {
    if (token.expiresAt <= now()) return 'expired';
    return revocations.hasEnded(token, subjectHashes) ? 'revoked' : null;
  }

  /** Whether it was revoked; other ways of ending, its expiry and that of its key, do not count. */
  const isRevoked = (token: IssuedToken): boolean =>
    revocations.hasEnded(token, revocations.subjectHashes(token.subject));

  return {
    refresh: revocations.refresh,
    revoke: revocations.revoke,
    subjectHashes: revocations.subjectHashes,

    isRevoked,

    async prepare(subject) {
      await revocations.refresh();
      const iat = revocations.earliestIssuedAt(revocations.subjectHashes(subject));
      const jti = newId();
      return { jti, subject, issuedAt: toInstant(iat), expiresAt: toInstant(iat + ttlSeconds) };
    },

    sign({ jti, subject, issuedAt, expiresAt }) {
      const [iat, exp] = [toSeconds(issuedAt), toSeconds(expiresAt)];
      const about = { iss: baseUrl, aud: baseUrl, sub: subject, client_id: 'auth-token', scope: 'profile' };
      const { kid, privateKey } = keys.signing;
      return new SignJWT({ ...about, iat, exp, jti })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .sign(privateKey);
    },

    async verify(text) {
      const under = keys.verifying;
      if (under !== rememberedUnder) remembered.clear();
      rememberedUnder = under;
      const known = remembered.get(text);
      const found = known ?? (await read(text));
      if (typeof found === 'string') return refuse(found);
      const end = endOf(found);
      if (end !== null) {
        remembered.delete(text);
        return refuse(end);
      }
      // The keys may have changed while the signature was checked.
      if (known || under !== rememberedUnder) return found.token;
      if (remembered.size >= rememberAtMost) remembered.delete(remembered.keys().next().value!);
      remembered.set(text, found);
      return found.token;
    },

    isValid: (token) => keys.verifying.has(kids.get(token) ?? '') && token.expiresAt > now() && !isRevoked(token),
  } satisfies Tokens & Record<string, unknown>;
}

interface Remembered {
  readonly token: IssuedToken;
  readonly subjectHashes: readonly string[];
}

const Header = z.strictObject({ alg: z.literal('EdDSA'), typ: z.literal('at+jwt'), kid: z.string() });

const claimsFor = (baseUrl: string) =>
  z.object({
    iss: z.literal(baseUrl),
    aud: z.literal(baseUrl),
    sub: z.string(),
    client_id: z.string(),
    scope: z.literal('profile'),
    iat: z.int(),
    exp: z.int(),
    nbf: z.int().optional(),
    jti: z.string(),
  });

/** The claims of a well-spelled token and the key that has signed it, or why it is refused. */
async function signedClaims(text: string, { verifying }: Keys): Promise<{ claims: unknown; kid: string } | Refusal> {
  const parts = text.length > 4096 ? [] : text.split('.');
  // jose alone takes sixteen spellings of one signature, padding and white space.
  if (parts.length !== 3 || !parts.every(isCanonical)) return 'malformed';
  const header = Header.safeParse(headerOf(text));
  if (!header.success) return 'malformed';
  const key = verifying.get(header.data.kid);
  if (!key) return 'unknown key';
  try {
    const { payload } = await compactVerify(text, key, { algorithms: ['EdDSA'] });
    return { claims: JSON.parse(Buffer.from(payload).toString()), kid: header.data.kid };
  } catch {
    return 'bad signature';
  }
}

function headerOf(text: string): unknown {
  try {
    return decodeProtectedHeader(text);
  } catch {
    return null;
  }
}

const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
