import type { KoaContextWithOIDC } from 'oidc-provider';
import { toCanonicalAddress } from '../../model/email-address.ts';
import { Failure } from '../../model/failure.ts';
import { readScopes } from '../../model/grant.ts';
import { toOauthError } from '../../model/oauth/oauth-error.ts';
import { seal, unseal } from '../node-crypto.ts';
import type { Options } from './options.ts';
import { recordIdOf, type TokenRequest } from './storage.ts';

/** How long the client that used a refresh token is answered the same again: for parallel calls, and an answer that was lost. */
const repeatSeconds = 30;

/** The response to a code or a refresh token (RFC 6749, section 5.1), and when its access token expires. */
interface Answer {
  readonly body: object;
  readonly expiresAt: string;
}

/**
 * Replaces the access token of a response by one of ours, which is signed and recorded. Refuses if the grant has ended. A refresh token
 * that its client uses again within 30 s, before it has used the next one, gets the same answer; any other second use of a code or
 * refresh token ends the grant.
 */
export async function issueTokens(context: KoaContextWithOIDC, request: TokenRequest, options: Options): Promise<void> {
  const { baseUrl, tokens, store, ttlSeconds, now, log } = options;
  const { AccessToken, AuthorizationCode, RotatedRefreshToken } = context.oidc.entities;
  const { accountId, clientId, grantId, scope = '', aud } = AccessToken!;
  const { kind, jti: secret } = (RotatedRefreshToken ?? AuthorizationCode)!;
  // A grant has one latest refresh token, and so one answer: the next one replaces it.
  const answerId = recordIdOf('Answer', grantId!);
  try {
    const isVerified = (await store.findGrant(grantId!, now()))?.isVerified ?? false;
    const access = { clientId: clientId!, scopes: readScopes(scope), isForMcp: aud !== baseUrl, isVerified };
    const token = await tokens.prepare(accountId, access);
    const body = { ...(context.body as object), access_token: await tokens.sign(token) };
    const records = request.refreshToken === undefined ? [] : [request.refreshToken];
    if (kind === 'RefreshToken') {
      const answer: Answer = { body, expiresAt: token.expiresAt.toISOString() };
      records.push({
        id: answerId,
        grantId: grantId!,
        canonicalSubject: toCanonicalAddress(accountId),
        // The key is the refresh token, of which only a hash is stored: the database alone gives nobody a token.
        payload: JSON.stringify({ sealed: seal(JSON.stringify(answer), secret) }),
        expiresAt: new Date(now().getTime() + repeatSeconds * 1_000),
      });
    }
    const grantExpiresAt = new Date(now().getTime() + ttlSeconds * 1_000);
    const source = { grantId: grantId!, recordId: recordIdOf(kind, secret), records };
    const outcome = await store.addGrantedToken(token, source, grantExpiresAt, now());
    const repeated = outcome === 'used before' ? await repeat(answerId, secret, options) : null;
    if (outcome === 'added' || repeated !== null) {
      context.body = repeated ?? body;
      return;
    }
    if (outcome === 'used before') await store.endGrant(grantId!, now());
    context.status = 400;
    context.body = { error: 'invalid_grant', error_description: 'grant request is invalid' };
  } catch (error) {
    refuse(context, error, log);
  }
}

/** Returns what a refresh token got, unless that is too long ago or was used; null for a code. */
async function repeat(answerId: string, secret: string, { store, now }: Options): Promise<object | null> {
  const record = await store.findOauthRecord(answerId, now());
  const text = record && unseal((JSON.parse(record.payload) as { sealed: string }).sealed, secret);
  if (text === null) return null;
  const { body, expiresAt } = JSON.parse(text) as Answer;
  const left = Math.ceil((new Date(expiresAt).getTime() - now().getTime()) / 1_000);
  return { ...body, expires_in: Math.max(left, 0) };
}

/** Responds with a failure; another error is logged, and nothing of it is shown. */
export function refuse(context: KoaContextWithOIDC, error: unknown, log: Options['log']): void {
  if (!(error instanceof Failure)) log.error({ err: error }, 'authorization server failed');
  const failure = error instanceof Failure ? error : new Failure('INTERNAL_ERROR');
  const { status, retryAfterSeconds } = failure;
  context.status = status;
  context.body = toOauthError(failure);
  if (retryAfterSeconds !== null) context.set('retry-after', String(retryAfterSeconds));
}
