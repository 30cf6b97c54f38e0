import { z } from 'zod';
import { TokenRequest } from '../model/contact.ts';
import type { Quota } from '../model/quota.ts';
import { byAddress } from '../model/visitor.ts';
import { toAccessNotice } from './notices.ts';
import { operation } from './operation.ts';

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
  handle: async ({ email }, { store, tokens, audit, now }, { caller, surface, charges }) => {
    const token = await tokens.prepare(byAddress(email));
    await store.tokens.add(token, toAccessNotice(token, caller.address), charges, now(), {
      isOfPage: surface === 'web',
    });
    audit({ event: 'token_issued', jti: token.jti, subject: token.subject, from: caller.address });
    return { access_token: await tokens.sign(token), token_type: 'Bearer' as const };
  },
});
