import { toCanonicalAddress } from '../model/email-address.ts';
import type { Failure } from '../model/failure.ts';
import { blockOf } from '../model/network-block.ts';
import { type Quota, toRateLimited } from '../model/quota.ts';
import type { Caller } from './call.ts';
import type { Mutation, Operation, Own } from './operation.ts';
import type { QuotaCharge, Services } from './ports.ts';

/** The quota of all reads together. */
export const readQuota: Quota = { per: 'token', count: 120, seconds: 60 };

/** The quota of downloads of the resume PDF, which need no token. */
export const downloadQuota: Quota = { per: 'block', count: 60, seconds: 60 };

/** Returns the quotas of an operation besides that of all reads. */
export const quotasOf = (operation: Operation): readonly Quota[] =>
  operation.kind === 'read' ? [] : (operation.quotas ?? []);

/** Returns what a call of a mutation uses of its quotas, as the store counts it; the owner has no limit. */
export function chargesOf(
  { name, quotas }: Pick<Mutation, 'name' | 'quotas'>,
  caller: Caller,
  { limits }: Pick<Services, 'limits'>,
): readonly QuotaCharge[] {
  return caller.kind === 'owner' ? [] : limits.toStored(usesOf(name, quotas, caller));
}

const usesOf = (name: string, quotas: readonly Quota[], caller: Caller): readonly QuotaCharge[] =>
  quotas.flatMap(({ per, count, seconds }) => {
    const holder = holderOf(caller, per);
    return holder === null ? [] : [{ key: `${name} ${per} ${holder}`, count, seconds }];
  });

/** Charges a read to the token's quota. Returns `RATE_LIMITED`, not audited, if the quota is used up, otherwise null. */
export const chargeRead = ({ token }: Caller, { limits }: Pick<Services, 'limits'>): Failure | null =>
  token === null ? null : charge(`read token ${token.jti}`, readQuota, limits);

/** Charges a read as `chargeRead` does; the audit log has the failure under the operation's name. */
export function limitRead(operation: string, caller: Caller, services: Limiting): Failure | null {
  const failure = chargeRead(caller, services);
  if (failure !== null) auditLimit(operation, caller.address, services);
  return failure;
}

/** Charges a call on what is kept of the caller's token as a read, and to the quotas of the operation. Returns as `limitRead` does. */
export function limitOwn({ name, quotas = [] }: Own, caller: Caller, services: Limiting): Failure | null {
  let failure = chargeRead(caller, services);
  for (const use of usesOf(name, quotas, caller)) failure ??= charge(use.key, use, services.limits);
  if (failure !== null) auditLimit(name, caller.address, services);
  return failure;
}

/** Charges a download to the network block; `from` is the network address, null if unknown. Returns as `limitRead` does. */
export function limitDownload(path: string, from: string | null, services: Limiting): Failure | null {
  const failure = from === null ? null : charge(`${path} ${blockOf(from)}`, downloadQuota, services.limits);
  if (failure !== null) auditLimit(path, from, services);
  return failure;
}

/** The quota of requests that a visitor is to answer, and of those for tokens; each stores rows. */
const authorizationQuota: Quota = { per: 'block', count: 60, seconds: 60 };

/** Charges a request for a visitor's consent, or for tokens, to the network block. Returns as `limitRead` does. */
export function limitAuthorization(path: string, from: string | null, services: Limiting): Failure | null {
  const failure = from === null ? null : charge(`${path} ${blockOf(from)}`, authorizationQuota, services.limits);
  if (failure !== null) auditLimit(path, from, services);
  return failure;
}

/** Returns what fetching the document of a client uses, because anybody can name an address; `from` is the network address. */
export const fetchCharges = (from: string | null): readonly QuotaCharge[] => [
  // First, so that a network which has used up its own charges nothing to all.
  ...(from === null ? [] : [{ key: `oauth_client_document block ${blockOf(from)}`, count: 10, seconds: 60 }]),
  { key: 'oauth_client_document service ', count: 60, seconds: 60 },
];

/** Returns what the registration of a client uses; `from` is the network address. */
export const clientCharges = (from: string | null): readonly QuotaCharge[] => [
  ...(from === null ? [] : [{ key: `oauth_register block ${blockOf(from)}`, count: 20, seconds: 3_600 }]),
  // Each stores a row, for a day.
  { key: 'oauth_register service ', count: 500, seconds: 3_600 },
];

/** Returns what a code uses that is mailed to an address, which may be of somebody who has not asked for it; `from` is the network address. */
export const codeCharges = (email: string, from: string | null): readonly QuotaCharge[] => [
  { key: `oauth_code subject ${toCanonicalAddress(email)}`, count: 3, seconds: 3_600 },
  ...(from === null ? [] : [{ key: `oauth_code block ${blockOf(from)}`, count: 10, seconds: 3_600 }]),
  { key: 'oauth_code service ', count: 30, seconds: 3_600 },
];

type Limiting = Pick<Services, 'limits' | 'audit'>;

function charge(key: string, { count, seconds }: Omit<Quota, 'per'>, { take }: Services['limits']): Failure | null {
  const waitSeconds = take({ key, count, seconds });
  return waitSeconds === 0 ? null : toRateLimited(waitSeconds);
}

/** Audits that a call was refused because a quota is used up. */
export const auditLimit = (operation: string, from: string | null, { audit }: Pick<Services, 'audit'>): void =>
  audit({ event: 'limit_hit', operation, from });

/** Returns whose quota a call uses: a `jti`, a canonical address or a network block; null if the caller has none. */
function holderOf({ token, address }: Caller, per: Quota['per']): string | null {
  if (per === 'token') return token?.jti ?? null;
  if (per === 'subject') return token && toCanonicalAddress(token.subject);
  if (per === 'block') return address === null ? null : blockOf(address);
  return '';
}
