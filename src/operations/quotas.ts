import type { Failure } from '../model/failure.ts';
import { personKeyOf } from '../model/link.ts';
import { blockOf, siteOf } from '../model/network-block.ts';
import { type Quota, type QuotaCharge, toRateLimited } from '../model/quota.ts';
import { type AddressVisitor, type Visitor, visitorKeyOf } from '../model/visitor.ts';
import type { Caller } from './call.ts';
import type { Mutation, Operation, Own, Search } from './operation.ts';
import type { Services } from './ports.ts';

/** The quota of all reads together. */
export const readQuota: Quota = { per: 'token', count: 120, seconds: 60 };

/** The quota of downloads of the resume PDF, which need no token. */
export const downloadQuota: Quota = { per: 'block', count: 60, seconds: 60 };

/** Returns the quotas of an operation besides that of all reads. */
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

/** Charges a call on the caller's own record as a read, and to its own quotas. Returns as `limitRead` does. */
export const limitOwn = ({ name, quotas = [] }: Own, caller: Caller, services: Limiting): Failure | null =>
  limit(name, quotas, { ...caller.token, from: caller.address }, services, chargeRead(caller, services));

/** Charges a search as `limitOwn` does; `charged` is the outcome if the surface has charged the read quota already. */
export const limitSearch = (
  { name, quotas }: Search,
  caller: Caller,
  services: Limiting,
  charged = chargeRead(caller, services),
): Failure | null => limit(name, quotas, { ...caller.token, from: caller.address }, services, charged);

/** Charges a download to the block of a network address, null if unknown. Returns as `limitRead` does. */
export const limitDownload = (path: string, from: string | null, services: Limiting): Failure | null =>
  limit(path, [downloadQuota], { from }, services);

/** The quota of looking at links, also at those that open nothing. */
const linkQuotas: readonly Quota[] = [{ per: 'block', count: 60, seconds: 60 }];

/** Charges a request for a link to the network. Returns as `limitRead` does. */
export const limitLink = (from: string | null, services: Limiting): Failure | null =>
  limit('link', linkQuotas, { from }, services);

/** The quota of openings, each of which stores a token: people at one place may open a link together. */
const openingQuotas: readonly Quota[] = [{ per: 'block', count: 30, seconds: 60 }];

/** Returns the charges for opening a link: to the network, and to all openings of the link together. */
export const openingCharges = (link: string, from: string | null): readonly QuotaCharge[] => [
  ...chargesFor('open_link', openingQuotas, { from }),
  { key: `open_link link ${link}`, count: 300, seconds: 60 },
];

/** The quota of requests that a visitor is to answer, and of those for tokens; each stores rows. */
const authorizationQuota: Quota = { per: 'block', count: 60, seconds: 60 };

/** The quotas of new requests for consent: a /56 can begin 3,600 in the half hour for which 10,000 are kept. */
const requestQuotas: readonly Quota[] = [authorizationQuota, { per: 'service', count: 1_000, seconds: 60 }];

/** Charges a new request for a visitor's consent. Returns as `limitRead` does. */
export const limitRequest = (from: string | null, services: Limiting): Failure | null =>
  limit('/oauth/authorize', requestQuotas, { from }, services);

/** Charges a return from the consent pages, or a request for tokens, to the network. Returns as `limitRead` does. */
export const limitAuthorization = (path: string, from: string | null, services: Limiting): Failure | null =>
  limit(path, [authorizationQuota], { from }, services);

/** The quota of forms that are not accepted: their pages show again what was typed. */
const refusedFormQuota: Quota = { per: 'block', count: 30, seconds: 60 };

/** Charges a form that is not accepted to the network block. Returns as `limitRead` does. */
export const limitRefusedForm = (from: string | null, services: Limiting): Failure | null =>
  limit('refused_form', [refusedFormQuota], { from }, services);

const documentQuotas: readonly Quota[] = [
  { per: 'block', count: 10, seconds: 60 },
  { per: 'service', count: 60, seconds: 60 },
];

/** Returns the charges for fetching the document of a client, because anybody can name an address. */
export const fetchCharges = (from: string | null): readonly QuotaCharge[] =>
  chargesFor('oauth_client_document', documentQuotas, { from });

const registrationQuotas: readonly Quota[] = [
  { per: 'block', count: 20, seconds: 3_600 },
  // Each stores a row, for a day.
  { per: 'service', count: 500, seconds: 3_600 },
];

/** Returns the charges for the registration of a client. */
export const clientCharges = (from: string | null): readonly QuotaCharge[] =>
  chargesFor('oauth_register', registrationQuotas, { from });

const codeQuotas: readonly Quota[] = [
  { per: 'subject', count: 3, seconds: 3_600 },
  { per: 'block', count: 10, seconds: 3_600 },
  { per: 'service', count: 30, seconds: 3_600 },
];

/** Returns the charges for mailing a code to an address, which may be of somebody who has not asked for it. */
export const codeCharges = (subject: AddressVisitor, from: string | null): readonly QuotaCharge[] =>
  chargesFor('oauth_code', codeQuotas, { subject, from });

/** Anybody can ask for a link to sign in, which the owner gets. What one network may use leaves some for the owner. */
const signInQuotas: readonly Quota[] = [
  { per: 'block', count: 3, seconds: 3_600 },
  { per: 'service', count: 5, seconds: 3_600 },
];

/** Returns the charges for mailing the owner a link. */
export const linkCharges = (from: string | null): readonly QuotaCharge[] =>
  chargesFor('desk_sign_in', signInQuotas, { from });

/** A person mistypes a code a few times. */
const setupQuotas: readonly Quota[] = [
  { per: 'block', count: 10, seconds: 3_600 },
  { per: 'service', count: 60, seconds: 3_600 },
];

/** Returns the charges for trying the setup code. */
export const setupCharges = (from: string | null): readonly QuotaCharge[] =>
  chargesFor('desk_setup', setupQuotas, { from });

/** The quota of replies: above what a person writes, below what makes a mail server block the sender. */
const replyQuotas: readonly Quota[] = [{ per: 'service', count: 60, seconds: 3_600 }];

/** Returns the charges for mailing a reply of the owner. */
export const replyCharges = (): readonly QuotaCharge[] => chargesFor('contact_reply', replyQuotas, { from: null });

type Limiting = Pick<Services, 'limits' | 'audit'>;

/** Charges the quotas in order, up to the first that is used up; audits a failure, which may be one of before. */
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

/** Audits that a call was refused because a quota is used up. */
export const auditLimit = (operation: string, from: string | null, { audit }: Pick<Services, 'audit'>): void =>
  audit({ event: 'limit_hit', operation, from });

/** The holders of quotas in a call: those of the token, and the network address, if there is one. */
interface Holders {
  readonly jti?: string;
  readonly grantId?: string | null;
  readonly subject?: Visitor;
  readonly from: string | null;
}

/** How many times the quota of one opening a link has, through which many people may come. */
const openingsOfLink = 4;

/** Returns the charges of a quota of subjects: what is opened by a link is one itself, and the link has a quota besides. */
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

/** Returns the charges of a call, that of the service last: a caller over another quota does not use it. */
function chargesFor(name: string, quotas: readonly Quota[], holders: Holders): readonly QuotaCharge[] {
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

/** Returns the charges of a network block and, so that one IPv6 line uses up nothing that all callers share, of its /56. */
function chargesOfNetwork(name: string, { count, seconds }: Quota, from: string, isShared: boolean) {
  const ofBlock = { key: `${name} block ${blockOf(from)}`, count, seconds };
  if (!isShared || siteOf(from) === blockOf(from)) return [ofBlock];
  return [ofBlock, { ...ofBlock, key: `${name} /56 ${siteOf(from)}`, count: 2 * count }];
}
