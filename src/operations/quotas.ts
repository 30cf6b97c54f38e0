import { toCanonicalAddress } from '../model/email-address.ts';
import { blockOf } from '../model/network-block.ts';
import { type Quota, toRateLimited } from '../model/quota.ts';
import type { Caller } from './call.ts';
import type { Mutation } from './operation.ts';
import type { QuotaCharge, Services } from './ports.ts';

/** The quota of all reads together. */
export const readQuota: Quota = { per: 'token', count: 120, seconds: 60 };

/** The quota of downloads of the resume PDF, which need no token. */
export const downloadQuota: Quota = { per: 'block', count: 60, seconds: 60 };

/** Returns what a call of a mutation uses of its quotas, as the store counts it; the owner has no limit. */
export function chargesOf(
  { name, quotas }: Mutation,
  caller: Caller,
  { limits }: Pick<Services, 'limits'>,
): readonly QuotaCharge[] {
  if (caller.kind === 'owner') return [];
  const charges = quotas.flatMap(({ per, count, seconds }): QuotaCharge[] => {
    const holder = holderOf(caller, per);
    return holder === null ? [] : [{ key: `${name} ${per} ${holder}`, count, seconds }];
  });
  return limits.toStored(charges);
}

/** Charges a read to the token's quota. Throws `RATE_LIMITED`, which is not audited. */
export function chargeRead({ token }: Caller, { limits }: Pick<Services, 'limits'>): void {
  if (token === null) return;
  const { count, seconds } = readQuota;
  const waitSeconds = limits.local.take([{ key: `read token ${token.jti}`, count, seconds }]);
  if (waitSeconds > 0) throw toRateLimited(waitSeconds);
}

/** Charges a read to the token's quota. Throws `RATE_LIMITED`; the audit log has it under the operation's name. */
export function limitRead(operation: string, caller: Caller, services: Limiting): void {
  try {
    chargeRead(caller, services);
  } catch (failure) {
    auditLimit(operation, caller.address, services);
    throw failure;
  }
}

/** Charges a download to the network block; `from` is the network address, null if unknown. Throws `RATE_LIMITED` as `limitRead` does. */
export function limitDownload(path: string, from: string | null, services: Limiting): void {
  if (from === null) return;
  const { count, seconds } = downloadQuota;
  const waitSeconds = services.limits.local.take([{ key: `${path} ${blockOf(from)}`, count, seconds }]);
  if (waitSeconds === 0) return;
  auditLimit(path, from, services);
  throw toRateLimited(waitSeconds);
}

type Limiting = Pick<Services, 'limits' | 'audit'>;

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
