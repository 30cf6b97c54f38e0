import { z } from 'zod';
import { TokenRequest } from '../model/contact.ts';
import type { Quota } from '../model/quota.ts';
import type { IssuedToken } from '../model/token.ts';
import { byAddress } from '../model/visitor.ts';
import type { CallContext } from './call.ts';
import { toAccessNotice } from './notices.ts';
import { operation } from './operation.ts';
import type { Services } from './ports.ts';

/** The quotas of requests with an address, here or on the pages of the authorization server. */
export const tokenQuotas: readonly Quota[] = [{ per: 'block', count: 10, seconds: 60 }];

export const createAuthToken = operation({
  name: 'create_auth_token',
  title: 'Create auth token',
  summary: 'Issues a bearer token for an e-mail address and tells the candidate who asked.',
  description:
    'Use it only when the person you work for asks for a token, and with their own e-mail address. Creates a demo bearer token and triggers the e-mail notification flow: the candidate is told who asked. Returns access_token and token_type; keep the token secret. You need none yourself to use this server.',
  kind: 'mutation',
  access: 'open',
  rest: { method: 'POST', path: '/auth/token' },
  quotas: tokenQuotas,
  input: TokenRequest,
  output: z
    .object({
      access_token: z.string().meta({ description: 'Signed bearer token' }),
      token_type: z.literal('Bearer').meta({ description: 'How the token is to be sent' }),
    })
    .meta({ id: 'TokenResponse' }),
  handle: async (input, services, call) => ({
    access_token: await services.tokens.sign(await issue(input, services, call)),
    token_type: 'Bearer' as const,
  }),
});

/** The same for the page, which opens a session for the token and needs no signed one. */
export const openAccess = operation({
  ...createAuthToken,
  kind: 'mutation',
  quotas: tokenQuotas,
  output: z.custom<IssuedToken>(),
  handle: issue,
});

async function issue(
  { email }: TokenRequest,
  { store, tokens, audit, now }: Services,
  { caller, surface, charges }: CallContext,
): Promise<IssuedToken> {
  const token = await tokens.prepare(byAddress(email));
  await store.tokens.add(token, toAccessNotice(token, caller.address), charges, now(), { isOfPage: surface === 'web' });
  audit({ event: 'token_issued', jti: token.jti, subject: token.subject, from: caller.address });
  return token;
}
