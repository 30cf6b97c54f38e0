import { z } from 'zod';
import { BoundedMap } from '../model/bounded-map.ts';
import { Failure } from '../model/failure.ts';
import { type IssuedToken, type Scope, scopes } from '../model/token.ts';
import type { Call } from './call.ts';
import { isOffered, type Mutation, type Operation, type Own, type Read, type Search, scopeOf } from './operation.ts';
import type { Edition, Services } from './ports.ts';
import { auditLimit, chargeRead, chargesOf, limitOwn, limitRead, limitSearch } from './quotas.ts';

/** A call without its input. */
type Admission = Omit<Call, 'input'>;

/**
 * Runs an operation: admit, limit, check, handle, strip, record. Every call goes through here or, if it repeats a read,
 * through `invokeRead`. Throws only `Failure`.
 */
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
    record(operation, call, startedAt, failure, services);
  }
}

/** Runs a read as `invoke` does, but synchronously. `answer` is called once the call is admitted. */
export function invokeRead(operation: Read, call: Admission, services: Services, answer: () => Answer): Answer {
  const startedAt = performance.now();
  let failure: Failure | undefined;
  try {
    admit(operation, call, services);
    const { surface, caller, isRecorded = true } = call;
    const { quotaFailure = limitRead(operation.name, caller, services) } = call;
    if (quotaFailure !== null) throw quotaFailure;
    const given = answer();
    const { token, client } = caller;
    // Also for a client that has the answer already (304).
    if (token !== null && isRecorded)
      services.reads.add(token, { operation: operation.name, item: given.item, surface, client });
    return given;
  } catch (error) {
    failure = toFailure(error);
    throw failure;
  } finally {
    record(operation, call, startedAt, failure, services);
  }
}

function run(operation: Exclude<Operation, Read>, call: Call, services: Services): Promise<unknown> {
  if (operation.kind === 'search') return search(operation, call, services);
  return operation.kind === 'own' ? runOwn(operation, call, services) : mutate(operation, call, services);
}

/** Runs a search in the edition of when its input has arrived. The record has that it was asked, and not its input. */
async function search(operation: Search, call: Call, services: Services): Promise<unknown> {
  const { surface, caller, isRecorded = true } = call;
  const refusal = limitSearch(operation, caller, services, call.quotaFailure);
  if (refusal !== null) throw refusal;
  const input = await readInput(operation, call, services);
  const result = await operation.handle(input, services.edition(caller.token));
  const { token, client } = caller;
  if (token !== null && isRecorded)
    services.reads.add(token, { operation: operation.name, item: null, surface, client });
  return result;
}

/** Runs an operation on the record of the caller's token. Throws `UNAUTHORIZED` to the owner, who has no token. */
async function runOwn(operation: Own, call: Call, services: Services): Promise<unknown> {
  const { caller } = call;
  if (caller.token === null) throw new Failure('UNAUTHORIZED');
  const refusal = limitOwn(operation, caller, services);
  if (refusal !== null) throw refusal;
  return await operation.handle(await readInput(operation, call, services), services, caller.token);
}

/**
 * Runs a mutation: refuses it if a quota is used up, reads its input, then handles it. The store counts the call in the
 * transaction of what the call stores. Refused input counts, too; a repeat of a stored request counts as a read.
 */
async function mutate(operation: Mutation, call: Call, services: Services): Promise<unknown> {
  const { caller, surface } = call;
  const { store, now } = services;
  const at = now();
  // A caller without a token, and an operation that accepts no key, ignore one.
  const usesKey = operation.acceptsIdempotencyKey && caller.token !== null;
  const idempotencyKey = usesKey ? (call.idempotencyKey ?? null) : null;
  const charges = chargesOf(operation, caller, services);
  try {
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
  } catch (error) {
    if (error instanceof Failure && error.code === 'RATE_LIMITED') auditLimit(operation.name, caller.address, services);
    throw error;
  }
}

/**
 * Reads the input of an admitted call, and admits the call again: a body may take 20 s to arrive, in which its token, or
 * the link that it was opened by, can end.
 */
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

/**
 * Throws `NOT_FOUND` if the profile does not offer the operation, `UNAUTHORIZED` if it needs a token and the caller has
 * none, `FORBIDDEN` if the token lacks the scope, or the failure of a quota charged before.
 */
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
  // With the scopes that it has: a client that asks for the missing one alone would lose them.
  const neededScopes = scopes.filter((scope) => scope === needed || access.scopes.includes(scope));
  return new Failure('FORBIDDEN', missingScopeMessage(needed), { neededScopes });
}

/** The message to a token that lacks a scope. */
export const missingScopeMessage = (needed: Scope): string => `This token does not have the scope ${needed}.`;

const toFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure('INTERNAL_ERROR', undefined, { cause: error });

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

/** The outcome of a successful call: the data, its JSON in both layouts, and a strong entity tag of the compact one. */
export interface Answer {
  /** `Read.item` of the input; null for all other kinds. */
  readonly item: string | null;
  readonly data: unknown;
  readonly compact: string;
  readonly pretty: string;
  readonly etag: string;
}

// A read depends on the edition and the input alone, so its answer is cached as long as the edition is in use.
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

/**
 * Converts the texts of a query string or command line to an operation's input. `valuesOf` looks up a field of the
 * schema by name. A field given several times stays a list, which no schema accepts.
 */
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
