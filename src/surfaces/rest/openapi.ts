import type { z } from 'zod';
import type { Failure } from '../../model/failure.ts';
import { type Operation, scopeOf } from '../../operations/operation.ts';
import type { Example, Examples, OperationExamples } from '../examples.ts';
import { type JsonSchema, toJsonSchema } from '../json-schema.ts';
import { componentsOf, FailureBody, headerOf, parameterOf, responseOf } from './openapi-components.ts';

/** The version label of the interface (specification, Versioning). */
const interfaceVersion = '1.0.0';

/** What each kind of operation is called, in the order of documents. */
export const kinds: Readonly<Record<Operation['kind'], { readonly title: string; readonly description: string }>> = {
  read: { title: 'Read', description: 'What the profile says. These calls change nothing.' },
  mutation: { title: 'Write', description: 'Access, and messages to the candidate.' },
  own: { title: 'Your record', description: 'What was read with your token, as the candidate sees it.' },
};

const description =
  'A professional profile as a service. Get a token at `POST /auth/token`, then send it as a bearer token. The examples are of a sample profile.';

const recordDescription =
  ' What is read with a token is recorded for the candidate to see, with the time and the name of the client: `GET /me` shows the record, `DELETE /me` erases it.';

export type OpenApi = ReturnType<typeof toOpenApi>;

/**
 * Returns the OpenAPI 3.1 description of the REST surface; `isRecorded` is whether it is recorded what visitors read, `hasOauth`
 * whether the authorization server is on.
 */
export function toOpenApi(
  operations: readonly Operation[],
  baseUrl: string,
  examples: Examples,
  { isRecorded = true, hasOauth = true } = {},
) {
  const schemas: Record<string, JsonSchema> = {};
  /** The JSON Schema of a schema, its `$defs` moved to the components. */
  const published = (schema: z.ZodType, use: 'body' | 'output'): JsonSchema => {
    const text = JSON.stringify(toJsonSchema(schema, use)).replaceAll('#/$defs/', '#/components/schemas/');
    const { $defs = {}, ...rest } = JSON.parse(text) as JsonSchema;
    Object.assign(schemas, $defs);
    return rest;
  };
  published(FailureBody, 'output');

  const describe = (operation: Operation) => {
    const { rest, input, kind } = operation;
    const { calls, refusals } = examples.get(operation.name)!;
    const isRead = kind === 'read';
    const hasInput = Object.keys(input.shape).length > 0;
    const hasBody = rest.method === 'POST';
    const named = (toValue: (example: Example) => unknown) =>
      Object.fromEntries(
        calls.map((example) => [calls.length === 1 ? 'example' : nameOf(example), { value: toValue(example) }]),
      );
    const parameters = [
      ...(hasBody ? [] : parametersOf(operation, calls)),
      ...(isRead ? [parameterOf('IfNoneMatch')] : []),
      ...(kind === 'mutation' && operation.acceptsIdempotencyKey ? [parameterOf('IdempotencyKey')] : []),
    ];
    const status = rest.status ?? 200;
    const responses = {
      [status]: {
        description: operation.title,
        ...(isRead && { headers: headerOf('ETag') }),
        ...(status !== 204 && {
          content: {
            'application/json': {
              schema: published(operation.output, 'output'),
              examples: named(({ data }) => data),
            },
          },
        }),
      },
      ...(isRead && { 304: { description: 'Unchanged since the ETag given in If-None-Match' } }),
      ...(hasInput && !rest.path.includes('{') && { 400: badRequest(refusals) }),
      ...(operation.access === 'bearer' && responseOf('UNAUTHORIZED')),
      ...(operation.access === 'bearer' && hasOauth && responseOf('FORBIDDEN')),
      ...(rest.path.includes('{') && responseOf('NOT_FOUND')),
      ...(hasBody && { ...responseOf('PAYLOAD_TOO_LARGE'), ...responseOf('UNSUPPORTED_MEDIA_TYPE') }),
      ...(kind === 'mutation' && operation.acceptsIdempotencyKey && responseOf('IDEMPOTENCY_MISMATCH')),
      ...(!isRead && responseOf('UNAVAILABLE')),
      ...responseOf('RATE_LIMITED'),
      default: { $ref: '#/components/responses/OtherError' },
    };
    return {
      operationId: operation.name,
      tags: [kinds[kind].title],
      summary: operation.title,
      description:
        rest.alias === undefined ? operation.summary : `${operation.summary} Also answers at \`${rest.alias}\`.`,
      ...(operation.access === 'open' && { security: [] }),
      ...(operation.access === 'bearer' &&
        hasOauth && { security: [{ bearer: [] }, { oauth2: [scopeOf(operation)] }] }),
      ...(parameters.length > 0 && { parameters }),
      ...(hasBody && {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: published(input, 'body'), examples: named((example) => example.input) },
          },
        },
      }),
      responses,
    };
  };

  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { path, method } = operation.rest;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) };
  }
  const offered = Object.entries(kinds).filter(([kind]) => operations.some((operation) => operation.kind === kind));
  return {
    openapi: '3.1.1',
    info: {
      title: 'candidate-profile',
      version: interfaceVersion,
      description: isRecorded ? description + recordDescription : description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: offered.map(([, { title, description }]) => ({ name: title, description })),
    paths,
    components: { ...componentsOf(baseUrl, hasOauth), schemas },
  };
}

/** The name of one example of several: what the operation is called with, such as `current_true`. */
const nameOf = ({ input }: Example): string =>
  Object.entries(input)
    .map(([field, value]) => `${field}_${value}`)
    .join('_') || 'default';

/** The response to wrong input: an example for each way to be wrong, since messages differ in the field alone. */
function badRequest(refusals: readonly Failure[]) {
  const ways = Map.groupBy(refusals, ({ message }) => message.replace(/^\w+ /, ''));
  const examples = [...ways].map(([way, [first]]) => [way.replace(/\W+/g, '_'), { value: first!.body }]);
  return {
    description: 'BAD_REQUEST',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function parametersOf({ input, rest }: Operation, [call]: OperationExamples['calls']) {
  const { properties = {}, required = [] } = toJsonSchema(input, 'input');
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...published } = property as JsonSchema;
    // Said in full, because some languages write booleans in another way, such as True.
    const schema = published.type === 'boolean' ? { ...published, enum: [true, false] } : published;
    const example = call?.input[name];
    return {
      name,
      in: rest.path.includes(`{${name}}`) ? 'path' : 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...(example !== undefined && { example }),
    };
  });
}
