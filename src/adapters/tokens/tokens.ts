import { compactVerify, decodeProtectedHeader, SignJWT } from 'jose';
import { publicView, wholeView } from 'resume-profile/view-fields';
import { z } from 'zod';
import { BoundedMap } from '../../model/bounded-map.ts';
import { type Access, scopes as allScopes, type IssuedToken, readScopes, wholeScope } from '../../model/token.ts';
import { readVisitor, toVisitorText, type Visitor, visitorKeyOf } from '../../model/visitor.ts';
import type { Tokens } from '../../operations/ports.ts';
import { newId } from '../node-crypto.ts';
import type { DurableStore } from '../store/store.ts';
import type { Keys } from './keys.ts';
import { openRevocations, toInstant, toSeconds } from './revocations.ts';

interface TokenOptions {
  readonly keys: Keys;
  /** The issuer of every token, and the audience of tokens for the whole service. */
  readonly baseUrl: string;
  readonly ttlSeconds: number;
  readonly store: Pick<DurableStore, 'revocations' | 'tokenViews'>;
  readonly now: () => Date;
  /** Called with the reason when a token is refused; the client never learns it. */
  readonly onRefused?: (reason: Refusal) => void;
}

export type OpenTokens = Awaited<ReturnType<typeof openTokens>>;

const maxCachedTokens = 10_000;

/** How long a client's token lasts, until it is renewed; shorter if other tokens are. */
export const accessSeconds = 60 * 60;

/** How far ahead the clock of an issuing process may be. */
const clockToleranceSeconds = 60;

type Refusal =
  | 'malformed'
  | 'unknown key'
  | 'bad signature'
  | 'wrong claims'
  | 'wrong audience'
  | 'not valid yet'
  | 'expired'
  | 'revoked';

/**
 * Opens the issuer and verifier of bearer tokens: JWTs by RFC 9068, with EdDSA. `verify` caches until keys or revocations
 * change. To issue: `prepare`, store the record, `sign`. `refresh` reads what other processes have changed.
 */
export async function openTokens(options: TokenOptions) {
  const { keys, baseUrl, ttlSeconds, store, now, onRefused = () => {} } = options;
  const Claims = claimsFor(baseUrl);
  const newCache = () => new BoundedMap<string, Verified>(maxCachedTokens);
  /** By the signature, which is shorter. Replaced, not cleared: a check under way doesn't add to the new one. */
  let cache = newCache();
  let cacheKeys = keys.verifying;
  const revocations = await openRevocations(keys, store, now, () => {
    cache = newCache();
  });
  const views = await openTokenViews(store, now);
  /** The `kid` of each verified token, which ends with its key. The token of a page session has none. */
  const kids = new WeakMap<IssuedToken, string>();

  /** Checks everything but expiry and revocation. */
  async function verifySigned(text: string): Promise<Verified | Refusal> {
    const signed = await signedClaims(text, keys);
    if (typeof signed === 'string') return signed;
    const claims = Claims.safeParse(signed.claims);
    if (!claims.success) return 'wrong claims';
    const { sub, jti, iat, exp, nbf = iat, grant_id: grantId } = claims.data;
    const access = accessOf(claims.data, baseUrl);
    if (Math.max(iat, nbf) > toSeconds(now()) + clockToleranceSeconds) return 'not valid yet';
    const subject = readVisitor(sub);
    const opens = { ...(access && { access }), ...(grantId !== undefined && { grantId }) };
    const token = { jti, subject, issuedAt: toInstant(iat), expiresAt: toInstant(exp), ...opens };
    kids.set(token, signed.kid);
    return { text, token };
  }

  function refuse(reason: Refusal): null {
    onRefused(reason);
    return null;
  }

  /** Returns whether the token is revoked; it may also be expired or signed by a removed key. */
  const isRevoked = (token: IssuedToken): boolean =>
    revocations.isRevoked(token, revocations.subjectHashes(token.subject));

  function cached(text: string): Verified | undefined {
    const found = cache.get(signatureOf(text));
    return found?.text === text ? found : undefined;
  }

  /** Returns what `verify` has cached for a token of the API that is still valid. */
  function recall(text: string): IssuedToken | null {
    const token = cached(text)?.token;
    return token === undefined || token.access !== undefined || token.expiresAt <= now() ? null : token;
  }

  return {
    async refresh() {
      if (keys.verifying !== cacheKeys) cache = newCache();
      cacheKeys = keys.verifying;
      await revocations.refresh();
      await views.refresh();
    },
    revoke: revocations.revoke,
    subjectHashes: revocations.subjectHashes,

    isRevoked,
    recall,
    viewOf: views.viewOf,
    learnView: views.learn,
    setView: views.set,
    viewsInUse: views.names,

    async prepare(subject, access?: Access, grantId?: string): Promise<IssuedToken> {
      await revocations.refresh();
      await views.learn(subject);
      const iat = revocations.earliestIssuedAt(revocations.subjectHashes(subject));
      const jti = newId();
      const exp = iat + (access === undefined ? ttlSeconds : Math.min(ttlSeconds, accessSeconds));
      return {
        jti,
        subject,
        issuedAt: toInstant(iat),
        expiresAt: toInstant(exp),
        ...(access && { access, ...(grantId !== undefined && { grantId }) }),
      };
    },

    sign({ jti, subject, issuedAt, expiresAt, access, grantId }) {
      const [iat, exp] = [toSeconds(issuedAt), toSeconds(expiresAt)];
      const claims = {
        iss: baseUrl,
        sub: toVisitorText(subject),
        ...accessClaims(access, baseUrl),
        ...(grantId && { grant_id: grantId }),
      };
      const { kid, privateKey } = keys.signing;
      return new SignJWT({ ...claims, iat, exp, jti })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .sign(privateKey);
    },

    async verify(text, at?: 'mcp') {
      const cacheAtStart = cache;
      const known = cached(text);
      const verified = known ?? (await verifySigned(text));
      if (typeof verified === 'string') return refuse(verified);
      const { token } = verified;
      if (token.access?.isForMcp && at !== 'mcp') return refuse('wrong audience');
      if (token.expiresAt <= now()) {
        cache.delete(signatureOf(text));
        return refuse('expired');
      }
      if (known) return token;
      if (isRevoked(token)) return refuse('revoked');
      await views.learn(token.subject);
      cacheAtStart.set(signatureOf(text), verified);
      return token;
    },

    isValid(token) {
      const kid = kids.get(token);
      return (kid === undefined || keys.verifying.has(kid)) && token.expiresAt > now() && !isRevoked(token);
    },
  } satisfies Tokens & Record<string, unknown>;
}

/** Opens this process's copy of the views of tokens; `refresh` reads the views that other processes have set. */
async function openTokenViews({ tokenViews }: TokenOptions['store'], now: () => Date) {
  let views: ReadonlyMap<string, string> = new Map();
  let begun = 0;
  let latest = 0;

  async function refresh(): Promise<void> {
    const turn = ++begun;
    const read = await tokenViews.list(now());
    // A refresh that began earlier and ends later has read older views.
    if (turn < latest) return;
    latest = turn;
    views = read;
  }

  await refresh();
  return {
    refresh,
    /** Reads the views again if a visitor came through a link that was made since the last refresh, or has ended. */
    async learn(subject: Visitor): Promise<void> {
      if (subject.kind === 'link' && !views.has(visitorKeyOf(subject))) await refresh();
    },
    async set(...view: Parameters<typeof tokenViews.set>): Promise<void> {
      await tokenViews.set(...view);
      await refresh();
    },
    viewOf({ jti, grantId, subject }: IssuedToken): string | null {
      const own = views.size === 0 ? undefined : (views.get(jti) ?? (grantId ? views.get(grantId) : undefined));
      // A link that has ended is not known.
      const usual = subject.kind === 'link' ? (views.get(visitorKeyOf(subject)) ?? publicView) : wholeView;
      const view = own ?? usual;
      return view === wholeView ? null : view;
    },
    names: (): ReadonlySet<string> => new Set(views.values()),
  };
}

interface Verified {
  readonly text: string;
  readonly token: IssuedToken;
}

const signatureOf = (text: string): string => text.slice(text.lastIndexOf('.') + 1);

const Header = z.strictObject({ alg: z.literal('EdDSA'), typ: z.literal('at+jwt'), kid: z.string() });

const mcpOf = (baseUrl: string): string => `${baseUrl}/mcp`;

function accessClaims(access: Access | undefined, baseUrl: string) {
  if (access === undefined) return { aud: baseUrl, client_id: 'auth-token', scope: wholeScope };
  const { clientId, scopes, isForMcp, isVerified } = access;
  const aud = isForMcp ? mcpOf(baseUrl) : baseUrl;
  return { aud, client_id: clientId, scope: scopes.join(' '), ...(isVerified && { email_verified: true }) };
}

function accessOf(claims: z.infer<ReturnType<typeof claimsFor>>, baseUrl: string): Access | undefined {
  if (claims.scope === wholeScope && claims.aud === baseUrl) return undefined;
  const scopes = claims.scope === wholeScope ? allScopes : readScopes(claims.scope);
  const isVerified = claims.email_verified ?? false;
  return { clientId: claims.client_id, scopes, isForMcp: claims.aud !== baseUrl, isVerified };
}

const claimsFor = (baseUrl: string) =>
  z.object({
    iss: z.literal(baseUrl),
    aud: z.enum([baseUrl, mcpOf(baseUrl)]),
    sub: z.string(),
    client_id: z.string(),
    scope: z
      .string()
      .refine((scope) => scope === wholeScope || (scope !== '' && readScopes(scope).join(' ') === scope)),
    iat: z.int(),
    exp: z.int(),
    nbf: z.int().optional(),
    jti: z.string(),
    email_verified: z.boolean().optional(),
    grant_id: z.string().optional(),
  });

/** Returns the claims and the `kid` of a token with a valid signature, or why it is refused. */
async function signedClaims(text: string, { verifying }: Keys): Promise<{ claims: unknown; kid: string } | Refusal> {
  const parts = text.length > 4096 ? [] : text.split('.');
  // jose also accepts padding, white space and non-canonical base64url: 16 spellings of one signature.
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
