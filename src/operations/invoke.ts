import { Failure } from '../model/failure.ts';
import { type Answer, answerTo, toAnswer } from './answers.ts';
import type { Call } from './call.ts';
import { mutate } from './mutate.ts';
import type { Operation, Read } from './operation.ts';
import type { IssuedToken, Services } from './ports.ts';
import { limitRead } from './quotas.ts';

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
    admit(operation, call);
    return toAnswer(operation, await mutate(operation, call, services), services);
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
    admit(operation, call);
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

/** What a call is admitted by. */
type Admission = Omit<Call, 'input'>;

/** Throws `UNAUTHORIZED` if the operation requires a token and the caller has none, or the failure of a quota charged before. */
function admit({ access }: Operation, { caller, quotaFailure }: Admission): void {
  if (access === 'bearer' && caller.kind === 'anonymous') throw new Failure('UNAUTHORIZED');
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
  { reads, now }: Services,
): void => reads.add(token, { operation, item, surface, client, readAt: now() });

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
