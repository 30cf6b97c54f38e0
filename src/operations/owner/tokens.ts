import { z } from 'zod';
import { toCanonicalAddress } from '../../model/email-address.ts';
import { Failure } from '../../model/failure.ts';
import type { Grant } from '../../model/oauth.ts';
import type { StoredToken } from '../../model/token.ts';
import { noun, ownerOperation } from './operation.ts';
import { findReader } from './readers.ts';
import type { OwnerServices } from './services.ts';

export const listTokens = ownerOperation({
  kind: 'owner',
  name: 'list_tokens',
  summary: 'The tokens that have not expired, the latest first.',
  input: z.object({}),
  output: z.array(noun<StoredToken & { readonly isRevoked: boolean }>()),
  handle: async (_input, { store, tokens, now }: OwnerServices) =>
    (await store.tokens.listUnexpired(now())).map((token) => ({ ...token, isRevoked: tokens.isRevoked(token) })),
});

export const listGrants = ownerOperation({
  kind: 'owner',
  name: 'list_grants',
  summary: 'What visitors have allowed clients and has not ended, the latest first.',
  input: z.object({}),
  output: z.array(noun<Grant>()),
  handle: async (_input, { store, now }: OwnerServices) => store.oauth.grants.listUnexpired(now()),
});

/** What ends: a token with its grant, a grant with its tokens, or all of an address or of all visitors; of a `reader`, what is theirs. */
const Target = z.object({
  jti: z.string().optional(),
  grant: z.string().optional(),
  email: z.string().optional(),
  all: z.literal(true).optional(),
  reader: z.string().optional(),
});
type Target = z.output<typeof Target>;

/** How many valid tokens, and how many grants, end. */
const Ended = z.object({ tokens: z.int(), grants: z.int() });

export const countEnding = ownerOperation({
  kind: 'owner',
  name: 'count_ending',
  summary: 'How many valid tokens, and how many grants, `revoke` would end.',
  input: Target,
  output: Ended,
  handle: async (target, services: OwnerServices) => countOf(await readTarget(target, services), services),
});

export const revoke = ownerOperation({
  kind: 'owner',
  name: 'revoke',
  summary: 'Ends a token, a grant, or all of a visitor or of all visitors; says how many valid ones there were.',
  input: Target,
  output: Ended,
  failures: { BAD_REQUEST: 'Name one token, grant, visitor or all; of a reader, a token or grant of theirs.' },
  audits: ['token_revoked', 'grant_ended'],
  async handle(given, services: OwnerServices) {
    const { store, tokens, now, audit } = services;
    const target = await readTarget(given, services);
    const ended = await countOf(target, services);
    if (target.kind === 'grant') {
      await store.oauth.grants.end(target.id, now());
      await tokens.refresh();
      audit({ event: 'grant_ended', detail: target.id });
      return ended;
    }
    await tokens.revoke(target);
    const { kind, ...whose } = target;
    audit({ event: 'token_revoked', detail: kind, ...whose });
    return ended;
  },
});

async function readTarget({ jti, grant, email, all, reader }: Target, services: OwnerServices) {
  if (
    [jti, grant, email ?? reader, all].filter((one) => one !== undefined).length !== (reader && (jti ?? grant) ? 2 : 1)
  )
    throw new Failure('BAD_REQUEST');
  const { store } = services;
  const found = reader === undefined ? null : await findReader(reader, services);
  if (found !== null) {
    const address = [found.canonicalAddress];
    const isTheirs =
      (jti === undefined || (await store.tokens.listOf(address)).some((token) => token.jti === jti)) &&
      (grant === undefined || (await store.oauth.grants.listOf(address)).some(({ id }) => id === grant));
    if (!isTheirs) throw new Failure('BAD_REQUEST');
  }
  if (jti !== undefined) return { kind: 'jti', jti } as const;
  if (grant !== undefined) return { kind: 'grant', id: grant } as const;
  return all ? ({ kind: 'all' } as const) : ({ kind: 'subject', subject: found?.address ?? email! } as const);
}

async function countOf(target: Awaited<ReturnType<typeof readTarget>>, services: OwnerServices) {
  const { store, tokens, now } = services;
  const countTokens = async (which: { jti?: string; canonical_subject?: string; grant_id?: string }) =>
    (await store.tokens.listUnexpired(now(), which)).filter((token) => !tokens.isRevoked(token)).length;
  const countGrant = async (id: string) => ({
    tokens: await countTokens({ grant_id: id }),
    grants: (await store.oauth.grants.find(id, now())) === null ? 0 : 1,
  });

  if (target.kind === 'grant') return countGrant(target.id);
  if (target.kind === 'jti') {
    const [token] = await store.tokens.listUnexpired(now(), { jti: target.jti });
    if (token?.grantId) return countGrant(token.grantId);
    return { tokens: await countTokens({ jti: target.jti }), grants: 0 };
  }
  const which = target.kind === 'all' ? {} : { canonical_subject: toCanonicalAddress(target.subject) };
  return { tokens: await countTokens(which), grants: (await store.oauth.grants.listUnexpired(now(), which)).length };
}
