import { Failure } from '../model/failure.ts';
import { type Answer, answerOf, toAnswer } from './answers.ts';
import type { Call, Caller } from './call.ts';
import { checkInput } from './input.ts';
import { mutate } from './mutate.ts';
import type { Operation } from './operation.ts';
import type { Services } from './ports.ts';
import { limit } from './quotas.ts';

/** Throws `UNAUTHORIZED` if the operation requires a token and the caller has none. */
function admit({ access }: Operation, caller: Caller): void {
  if (access === 'bearer' && caller.kind === 'anonymous') throw new Failure('UNAUTHORIZED');
}

/** Runs an operation: admit, limit, check, handle, strip, record. Every call goes through here. Throws `Failure` and nothing else. */
export async function invoke(operation: Operation, call: Call, services: Services): Promise<Answer> {
  const startedAt = performance.now();
  const { caller, surface } = call;
  let failure: Failure | undefined;
  try {
    admit(operation, caller);
    if (call.quotaFailure) throw call.quotaFailure;
    if (operation.kind === 'read') {
      if (call.quotaFailure === undefined) await limit(operation, caller, false, services);
      return answerOf(operation, checkInput(operation, await call.input()), services.edition(), services);
    }
    return toAnswer(operation, await mutate(operation, call, services), services);
  } catch (error) {
    failure = error instanceof Failure ? error : new Failure('INTERNAL_ERROR', undefined, { cause: error });
    throw failure;
  } finally {
    services.record({
      operation: operation.name,
      surface,
      caller: caller.token?.jti ?? caller.kind,
      code: failure?.code ?? 'OK',
      milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
      ...(caller.requestId === null ? {} : { request: caller.requestId }),
      ...(failure?.cause === undefined ? {} : { cause: failure.cause }),
    });
  }
}
