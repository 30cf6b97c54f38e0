import { toCanonicalAddress } from '../model/email-address.ts';
import { Failure } from '../model/failure.ts';
import { blockOf } from '../model/network-block.ts';
import type { Quota } from '../model/quota.ts';
import type { Caller } from './call.ts';
import type { Mutation } from './operation.ts';
import type { AuditEntry, QuotaCharge, Services } from './ports.ts';

/** The quota of all reads together. */
export const readQuota: Quota = { per: 'token', count: 120, seconds: 60 };

/** The quota of downloads of the resume PDF, which need no token. */
export const downloadQuota: Quota = { per: 'block', count: 60, seconds: 60 };

/**
 * Charges a call to its quotas, all of them or none. A mutation repeated with its idempotency key stores nothing and counts as a
 * read. Throws `RATE_LIMITED` with the seconds until the quotas allow the call; the owner has no limit.
 */
export async function limit(operation: Mutation, caller: Caller, isRepeat: boolean, services: Services): Promise<void> {
  if (isRepeat) return limitRead(operation.name, caller, services);
  if (caller.kind === 'owner') return;
  const charges = operation.quotas.flatMap(({ per, count, seconds }): QuotaCharge[] => {
    const holder = holderOf(caller, per);
    return holder === null ? [] : [{ key: `${operation.name} ${per} ${holder}`, count, seconds }];
  });
  if (charges.length === 0) return;
  const waitSeconds = await services.limits.shared.take(charges);
  if (waitSeconds > 0) throw refuse(waitSeconds, { operation: operation.name, from: caller.address }, services);
}

/** Charges a read to the token's quota; the audit log has it under the operation's name. Throws `RATE_LIMITED` as `limit` does. */
export function limitRead(operation: string, { token, address }: Caller, services: Limiting): void {
  if (token === null) return;
  const { count, seconds } = readQuota;
  const waitSeconds = services.limits.local.take([{ key: `read token ${token.jti}`, count, seconds }]);
  if (waitSeconds > 0) throw refuse(waitSeconds, { operation, from: address }, services);
}

/** Charges a download to the network block; `from` is the network address, null if unknown. Throws `RATE_LIMITED` as `limit` does. */
export function limitDownload(path: string, from: string | null, services: Limiting): void {
  if (from === null) return;
  const { count, seconds } = downloadQuota;
  const waitSeconds = services.limits.local.take([{ key: `${path} ${blockOf(from)}`, count, seconds }]);
  if (waitSeconds > 0) throw refuse(waitSeconds, { operation: path, from }, services);
}

type Limiting = Pick<Services, 'limits' | 'audit'>;

/** Audits that a quota is used up and returns the failure. */
function refuse(
  waitSeconds: number,
  entry: Pick<AuditEntry, 'operation' | 'from'>,
  { audit }: Pick<Services, 'audit'>,
): Failure {
  audit({ event: 'limit_hit', ...entry });
  return new Failure('RATE_LIMITED', `Too many requests. Try again in ${waitSeconds} seconds.`, {
    retryAfterSeconds: waitSeconds,
  });
}

/** Returns whose quota a call uses: a `jti`, a canonical address or a network block; null if the caller has none. */
function holderOf({ token, address }: Caller, per: Quota['per']): string | null {
  if (per === 'token') return token?.jti ?? null;
  if (per === 'subject') return token && toCanonicalAddress(token.subject);
  if (per === 'block') return address === null ? null : blockOf(address);
  return '';
}
