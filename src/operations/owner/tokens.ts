import { publicView, wholeView } from 'resume-profile/view-fields';
import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import type { IssuedToken } from '../../model/token.ts';
import { visitorKeyOf } from '../../model/visitor.ts';
import { linkNamesOf } from './link-names.ts';
import { ownerOperation } from './operation.ts';
import { findReader, NamedVisitor } from './readers.ts';
import type { OwnerServices } from './services.ts';

export const listTokens = ownerOperation({
  name: 'list_tokens',
  summary: 'The tokens that have not expired, the latest first.',
  async handle(_input, services: OwnerServices) {
    const { store, tokens, now } = services;
    const { ofAccess } = await linkNamesOf(services);
    const listed = await store.tokens.listUnexpired(now());
    return listed.map((token) => ({ ...ofAccess(token), isRevoked: tokens.isRevoked(token) }));
  },
});

export const listGrants = ownerOperation({
  name: 'list_grants',
  summary: 'What visitors have allowed clients and has not ended, the latest first.',
  async handle(_input, services: OwnerServices) {
    const { ofAccess } = await linkNamesOf(services);
    return (await services.store.oauth.grants.listUnexpired(services.now())).map(ofAccess);
  },
});

/** A token with its grant, a grant with its tokens, or all of one or all visitors; a `reader` must own it. */
const Target = NamedVisitor.extend({
  jti: z.string().optional(),
  grant: z.string().optional(),
  all: z.literal(true).optional(),
});

export const countEnding = ownerOperation({
  name: 'count_ending',
  summary: 'How many valid tokens, and how many grants, `revoke` would end.',
  input: Target,
  handle: async (input, services: OwnerServices) => countOf(await targetOf(input, services), services),
});

export const revoke = ownerOperation({
  name: 'revoke',
  summary: 'Ends a token, a grant, or all of a visitor or of all visitors; says how many valid ones there were.',
  input: Target,
  audits: ['token_revoked', 'grant_ended'],
  async handle(input, services: OwnerServices) {
    const { store, tokens, now, audit } = services;
    const target = await targetOf(input, services);
    const ended = await countOf(target, services);
    if (target.kind === 'grant') {
      await store.oauth.grants.end(target.id, now());
      await tokens.refresh();
      audit({ event: 'grant_ended', detail: target.id });
    } else {
      await tokens.revoke(target);
      const { kind, ...whose } = target;
      audit({ event: 'token_revoked', detail: kind, ...whose });
    }
    return ended;
  },
});

export const setView = ownerOperation({
  name: 'set_view',
  summary:
    'Sets the view of the profile that a token reads from its next request on, on all replicas: `all`, `public` or the name of one. The tokens of a grant have one view.',
  input: Target.pick({ reader: true, jti: true, grant: true }).extend({ view: z.string() }),
  audits: ['view_changed'],
  async handle({ view, ...target }, services: OwnerServices) {
    const { store, tokens, now, views, audit } = services;
    const named = await targetOf(target, services);
    const names = await views();
    if (view !== wholeView && view !== publicView && !names.has(view))
      throw new Failure('BAD_REQUEST', `The profile has no view ${view}; give ${listed([...names])}`);
    const at = now();
    const token = named.kind === 'jti' ? (await store.tokens.listUnexpired(at, { jti: named.jti }))[0] : undefined;
    const grantId = named.kind === 'grant' ? named.id : token?.grantId;
    const access = grantId ? await store.oauth.grants.find(grantId, at) : token;
    if (!access) throw new Failure('NOT_FOUND', 'No valid token and no grant has this id.');
    // A token or grant of a link reads the view of the link unless it has one of its own, which may be the whole profile.
    const isUsual = view === wholeView && access.subject.kind === 'address';
    await tokens.setView(
      grantId ? { kind: 'grant', id: grantId } : { kind: 'jti', jti: token!.jti },
      isUsual ? null : view,
    );
    if (grantId) audit({ event: 'view_changed', detail: `${grantId} ${view}` });
    else audit({ event: 'view_changed', detail: view, jti: token!.jti });
    await services.untilAllRefreshed();
    return { jti: grantId ? null : token!.jti, grant: grantId ?? null, view };
  },
});

const listed = (names: readonly string[]): string => [...names, wholeView, publicView].join(', ');

async function targetOf(
  { jti, grant, visitor, all, reader }: Partial<z.output<typeof Target>>,
  services: OwnerServices,
) {
  const subject = visitor ?? (jti === undefined && grant === undefined ? reader : undefined);
  if ([jti, grant, all, subject].filter((one) => one !== undefined).length !== 1) throw new Failure('BAD_REQUEST');
  const owner = reader === undefined ? null : await findReader(reader, services);
  if (owner !== null) {
    const { tokens, oauth } = services.store;
    const keys = [owner.key];
    const isTheirs =
      (jti === undefined || (await tokens.listOf(keys)).some((token) => token.jti === jti)) &&
      (grant === undefined || (await oauth.grants.listOf(keys)).some(({ id }) => id === grant));
    if (!isTheirs) throw new Failure('BAD_REQUEST');
  }
  if (jti !== undefined) return { kind: 'jti', jti } as const;
  if (grant !== undefined) return { kind: 'grant', id: grant } as const;
  return all ? ({ kind: 'all' } as const) : ({ kind: 'subject', subject: owner?.visitor ?? visitor! } as const);
}

async function countOf(target: Awaited<ReturnType<typeof targetOf>>, { store, tokens, now }: OwnerServices) {
  const { grants } = store.oauth;
  const at = now();
  const isValid = (token: IssuedToken) => !tokens.isRevoked(token);

  if (target.kind === 'all' || target.kind === 'subject') {
    const which = target.kind === 'all' ? {} : { canonical_subject: visitorKeyOf(target.subject) };
    const valid = (await store.tokens.listUnexpired(at, which)).filter(isValid);
    return { tokens: valid.length, grants: (await grants.listUnexpired(at, which)).length };
  }
  const named = target.kind === 'jti' ? await store.tokens.listUnexpired(at, { jti: target.jti }) : [];
  const id = target.kind === 'grant' ? target.id : named[0]?.grantId;
  if (!id) return { tokens: named.filter(isValid).length, grants: 0 };
  const valid = (await store.tokens.listUnexpired(at, { grant_id: id })).filter(isValid);
  return { tokens: valid.length, grants: (await grants.find(id, at)) === null ? 0 : 1 };
}
