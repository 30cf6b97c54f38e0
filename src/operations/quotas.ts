import { Failure } from '../model/failure.ts';
import { blockOf } from '../model/network-block.ts';
import type { Quota } from '../model/quota.ts';
import type { Caller, Operation } from './operation.ts';
import type { Counted, Services } from './services.ts';

/** That of all reads together. */
export const readQuota: Quota = { per: 'token', count: 120, seconds: 60 };

/**
 * Counts a call against its quotas, all of them or none. A mutation called `again` under its idempotency key leaves nothing
 * behind and counts as a read. Throws `RATE_LIMITED` with the seconds until there is room; the owner has no limit.
 */
export async function limit(operation: Operation, caller: Caller, isAgain: boolean, services: Services): Promise<void> {
  if (caller.kind === 'owner') return;
  const isRead = operation.kind === 'read' || isAgain;
  const quotas = isRead ? [readQuota] : operation.quotas;
  const counted = quotas.flatMap(({ per, count, seconds }): Counted[] => {
    const who = whoOf(caller, per);
    return who === null ? [] : [{ key: `${isRead ? 'read' : operation.name} ${per} ${who}`, count, seconds }];
  });
  if (counted.length === 0) return;
  const limits = isRead ? services.limits.here : services.limits.everywhere;
  const waitSeconds = await limits.take(counted);
  if (waitSeconds === 0) return;
  services.audit({ event: 'limit_hit', operation: operation.name, from: caller.address });
  throw new Failure('RATE_LIMITED', `Too many requests. Try again in ${waitSeconds} seconds.`, {
    retryAfterSeconds: waitSeconds,
  });
}

/** Who has used a quota by this call; null where there is nobody to tell. */
function whoOf({ token, address }: Caller, per: Quota['per']): string | null {
  if (per === 'token') return token?.jti ?? null;
  if (per === 'subject') return token?.subject ?? null;
  if (per === 'block') return address === null ? null : blockOf(address);
  return '';
}
