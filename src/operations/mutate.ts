import type { Call } from './call.ts';
import { checkInput, checkKey } from './input.ts';
import { keyLocks } from './key-lock.ts';
import type { Mutation } from './operation.ts';
import type { Services, Store } from './ports.ts';
import { limit } from './quotas.ts';

/** Runs a mutation: charges its quotas, then reads its input, then handles it. */
export function mutate(operation: Mutation, call: Call, services: Services): Promise<unknown> {
  const { caller, idempotencyKey = null } = call;
  if (operation.acceptsIdempotencyKey && caller.token !== null && idempotencyKey !== null)
    return mutateWithKey(operation, call, { subject: caller.token.subject, key: idempotencyKey }, services);
  return mutateWithoutKey(operation, call, services);
}

async function mutateWithoutKey(operation: Mutation, call: Call, services: Services): Promise<unknown> {
  const { caller } = call;
  await limit(operation, caller, false, services);
  const input = checkInput(operation, await call.input());
  return operation.handle(input, services, { caller, idempotencyKey: null });
}

/** Charges and handles calls with the same key one at a time; the lock isn't held while the input arrives. */
async function mutateWithKey(
  operation: Mutation,
  call: Call,
  { subject, key }: { subject: string; key: string },
  services: Services,
): Promise<unknown> {
  const { caller } = call;
  const { withKeyLock, unusedCharges } = keysOf(services.store);
  const name = `${subject} ${key}`;
  const isStored = () => services.store.hasKey(subject, key, services.now());

  await withKeyLock(name, async () => {
    const isRepeat = unusedCharges.has(name) || (await isStored());
    await limit(operation, caller, isRepeat, services);
    if (!isRepeat) unusedCharges.set(name, call);
  });
  try {
    checkKey(key);
    const input = checkInput(operation, await call.input());
    return await withKeyLock(name, async () => {
      const isCharged = unusedCharges.delete(name) || (await isStored());
      if (!isCharged) await limit(operation, caller, false, services);
      return operation.handle(input, services, { caller, idempotencyKey: key });
    });
  } finally {
    if (unusedCharges.get(name) === call) unusedCharges.delete(name);
  }
}

/** The state of keys in flight; `unusedCharges` has the call that was charged for a key until one is handled. */
const openKeys = () => ({ withKeyLock: keyLocks(), unusedCharges: new Map<string, Call>() });

const keys = new WeakMap<Store, ReturnType<typeof openKeys>>();

function keysOf(store: Store) {
  const known = keys.get(store) ?? openKeys();
  keys.set(store, known);
  return known;
}
