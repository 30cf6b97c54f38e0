import { z } from 'zod';
import { BoundedMap } from '../model/bounded-map.ts';
import { Failure } from '../model/failure.ts';
import type { CallRecord } from '../model/log-entry.ts';
import { type IssuedToken, type Scope, scopes } from '../model/token.ts';
import type { Call } from './call.ts';
import { isOffered, type Mutation, type Operation, type Read, scopeOf } from './operation.ts';
import type { Edition, Services } from './ports.ts';
import { auditingLimit, chargeRead, chargesOf, limitCall, limitRead } from './quotas.ts';

type Admission = Omit<Call, 'input'>;

/** Runs an operation: admit, limit, check, handle, strip, record. Throws only `Failure`. */
export async function invoke(operation: Operation, call: Call, services: Services): Promise<Answer> {
  if (operation.kind === 'read')
    return invokeRead(operation, call, services, () =>
      answerTo(operation, call.input(), services.edition(call.caller.token), services),
    );
  const startedAt = performance.now();
  let failure: Failure | undefined;
  try {
    admit(operation, call, services);
    return toAnswer(operation, await run(operation, call, services), services);
  } catch (error) {
    failure = toFailure(error);
    throw failure;
  } finally {
    services.record(recordOf(operation.name, call, failure ?? succeeded, startedAt));
  }
}

/** Runs a read as `invoke` does, but synchronously. `answer` is called once the call is admitted. */
export function invokeRead(operation: Read, call: Admission, services: Services, answer: () => Answer): Answer {
  const startedAt = performance.now();
  let failure: Failure | undefined;
  try {
    admit(operation, call, services);
    const { quotaFailure = limitRead(operation.name, call.caller, services) } = call;
    if (quotaFailure !== null) throw quotaFailure;
    const given = answer();
    // Also for a client that has the answer already (304).
    addRead(operation.name, given.item, call, services);
    return given;
  } catch (error) {
    failure = toFailure(error);
    throw failure;
  } finally {
    services.record(recordOf(operation.name, call, failure ?? succeeded, startedAt));
  }
}

/** Runs a search, which is recorded without its input, or an operation on the record of the token, which the owner lacks. */
async function run(operation: Exclude<Operation, Read>, call: Call, services: Services): Promise<unknown> {
  if (operation.kind === 'mutation') return mutate(operation, call, services);
  const { caller } = call;
  if (operation.kind === 'own' && caller.token === null) throw new Failure('UNAUTHORIZED');
  const refusal = limitCall(operation, caller, services, call.quotaFailure);
  if (refusal !== null) throw refusal;
  const input = await readInput(operation, call, services);
  if (operation.kind === 'own') return operation.handle(input, services, caller.token!);
  const result = await operation.handle(input, services.edition(caller.token));
  addRead(operation.name, null, call, services);
  return result;
}

function addRead(
  operation: string,
  item: string | null,
  { surface, caller: { token, client }, isRecorded = true }: Admission,
  { reads }: Services,
): void {
  if (token !== null && isRecorded) reads.add(token, { operation, item, surface, client });
}

/** Runs a mutation. The store counts the call with what it stores; refused input counts, too, a repeat as a read. */
async function mutate(operation: Mutation, call: Call, services: Services): Promise<unknown> {
  const { caller, surface } = call;
  const { store, now } = services;
  const at = now();
  // A caller without a token, and an operation that accepts no key, ignore one.
  const usesKey = operation.acceptsIdempotencyKey && caller.token !== null;
  const idempotencyKey = usesKey ? (call.idempotencyKey ?? null) : null;
  const charges = chargesOf(operation, caller, services);
  return auditingLimit(operation.name, caller.address, services, async () => {
    // Before the key: a request that used up a quota stored its key with it, so a repeat that races it finds the key.
    const exceeded = await store.quotas.check(charges, at).then(
      () => null,
      (error: unknown) => error,
    );
    const isRepeat = idempotencyKey !== null && (await store.contacts.hasKey(caller.token!, idempotencyKey, at));
    const refusal = isRepeat ? chargeRead(caller, services) : null;
    if (refusal !== null) throw refusal;
    if (!isRepeat && exceeded !== null) throw exceeded;
    const input = await readInput(operation, call, services, idempotencyKey).catch(async (error: unknown) => {
      if (!isRepeat) await store.quotas.take(charges, now());
      throw error;
    });
    return await operation.handle(input, services, { caller, surface, idempotencyKey, isRepeat, charges });
  });
}

/** Reads the input, then admits the call again: a body may take 20 s, in which its token or link can end. */
async function readInput(
  operation: Exclude<Operation, Read>,
  call: Call,
  services: Services,
  key: string | null = null,
) {
  if (key !== null && !/^[!-~]{1,255}$/.test(key))
    throw new Failure('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  const given = await call.input();
  const { token } = call.caller;
  if (operation.access === 'bearer' && token !== null && !services.tokens.isValid(token))
    throw new Failure('UNAUTHORIZED');
  admit(operation, call, services);
  return checkInput(operation, given);
}

/** Throws if the profile lacks the operation, the caller the token, the token the scope, or if a quota was used up. */
function admit(operation: Operation, { caller, quotaFailure }: Admission, services: Services): void {
  if (!isOffered(operation, caller.token, services)) throw new Failure('NOT_FOUND');
  if (operation.access === 'bearer' && caller.kind === 'anonymous') throw new Failure('UNAUTHORIZED');
  const refusal = operation.access === 'bearer' && caller.token ? refusalFor(caller.token, scopeOf(operation)) : null;
  if (refusal !== null) throw refusal;
  if (quotaFailure) throw quotaFailure;
}

/** Returns `FORBIDDEN`, with the scopes to ask for, if a token lacks a scope; otherwise null. */
export function refusalFor({ access }: IssuedToken, needed: Scope): Failure | null {
  if (access === undefined || access.scopes.includes(needed)) return null;
  // With the scopes that it has: a client that asks only for the missing scope would lose the others.
  const neededScopes = scopes.filter((scope) => scope === needed || access.scopes.includes(scope));
  return new Failure('FORBIDDEN', missingScopeMessage(needed), { neededScopes });
}

export const missingScopeMessage = (needed: Scope): string => `This token does not have the scope ${needed}.`;

/** Makes the record of a call that began at `startedAt`, as of `performance.now()`. */
export const recordOf = (
  operation: string,
  { surface, caller: { token, kind, requestId } }: Pick<Call, 'surface' | 'caller'>,
  { code, cause }: { readonly code: string; readonly cause?: unknown },
  startedAt: number,
): CallRecord => ({
  operation,
  surface,
  caller: token?.jti ?? kind,
  code,
  milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
  ...(requestId !== null && { request: requestId }),
  ...(cause !== undefined && { cause }),
});

const succeeded = { code: 'OK' };

const toFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure('INTERNAL_ERROR', undefined, { cause: error });

/** The outcome of a successful call: the data, its JSON in both layouts, and a strong entity tag of the compact one. */
export interface Answer {
  /** `Read.item` of the input; null for all other kinds. */
  readonly item: string | null;
  readonly data: unknown;
  readonly compact: string;
  readonly pretty: string;
  readonly etag: string;
}

// A read depends only on the edition and the input, so its answer is cached as long as the edition is in use.
const answers = new WeakMap<Edition, BoundedMap<string, Answer>>();

// More than a profile has entries: only a read of free text reaches the limit, and then drops the oldest answer.
const answersPerEdition = 1_000;

/** Returns the answer to a read of an edition, computed once for each input. Throws `BAD_REQUEST` for invalid input. */
export function answerTo(operation: Read, given: unknown, edition: Edition, services: Pick<Services, 'hash'>): Answer {
  const input = checkInput(operation, given);
  const ofEdition = answers.get(edition) ?? new BoundedMap<string, Answer>(answersPerEdition);
  answers.set(edition, ofEdition);
  const key = `${operation.name} ${JSON.stringify(input)}`;
  const known = ofEdition.get(key);
  if (known) return known;
  const answer = toAnswer(operation, operation.handle(input, edition), services, operation.item?.(input));
  ofEdition.set(key, answer);
  return answer;
}

/** Strips from a result the fields that the output schema does not name, and serializes it. */
function toAnswer(
  { output }: Operation,
  result: unknown,
  { hash }: Pick<Services, 'hash'>,
  item: string | null = null,
): Answer {
  const data = output.parse(result);
  const compact = JSON.stringify(data);
  return { item, data, compact, pretty: JSON.stringify(data, null, 2), etag: toEtag(hash(compact)) };
}

/** Converts the hash of a content to a strong entity tag (RFC 9110, section 8.8.3). */
export const toEtag = (hash: string): string => `"${hash.slice(0, 22)}"`;

/** Parses the input of an operation; null counts as absent. Throws `BAD_REQUEST` with the first error. */
export function checkInput({ input }: { readonly input: z.ZodObject }, given: unknown): Record<string, unknown> {
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== null);
  const result = input.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new Failure('BAD_REQUEST', `${path.join('.')} ${message}`);
}

/** Converts texts of a query string or command line to an input. A field given twice stays a list, which no schema accepts. */
export function toInput(schema: z.ZodObject, valuesOf: (field: string) => readonly string[]): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [field, fieldSchema] of Object.entries(schema.shape)) {
    const values = valuesOf(field);
    if (values.length > 1) input[field] = values;
    else input[field] = isBoolean(fieldSchema) ? toBoolean(values[0]) : values[0];
  }
  return input;
}

const isBoolean = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodBoolean || (schema instanceof z.ZodOptional && isBoolean(schema.unwrap()));

const toBoolean = (text: string | undefined): unknown => (text === 'true' ? true : text === 'false' ? false : text);
