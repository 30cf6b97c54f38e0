import { Failure } from '../model/failure.ts';
import { byAddress } from '../model/visitor.ts';
import type { Caller } from '../operations/call.ts';
import { invoke } from '../operations/invoke.ts';
import type { Operation } from '../operations/operation.ts';
import type { Services } from '../operations/ports.ts';
import { inlined, type JsonSchema, toJsonSchema } from './json-schema.ts';

export interface Example {
  readonly input: Readonly<Record<string, unknown>>;
  /** The answer's data; undefined if the answer has no body. */
  readonly data: unknown;
}

/** The answers of an operation, the most telling call first. */
export interface OperationExamples {
  readonly calls: readonly Example[];
  /** The failures of wrong input and of unknown ids, each message once. */
  readonly refusals: readonly Failure[];
}

export type Examples = ReadonlyMap<string, OperationExamples>;

export const exampleVisitor: Caller = {
  kind: 'visitor',
  token: {
    jti: 'example',
    subject: byAddress('ada@example.com'),
    issuedAt: new Date('2026-01-01T00:00:00Z'),
    expiresAt: new Date('2026-01-31T00:00:00Z'),
  },
  address: null,
  requestId: null,
  client: 'curl/8.14.1',
};

/** Makes the example calls of each operation. `sample` are services over the sample profile, which store nothing. */
export async function examplesOf(operations: readonly Operation[], sample: Services): Promise<Examples> {
  const examples = new Map<string, OperationExamples>();
  for (const operation of operations) {
    const fields = fieldsOf(operation, examples.get(listOf(operation, operations)?.name ?? ''));
    const calls: Example[] = [];
    for (const input of inputsOf(fields)) {
      const data = await ask(operation, input, sample);
      if (!(data instanceof Failure)) calls.push({ input, data: operation.rest.status === 204 ? undefined : data });
    }
    const refusals: Failure[] = [];
    for (const input of wrongInputsOf(operation, fields)) {
      const refusal = await ask(operation, input, sample);
      const isNew = refusal instanceof Failure && refusals.every(({ message }) => message !== refusal.message);
      if (isNew) refusals.push(refusal);
    }
    examples.set(operation.name, { calls, refusals });
  }
  return examples;
}

/** Returns the operation that lists the ids which an operation takes in its path: the one at the path above. */
export const listOf = ({ rest: { path } }: Operation, operations: readonly Operation[]): Operation | undefined =>
  path.endsWith('}')
    ? operations.find(({ rest }) => rest.method === 'GET' && rest.path === path.slice(0, path.lastIndexOf('/')))
    : undefined;

async function ask(operation: Operation, input: object, sample: Services): Promise<unknown> {
  try {
    const call = { surface: 'rest', caller: exampleVisitor, input: () => input };
    return (await invoke(operation, call, sample)).data;
  } catch (error) {
    if (error instanceof Failure && error.code !== 'INTERNAL_ERROR') return error;
    throw error;
  }
}

/** A field of an input, with the values that calls show; `undefined` leaves it out. */
interface Field {
  readonly name: string;
  readonly values: readonly unknown[];
  readonly isRequired: boolean;
  readonly maxLength: number | undefined;
}

function fieldsOf({ input }: Operation, list: OperationExamples | undefined): readonly Field[] {
  const { properties = {}, required = [] } = inlined(toJsonSchema(input, 'body'));
  const [listed] = [list?.calls[0]?.data].flat() as ({ id?: unknown } | undefined)[];
  return Object.entries(properties).map(([name, property]) => {
    const schema = property as JsonSchema;
    const isRequired = required.includes(name);
    const others = valuesOf(schema).filter((value) => value !== schema.default);
    const values = isRequired
      ? [listed?.id ?? others[0] ?? 'text']
      : // The default is what a call without the field shows.
        schema.default === undefined
        ? [...others, undefined]
        : [undefined, ...others];
    return { name, values, isRequired, maxLength: schema.maxLength };
  });
}

const valuesOf = ({ type, enum: values, examples = [] }: JsonSchema): readonly unknown[] =>
  values ?? (type === 'boolean' ? [true, false] : (examples as readonly unknown[]));

/** One input for each value of a field, with the first values of the others. */
function inputsOf(fields: readonly Field[]): readonly Record<string, unknown>[] {
  const first = fields.map(({ name, values }) => [name, values[0]] as const);
  const varied = fields.flatMap(({ name, values }) =>
    values.slice(1).map((value) => [...first, [name, value] as const]),
  );
  return [first, ...varied].map((entries) => withoutUndefined(Object.fromEntries(entries)));
}

function wrongInputsOf({ rest }: Operation, fields: readonly Field[]): readonly Record<string, unknown>[] {
  const [valid = {}] = inputsOf(fields);
  return fields.flatMap(({ name, isRequired, maxLength }) => {
    if (rest.method === 'GET') return [{ ...valid, [name]: 'other' }];
    const missing = isRequired ? [undefined] : [];
    const long = maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)];
    return [...missing, 17, 'other', ...long, '\0'].map((value) => withoutUndefined({ ...valid, [name]: value }));
  });
}

const withoutUndefined = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
