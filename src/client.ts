import type { z } from 'zod';
import { Failure, type FailureCode, failures } from './model/failure.ts';
import { operations } from './operations/index.ts';
import type { Operation } from './operations/operation.ts';

export { Failure };

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type Arguments<Input> =
  Record<never, never> extends Input ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions];

type Catalogue = (typeof operations)[number];

/** One method per operation, named in camelCase: `list_experience` is `listExperience({ current: true })`. */
export type Client = {
  [Each in Catalogue as CamelCase<Each['name']>]: (
    ...input: Arguments<z.input<Each['input']>>
  ) => Promise<z.output<Each['output']>>;
};

// The code below is also in the client that a service offers, after the types of its operations (surfaces/web/docs/client.ts).

/** Options of a call. A call repeated with its `idempotencyKey` stores nothing again if the operation accepts one. */
export interface CallOptions {
  readonly idempotencyKey?: string;
}

/** The service and the token to call it with; `fetch` is the platform's by default. */
export interface Remote {
  readonly baseUrl: string;
  readonly token?: string | undefined;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Creates a typed client of a service; its methods throw `Failure` with the service's code, message and `Retry-After`. */
export const createClient = (remote: Remote): Client =>
  Object.fromEntries(
    operations.map((operation) => [
      operation.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      (input: Record<string, unknown> = {}, options?: CallOptions) => callRemote(operation, input, remote, options),
    ]),
  ) as unknown as Client;

/** Calls an operation over REST and returns its data. Throws `Failure`, `UNAVAILABLE` if the service can't be reached. */
export async function callRemote(
  operation: Operation,
  input: Record<string, unknown>,
  remote: Remote,
  options: CallOptions = {},
): Promise<unknown> {
  const response = await send(toRequest(operation, input, remote, options), remote);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const { error } = (body ?? {}) as { error?: { code?: string; message?: string } };
  const code = error?.code !== undefined && error.code in failures ? (error.code as FailureCode) : 'INTERNAL_ERROR';
  const retryAfter = response.headers.get('retry-after');
  throw new Failure(code, error?.message ?? `The service answered with status ${response.status}.`, {
    ...(retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) }),
  });
}

async function send(request: Request, { fetch = globalThis.fetch }: Remote): Promise<Response> {
  try {
    return await fetch(request);
  } catch (cause) {
    throw new Failure('UNAVAILABLE', 'The service cannot be reached.', { cause });
  }
}

function toRequest(
  { rest }: Operation,
  input: Record<string, unknown>,
  { baseUrl, token }: Remote,
  { idempotencyKey }: CallOptions,
): Request {
  const remaining = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
  const path = rest.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = remaining.get(name);
    if (value === undefined) throw new Failure('BAD_REQUEST', `${name} is required`);
    // Empty and dot segments would change the path; ids are never like that.
    if (/^\.*$/.test(String(value))) throw new Failure('NOT_FOUND');
    remaining.delete(name);
    return encodeURIComponent(String(value));
  });
  const url = new URL(baseUrl.replace(/(?<!\/)\/+$/, '') + path);
  const headers = new Headers({ accept: 'application/json' });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (rest.method !== 'POST') {
    for (const [name, value] of remaining) url.searchParams.set(name, String(value));
    return new Request(url, { method: rest.method, headers });
  }
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  headers.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(Object.fromEntries(remaining)) });
}
