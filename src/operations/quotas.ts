import { toCanonicalAddress } from '../model/email-address.ts';
import { Failure } from '../model/failure.ts';
import { blockOf } from '../model/network-block.ts';
import type { Quota } from '../model/quota.ts';
import type { Caller } from './call.ts';
import type { Operation } from './operation.ts';
import type { AuditEntry, QuotaCharge, Services } from './ports.ts';

/** The quota of all reads together. */
export const readQuota: Quota = { per: 'token', count: 120, seconds: 60 };

/** The quota of downloads of the resume PDF, which need no token. */
export const downloadQuota: Quota = { per: 'block', count: 60, seconds: 60 };

/**
 * Charges a call to its quotas, all of them or none. A mutation repeated with its idempotency key stores nothing and counts as a
 * read. Throws `RATE_LIMITED` with the seconds until the quotas allow the call; the owner has no limit.
 */
export async function limit(
  operation: Operation,
  caller: Caller,
  isRepeat: boolean,
  services: Services,
): Promise<void> {
  if (operation.kind === 'read' || isRepeat) return await limitRead(operation.name, caller, services);
  if (caller.kind === 'owner') return;
  const charges = operation.quotas.flatMap(({ per, count, seconds }): QuotaCharge[] => {
    const holder = holderOf(caller, per);
    return holder === null ? [] : [{ key: `${operation.name} ${per} ${holder}`, count, seconds }];
  });
  if (charges.length === 0) return;
  await take(charges, 'shared', { operation: operation.name, from: caller.address }, services);
}

/** Charges a read to the token's quota; the audit log has it under the operation's name. Throws `RATE_LIMITED` as `limit` does. */
export async function limitRead(operation: string, { token, address }: Caller, services: Limiting): Promise<void> {
  if (token === null) return;
  const { count, seconds } = readQuota;
  await take([{ key: `read token ${token.jti}`, count, seconds }], 'local', { operation, from: address }, services);
}

/** Charges a download to the network block; `from` is the network address, null if unknown. Throws `RATE_LIMITED` as `limit` does. */
export async function limitDownload(path: string, from: string | null, services: Limiting): Promise<void> {
  if (from === null) return;
  const { count, seconds } = downloadQuota;
  await take([{ key: `${path} ${blockOf(from)}`, count, seconds }], 'local', { operation: path, from }, services);
}

type Limiting = Pick<Services, 'limits' | 'audit'>;

async function take(
  charges: readonly QuotaCharge[],
  scope: keyof Services['limits'],
  entry: Pick<AuditEntry, 'operation' | 'from'>,
  { limits, audit }: Limiting,
): Promise<void> {
  const waitSeconds = await limits[scope].take(charges);
  if (waitSeconds === 0) return;
  audit({ event: 'limit_hit', ...entry });
  throw new Failure('RATE_LIMITED', `Too many requests. Try again in ${waitSeconds} seconds.`, {
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
