import { Failure } from '../model/failure.ts';
import type { IssuedToken } from '../model/token.ts';
import { type Answer, answerTo, toAnswer } from './answers.ts';
import type { Call } from './call.ts';
import { checkInput } from './input.ts';
import { mutate } from './mutate.ts';
import { refusalFor, scopeOf } from './oauth.ts';
import { isOffered } from './offered.ts';
import type { Operation, Own, Read } from './operation.ts';
import type { Services } from './ports.ts';
import { limitOwn, limitRead } from './quotas.ts';

/**
 * Runs an operation: admit, limit, check, handle, strip, record. Every call goes through here or, if it repeats a read, through
 * `invokeRead`. Throws `Failure` and nothing else.
 */
export async function invoke(operation: Operation, call: Call, services: Services): Promise<Answer> {
  if (operation.kind === 'read')
    return invokeRead(operation, call, services, () => answerTo(operation, call.input(), services.edition(), services));
  const startedAt = performance.now();
  let failure: Failure | undefined;
  try {
    admit(operation, call, services);
    const run = operation.kind === 'own' ? runOwn(operation, call, services) : mutate(operation, call, services);
    return toAnswer(operation, await run, services);
  } catch (error) {
    failure = toFailure(error);
    throw failure;
  } finally {
    record(operation, call, startedAt, failure, services);
  }
}

/** Runs a read as `invoke` does, but at once, because a read waits for nothing. `answer` returns what is answered if the call is admitted. */
export function invokeRead(operation: Read, call: Admission, services: Services, answer: () => Answer): Answer {
  const startedAt = performance.now();
  let failure: Failure | undefined;
  try {
    admit(operation, call, services);
    const { caller, quotaFailure = limitRead(operation.name, caller, services) } = call;
    if (quotaFailure !== null) throw quotaFailure;
    const given = answer();
    if (caller.token !== null) recordRead(operation, call, caller.token, given, services);
    return given;
  } catch (error) {
    failure = toFailure(error);
    throw failure;
  } finally {
    record(operation, call, startedAt, failure, services);
  }
}

/** Runs an operation on what is kept of the caller's token, and charges it as a read and to its own quotas. Throws `UNAUTHORIZED` to the owner, who has none. */
async function runOwn(operation: Own, { caller, input }: Call, services: Services): Promise<unknown> {
  if (caller.token === null) throw new Failure('UNAUTHORIZED');
  const refusal = limitOwn(operation, caller, services);
  if (refusal !== null) throw refusal;
  return await operation.handle(checkInput(operation, await input()), services, caller.token);
}

/** What a call is admitted by. */
type Admission = Omit<Call, 'input'>;

/**
 * Throws `NOT_FOUND` if the profile does not offer the operation, `UNAUTHORIZED` if it requires a token and the caller has none,
 * `FORBIDDEN` if the token lacks the scope, or the failure of a quota charged before.
 */
function admit(operation: Operation, { caller, quotaFailure }: Admission, services: Services): void {
  if (!isOffered(operation, services)) throw new Failure('NOT_FOUND');
  if (operation.access === 'bearer' && caller.kind === 'anonymous') throw new Failure('UNAUTHORIZED');
  const refusal = operation.access === 'bearer' && caller.token ? refusalFor(caller.token, scopeOf(operation)) : null;
  if (refusal !== null) throw refusal;
  if (quotaFailure) throw quotaFailure;
}

const toFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure('INTERNAL_ERROR', undefined, { cause: error });

/** Adds a read to the reader's record, also if the client is only told that it has the answer already. */
const recordRead = (
  { name: operation }: Read,
  { surface, caller: { client } }: Admission,
  token: IssuedToken,
  { item }: Answer,
  { reads }: Services,
): void => reads.add(token, { operation, item, surface, client });

function record(
  { name }: Operation,
  { surface, caller }: Admission,
  startedAt: number,
  failure: Failure | undefined,
  services: Services,
): void {
  services.record({
    operation: name,
    surface,
    caller: caller.token?.jti ?? caller.kind,
    code: failure?.code ?? 'OK',
    milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
    ...(caller.requestId === null ? {} : { request: caller.requestId }),
    ...(failure?.cause === undefined ? {} : { cause: failure.cause }),
  });
}
