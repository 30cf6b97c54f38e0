import { Failure } from '../model/failure.ts';
import type { Call } from './call.ts';
import { checkInput, checkKey } from './input.ts';
import type { Mutation } from './operation.ts';
import type { Services } from './ports.ts';
import { auditLimit, chargeRead, chargesOf } from './quotas.ts';

/**
 * Runs a mutation: refuses it if a quota is used up, reads its input, then handles it. The store counts the call in the
 * transaction of what the call stores. Refused input counts, too; a repeat of a stored request counts as a read.
 */
export async function mutate(operation: Mutation, call: Call, services: Services): Promise<unknown> {
  const { caller } = call;
  const { store, now } = services;
  const idempotencyKey = keyOf(operation, call);
  const charges = chargesOf(operation, caller, services);
  try {
    // Before the key: a request that has used up a quota has stored its key with it, so a repeat that races it finds the key.
    const exceeded = await store.quotas.check(charges, now()).then(
      () => null,
      (error: unknown) => error,
    );
    const isRepeat =
      idempotencyKey !== null && (await store.contacts.hasKey(caller.token!.subject, idempotencyKey, now()));
    const refusal = isRepeat ? chargeRead(caller, services) : null;
    if (refusal !== null) throw refusal;
    if (!isRepeat && exceeded !== null) throw exceeded;
    const input = await readInput(operation, call, idempotencyKey).catch(async (error: unknown) => {
      if (!isRepeat) await store.quotas.take(charges, now());
      throw error;
    });
    return await operation.handle(input, services, { caller, idempotencyKey, isRepeat, charges });
  } catch (error) {
    if (error instanceof Failure && error.code === 'RATE_LIMITED') auditLimit(operation.name, caller.address, services);
    throw error;
  }
}

/** Returns the idempotency key, unchecked; null if none was given, or the operation or a caller without a token can use none. */
const keyOf = ({ acceptsIdempotencyKey }: Mutation, { caller, idempotencyKey = null }: Call): string | null =>
  acceptsIdempotencyKey && caller.token !== null ? idempotencyKey : null;

async function readInput(operation: Mutation, call: Call, key: string | null): Promise<Record<string, unknown>> {
  if (key !== null) checkKey(key);
  return checkInput(operation, await call.input());
}
