import { Failure } from '../model/failure.ts';
import { personKeyOf } from '../model/link.ts';
import { blockOf, siteOf } from '../model/network-block.ts';
import { type Quota, type QuotaCharge, toRateLimited } from '../model/quota.ts';
import type { IssuedToken } from '../model/token.ts';
import { visitorKeyOf } from '../model/visitor.ts';
import type { Caller } from './call.ts';
import type { Mutation, Operation, Own, Search } from './operation.ts';
import type { Services } from './ports.ts';

export const readQuota: Quota = { per: 'token', count: 120, seconds: 60 };

export const downloadQuota: Quota = { per: 'block', count: 60, seconds: 60 };

export const quotasOf = (operation: Operation): readonly Quota[] =>
  operation.kind === 'read' ? [] : (operation.quotas ?? []);

/** Returns the charges of a mutation as the store counts them; the owner has no limit. */
export const chargesOf = (
  { name, quotas }: Pick<Mutation, 'name' | 'quotas'>,
  { kind, token, address }: Caller,
  { limits }: Pick<Services, 'limits'>,
): readonly QuotaCharge[] =>
  kind === 'owner' ? [] : limits.toStored(chargesFor(name, quotas, { ...token, from: address }));

/** Charges a read to the token's quota. Returns null, or `RATE_LIMITED`, not audited, if the quota is used up. */
export function chargeRead({ token }: Caller, { limits }: Pick<Services, 'limits'>): Failure | null {
  const { count, seconds } = readQuota;
  return token === null ? null : charge({ key: `read token ${token.jti}`, count, seconds }, limits);
}

/** Charges a read as `chargeRead` does; the audit log has the failure under the operation's name. */
export function limitRead(operation: string, caller: Caller, services: Limiting): Failure | null {
  const failure = chargeRead(caller, services);
  if (failure !== null) auditLimit(operation, caller.address, services);
  return failure;
}

/** Charges a call as a read, unless `charged` is the outcome of that charge, and to its own quotas. Returns as `limitRead`. */
export const limitCall = (
  { name, quotas = [] }: Own | Search,
  caller: Caller,
  services: Limiting,
  charged = chargeRead(caller, services),
): Failure | null => limit(name, quotas, { ...caller.token, from: caller.address }, services, charged);

/** Charges a download to the block of a network address, null if unknown. Returns as `limitRead` does. */
export const limitDownload = (path: string, from: string | null, services: Limiting): Failure | null =>
  limit(path, [downloadQuota], { from }, services);

const perBlock = (count: number, seconds: number): Quota => ({ per: 'block', count, seconds });
const perService = (count: number, seconds: number): Quota => ({ per: 'service', count, seconds });

const actionQuotas = {
  // Looking at a link, even if it opens nothing.
  link: [perBlock(60, 60)],
  // Each opening stores a token; people at one place may open a link together.
  open_link: [perBlock(30, 60)],
  // A return from the consent pages, and a request for tokens or for their end; each stores rows.
  '/oauth/authorize': [perBlock(60, 60)],
  '/oauth/token': [perBlock(60, 60)],
  '/oauth/revoke': [perBlock(60, 60)],
  // A form that is not accepted: its page shows again what was typed.
  refused_form: [perBlock(30, 60)],
  // Fetching the document of a client, because anybody can name an address.
  oauth_client_document: [perBlock(10, 60), perService(60, 60)],
  // Each registration of a client stores a row, for a day.
  oauth_register: [perBlock(20, 3_600), perService(500, 3_600)],
  // Mailing a code to an address, which may be of somebody who has not asked for it.
  oauth_code: [{ per: 'subject', count: 3, seconds: 3_600 }, perBlock(10, 3_600), perService(30, 3_600)],
  // Anybody can ask for a link to sign in, which the owner gets. The limit of one network leaves some for the owner.
  desk_sign_in: [perBlock(3, 3_600), perService(5, 3_600)],
  // A person mistypes the setup code a few times.
  desk_setup: [perBlock(10, 3_600), perService(60, 3_600)],
  // Above the replies that a person writes, below what makes a mail server block the sender.
  contact_reply: [perService(60, 3_600)],
} as const satisfies Record<string, readonly Quota[]>;

type Action = keyof typeof actionQuotas;

/** Charges an action to a network address, null if unknown. Returns as `limitRead` does. */
export const limitAction = (name: Action, from: string | null, services: Limiting): Failure | null =>
  limit(name, actionQuotas[name], { from }, services);

/** Like `limitAction`, and for all callers: a /56 can begin 3,600 in the half hour for which 10,000 are kept. */
export const limitConsentRequest = (from: string | null, services: Limiting): Failure | null =>
  limit('/oauth/authorize', [...actionQuotas['/oauth/authorize'], perService(1_000, 60)], { from }, services);

export const actionCharges = (name: Action, holders: Holders): readonly QuotaCharge[] =>
  chargesFor(name, actionQuotas[name], holders);

/** Returns the charges for opening a link: to the network, and to all openings of the link together. */
export const openingCharges = (link: string, from: string | null): readonly QuotaCharge[] => [
  ...actionCharges('open_link', { from }),
  { key: `open_link link ${link}`, count: 300, seconds: 60 },
];

type Limiting = Pick<Services, 'limits' | 'audit'>;

/** Charges the quotas in order, up to the first that is used up; audits a failure, which may be of an earlier charge. */
function limit(
  name: string,
  quotas: readonly Quota[],
  holders: Holders,
  services: Limiting,
  before: Failure | null = null,
): Failure | null {
  let failure = before;
  for (const use of chargesFor(name, quotas, holders)) failure ??= charge(use, services.limits);
  if (failure !== null) auditLimit(name, holders.from, services);
  return failure;
}

function charge(use: QuotaCharge, { take }: Services['limits']): Failure | null {
  const waitSeconds = take(use);
  return waitSeconds === 0 ? null : toRateLimited(waitSeconds);
}

export const auditLimit = (operation: string, from: string | null, { audit }: Pick<Services, 'audit'>): void =>
  audit({ event: 'limit_hit', operation, from });

/** Runs `act`; audits under a name that a quota is used up if it throws `RATE_LIMITED`. */
export async function auditingLimit<Result>(
  operation: string,
  from: string | null,
  services: Pick<Services, 'audit'>,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Failure && error.code === 'RATE_LIMITED') auditLimit(operation, from, services);
    throw error;
  }
}

/** The holders of quotas in a call: the token, its subject, and the network address; null if unknown. */
type Holders = Partial<Pick<IssuedToken, 'jti' | 'grantId' | 'subject'>> & { readonly from: string | null };

/** The quota of a link, which many people may open, as a multiple of the quota of one opening. */
const openingsOfLink = 4;

/** Charges a quota of subjects. A visitor who came by a link is charged twice: as a person and as part of the link. */
function chargesOfSubject(name: string, { count, seconds }: Quota, holders: Holders): readonly QuotaCharge[] {
  const { subject, jti = '', grantId = null } = holders;
  if (subject === undefined) return [];
  const ofAll = { key: `${name} subject ${visitorKeyOf(subject)}`, count, seconds };
  if (subject.kind === 'address') return [ofAll];
  return [
    { ...ofAll, key: `${name} subject ${personKeyOf({ subject, jti, grantId })}` },
    { ...ofAll, count: openingsOfLink * count },
  ];
}

/** Returns the charges of a call. The quota of the service is last: a caller over another quota does not use it. */
export function chargesFor(name: string, quotas: readonly Quota[], holders: Holders): readonly QuotaCharge[] {
  const isShared = quotas.some(({ per }) => per === 'service');
  const { jti, from } = holders;
  return quotas.flatMap((quota) => {
    const { per, ...window } = quota;
    if (per === 'service') return [{ key: `${name} service `, ...window }];
    if (per === 'subject') return chargesOfSubject(name, quota, holders);
    if (per === 'block') return from === null ? [] : chargesOfNetwork(name, quota, from, isShared);
    return jti === undefined ? [] : [{ key: `${name} token ${jti}`, ...window }];
  });
}

/** Returns the charges of a network block and of its /56, so that one IPv6 line does not use up a quota of all callers. */
function chargesOfNetwork(name: string, { count, seconds }: Quota, from: string, isShared: boolean) {
  const ofBlock = { key: `${name} block ${blockOf(from)}`, count, seconds };
  if (!isShared || siteOf(from) === blockOf(from)) return [ofBlock];
  return [ofBlock, { ...ofBlock, key: `${name} /56 ${siteOf(from)}`, count: 2 * count }];
}
