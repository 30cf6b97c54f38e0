import { toCanonicalAddress } from '../model/email-address.ts';
import { Failure } from '../model/failure.ts';
import { blockOf } from '../model/network-block.ts';
import type { Quota } from '../model/quota.ts';
import type { Caller } from './call.ts';
import type { Operation } from './operation.ts';
import type { AuditEntry, QuotaCharge, Services } from './ports.ts';

/** That of all reads together. */
export const readQuota: Quota = { per: 'token', count: 120, seconds: 60 };

/** That of downloads of the resume PDF, for which no token is asked. */
export const downloadQuota: Quota = { per: 'block', count: 60, seconds: 60 };

/**
 * Counts a call against its quotas, all of them or none. A repeated mutation, called again under its idempotency key, leaves nothing
 * behind and counts as a read. Throws `RATE_LIMITED` with the seconds until there is room; the owner has no limit.
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
    const who = whoOf(caller, per);
    return who === null ? [] : [{ key: `${operation.name} ${per} ${who}`, count, seconds }];
  });
  if (charges.length === 0) return;
  await take(charges, 'shared', { operation: operation.name, from: caller.address }, services);
}

/** Counts a read of a token, under the operation's name in the audit log. Throws `RATE_LIMITED` as `limit` does. */
export async function limitRead(operation: string, { token, address }: Caller, services: Limiting): Promise<void> {
  if (token === null) return;
  const { count, seconds } = readQuota;
  await take([{ key: `read token ${token.jti}`, count, seconds }], 'local', { operation, from: address }, services);
}

/** Counts a download of a file; `from` is the network address, null if there is none. Throws `RATE_LIMITED` as `limit` does. */
export async function limitDownload(path: string, from: string | null, services: Limiting): Promise<void> {
  if (from === null) return;
  const { count, seconds } = downloadQuota;
  await take([{ key: `${path} ${blockOf(from)}`, count, seconds }], 'local', { operation: path, from }, services);
}

type Limiting = Pick<Services, 'limits' | 'audit'>;

async function take(
  charges: readonly QuotaCharge[],
  where: keyof Services['limits'],
  asked: Pick<AuditEntry, 'operation' | 'from'>,
  { limits, audit }: Limiting,
): Promise<void> {
  const waitSeconds = await limits[where].take(charges);
  if (waitSeconds === 0) return;
  audit({ event: 'limit_hit', ...asked });
  throw new Failure('RATE_LIMITED', `Too many requests. Try again in ${waitSeconds} seconds.`, {
    retryAfterSeconds: waitSeconds,
  });
}

/** Who has used a quota by this call; null if the caller has none of the kind. */
function whoOf({ token, address }: Caller, per: Quota['per']): string | null {
  if (per === 'token') return token?.jti ?? null;
  if (per === 'subject') return token && toCanonicalAddress(token.subject);
  if (per === 'block') return address === null ? null : blockOf(address);
  return '';
}
