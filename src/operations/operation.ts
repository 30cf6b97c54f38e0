import type { z } from 'zod';
import { Failure } from '../model/failure.ts';
import type { Quota } from '../model/quota.ts';
import { type Answer, remembered, toAnswer } from './answers.ts';
import { checkInput } from './input.ts';
import { mutate } from './mutate.ts';
import type { Edition, IssuedToken, Services } from './ports.ts';
import { limit } from './quotas.ts';

interface Offered<Name extends string, Input extends z.ZodObject, Output extends z.ZodType> {
  /** Operation id, MCP tool, command-line and log name: published, never renamed. */
  readonly name: Name;
  readonly title: string;
  /** One sentence for people. */
  readonly summary: string;
  /** For agents: when to use it, what it returns, where ids come from. A constant, never profile text. */
  readonly description: string;
  readonly access: 'bearer' | 'open';
  readonly rest: { method: 'GET' | 'POST'; path: string; alias?: string; status?: number };
  /** MCP resources that show the answer to a fixed input. */
  readonly resources?: readonly { path: string; title: string; description: string; input?: z.input<Input> }[];
  readonly input: Input;
  readonly output: Output;
}

/** An operation that changes nothing: a pure function of its input and the edition. */
export interface Read<Name extends string, Input extends z.ZodObject, Output extends z.ZodType>
  extends Offered<Name, Input, Output> {
  readonly kind: 'read';
  handle(input: z.output<Input>, edition: Edition): z.input<Output>;
}

/** An operation that leaves something behind. */
export interface Mutation<Name extends string, Input extends z.ZodObject, Output extends z.ZodType>
  extends Offered<Name, Input, Output> {
  readonly kind: 'mutation';
  readonly quotas: readonly Quota[];
  /** Whether a caller may give a key under which the same call leaves something behind only once. */
  readonly acceptsIdempotencyKey?: true;
  handle(input: z.output<Input>, services: Services, call: CallContext): Promise<z.input<Output>>;
}

/** A verb of the service as one plain object; every surface is a function over the list of them. */
export type Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> = Read<Name, Input, Output> | Mutation<Name, Input, Output>;

/** An operation of which only the kind is known. */
export type Mutating = Extract<Operation, { kind: 'mutation' }>;

/** Types an operation, and nothing else. */
export const operation = <const Name extends string, Input extends z.ZodObject, Output extends z.ZodType>(
  definition: Operation<Name, Input, Output>,
) => definition;

/** Who calls; `token` is set for a visitor, `address` is the network address and `requestId` its HTTP request, null if there is none. */
export interface Caller {
  readonly kind: 'visitor' | 'owner' | 'anonymous';
  readonly token: IssuedToken | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** The owner on their own machine: no token is asked for. */
export const owner: Caller = { kind: 'owner', token: null, address: null, requestId: null };

/** One call of an operation; `input` is read only once the caller is admitted. */
export interface Call {
  readonly surface: string;
  readonly caller: Caller;
  readonly input: () => unknown;
  /** As the caller gave it, unchecked; null or absent if none was given. */
  readonly idempotencyKey?: string | null;
  /** Set if the surface has counted the call as a read: null, or the failure if the quota was used up. */
  readonly counted?: Failure | null;
}

/** A call on its way to be handled; the key is well-formed, null if none was given. */
export interface CallContext {
  readonly caller: Caller;
  readonly idempotencyKey: string | null;
}

/** Throws `UNAUTHORIZED` if the operation wants a token and the caller has none. */
function admit({ access }: Operation, caller: Caller): void {
  if (access === 'bearer' && caller.kind === 'anonymous') throw new Failure('UNAUTHORIZED');
}

/** Runs an operation, the one way to do it: admit, limit, check, handle, strip, record. Throws `Failure` and nothing else. */
export async function invoke(operation: Operation, call: Call, services: Services): Promise<Answer> {
  const startedAt = performance.now();
  const { caller, surface } = call;
  let failure: Failure | undefined;
  try {
    admit(operation, caller);
    if (call.counted) throw call.counted;
    if (operation.kind === 'read') {
      if (call.counted === undefined) await limit(operation, caller, false, services);
      return remembered(operation, checkInput(operation, await call.input()), services);
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
