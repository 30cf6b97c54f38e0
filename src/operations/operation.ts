import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { Failure } from '../model/failure.ts';
import type { Edition, IssuedToken, Services } from './services.ts';

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
  handle(input: z.output<Input>, services: Services, caller: Caller): Promise<z.input<Output>>;
}

/** A verb of the service as one plain object; every surface is a function over the list of them. */
export type Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> = Read<Name, Input, Output> | Mutation<Name, Input, Output>;

/** Types an operation, and nothing else. */
export const operation = <const Name extends string, Input extends z.ZodObject, Output extends z.ZodType>(
  definition: Operation<Name, Input, Output>,
) => definition;

/** Who calls; `token` is set for a visitor, `address` is the network address, null where there is none. */
export interface Caller {
  readonly kind: 'visitor' | 'owner' | 'anonymous';
  readonly token: IssuedToken | null;
  readonly address: string | null;
}

/** The owner on their own machine: no token is asked for. */
export const owner: Caller = { kind: 'owner', token: null, address: null };

/** One call of an operation; `input` is read only once the caller is admitted. */
export interface Call {
  readonly surface: string;
  readonly caller: Caller;
  readonly input: () => unknown;
}

/** What a call answers: the data, its JSON compact and pretty-printed, and a strong entity tag of the compact form. */
export interface Answer {
  readonly data: unknown;
  readonly compact: string;
  readonly pretty: string;
  readonly etag: string;
}

/** Throws `UNAUTHORIZED` where the operation wants a token and the caller has none. */
export function admit({ access }: Operation, caller: Caller): void {
  if (access === 'bearer' && caller.kind === 'anonymous') throw new Failure('UNAUTHORIZED');
}

/** Runs an operation, the one way to do it: admit, check, handle, strip, record. Throws `Failure` and nothing else. */
export async function invoke(operation: Operation, call: Call, services: Services): Promise<Answer> {
  const startedAt = performance.now();
  let failure: Failure | undefined;
  try {
    admit(operation, call.caller);
    const input = check(operation, await call.input());
    return operation.kind === 'read'
      ? remembered(operation, input, services.edition())
      : toAnswer(operation, await operation.handle(input, services, call.caller));
  } catch (error) {
    failure = error instanceof Failure ? error : new Failure('INTERNAL_ERROR', undefined, { cause: error });
    throw failure;
  } finally {
    services.record({
      operation: operation.name,
      surface: call.surface,
      caller: call.caller.token?.jti ?? call.caller.kind,
      code: failure?.code ?? 'OK',
      milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
      ...(failure?.cause === undefined ? {} : { cause: failure.cause }),
    });
  }
}

/** The input as the operation wants it; null counts as absent. Throws `BAD_REQUEST` with the first fault. */
function check({ input }: Operation, given: unknown): Record<string, unknown> {
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== null);
  const result = input.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new Failure('BAD_REQUEST', `${path.join('.')} ${message}`);
}

// Reads depend on the edition alone, so each answer is made once an edition and goes with it.
const answers = new WeakMap<Edition, Map<string, Answer>>();

function remembered(operation: Extract<Operation, { kind: 'read' }>, input: Record<string, unknown>, edition: Edition) {
  const ofEdition = answers.get(edition) ?? new Map<string, Answer>();
  if (ofEdition.size === 0) answers.set(edition, ofEdition);
  const key = `${operation.name} ${JSON.stringify(input)}`;
  const known = ofEdition.get(key);
  if (known) return known;
  const answer = toAnswer(operation, operation.handle(input, edition));
  ofEdition.set(key, answer);
  return answer;
}

/** Lets out only what the output schema names. */
function toAnswer({ output }: Operation, result: unknown): Answer {
  const data = output.parse(result);
  const compact = JSON.stringify(data);
  return { data, compact, pretty: JSON.stringify(data, null, 2), etag: etagOf(compact) };
}

/** A strong entity tag of a content (RFC 9110, section 8.8.3). */
export const etagOf = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
