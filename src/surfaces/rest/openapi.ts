import { z } from 'zod';
import { Failure, type FailureCode, failures } from '../../model/failure.ts';
import { toRateLimited } from '../../model/quota.ts';
import type { Scope } from '../../model/token.ts';
import { missingScopeMessage } from '../../operations/invoke.ts';
import { type Operation, scopeOf } from '../../operations/operation.ts';
import type { Example, Examples, OperationExamples } from '../examples.ts';
import { type JsonSchema, toJsonSchema } from '../json-schema.ts';

/** The version label of the interface (specification, Versioning). */
const interfaceVersion = '1.0.0';

/** The title and description of each kind of operation, in the order of documents. */
export const kinds: Readonly<Record<Operation['kind'], { readonly title: string; readonly description: string }>> = {
  read: { title: 'Read', description: 'What the profile says. These calls change nothing.' },
  search: { title: 'Search', description: 'What of the profile touches a text, which is not kept.' },
  mutation: { title: 'Write', description: 'Access, and messages to the candidate.' },
  own: { title: 'Your record', description: 'What was read with your token, as the candidate sees it.' },
};

const description =
  'A professional profile as a service. Get a token at `POST /auth/token`, then send it as a bearer token. The examples are of a sample profile.';

const recordDescription =
  ' What is read with a token is recorded for the candidate to see, with the time and the name of the client: `GET /me` shows the record, `DELETE /me` erases it.';

export type OpenApi = ReturnType<typeof toOpenApi>;

/** Returns the OpenAPI 3.1 description; `isRecorded` is whether the reads of visitors are recorded. */
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
    const { status = 200, path, alias } = rest;
    const { calls, refusals } = examples.get(operation.name)!;
    const isRead = kind === 'read';
    const isOpen = operation.access === 'open';
    const hasBody = rest.method === 'POST';
    const acceptsKey = kind === 'mutation' && operation.acceptsIdempotencyKey === true;
    const parameters = [
      ...(hasBody ? [] : parametersOf(operation, calls)),
      ...(isRead ? [parameterOf('IfNoneMatch')] : []),
      ...(acceptsKey ? [parameterOf('IdempotencyKey')] : []),
    ];
    const body = (schema: JsonSchema, toValue: (example: Example) => unknown) => {
      const named = calls.map((one) => [calls.length === 1 ? 'example' : nameOf(one), { value: toValue(one) }]);
      return { content: { 'application/json': { schema, examples: Object.fromEntries(named) } } };
    };
    const isPossible: Partial<Record<FailureCode, boolean>> = {
      UNAUTHORIZED: !isOpen,
      FORBIDDEN: !isOpen && hasOauth,
      NOT_FOUND: path.includes('{'),
      PAYLOAD_TOO_LARGE: hasBody,
      UNSUPPORTED_MEDIA_TYPE: hasBody,
      IDEMPOTENCY_MISMATCH: acceptsKey,
      RATE_LIMITED: true,
      UNAVAILABLE: kind === 'mutation' || kind === 'own',
    };
    const responses = {
      [status]: {
        description: operation.title,
        ...(isRead && { headers: headerOf('ETag') }),
        ...(status !== 204 && body(published(operation.output, 'output'), ({ data }) => data)),
      },
      ...(isRead && { 304: { description: 'Unchanged since the ETag given in If-None-Match' } }),
      ...(Object.keys(input.shape).length > 0 && !path.includes('{') && { 400: badRequest(refusals) }),
      ...Object.assign({}, ...sharedFailures.filter((code) => isPossible[code]).map(responseOf)),
      default: { $ref: '#/components/responses/OtherError' },
    };
    return {
      operationId: operation.name,
      tags: [kinds[kind].title],
      summary: operation.title,
      description: alias === undefined ? operation.summary : `${operation.summary} Also answers at \`${alias}\`.`,
      ...(isOpen && { security: [] }),
      ...(!isOpen && hasOauth && { security: [{ bearer: [] }, { oauth2: [scopeOf(operation)] }] }),
      ...(parameters.length > 0 && { parameters }),
      ...(hasBody && {
        requestBody: { required: true, ...body(published(input, 'body'), (example) => example.input) },
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

/** The response to wrong input: an example for each way to be wrong, since only the field differs in messages. */
function badRequest(refusals: readonly Failure[]) {
  const ways = Map.groupBy(refusals, ({ message }) => message.replace(/^\w+ /, ''));
  const examples = [...ways].map(([way, [first]]) => [way.replace(/\W+/g, '_'), { value: first!.body }]);
  return {
    description: 'BAD_REQUEST',
    content: { 'application/json': { schema: errorSchema, examples: Object.fromEntries(examples) } },
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

const FailureBody = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'Machine-readable error code' }),
      message: z.string().meta({ description: 'Human-readable explanation' }),
    }),
  })
  .meta({ id: 'Error' });

/** A failure as documents show it, with a time to wait if it is about a limit, or the scope that a client lacks. */
export function exampleOf(code: FailureCode): Failure {
  if (code === 'RATE_LIMITED') return toRateLimited(30);
  return code === 'FORBIDDEN' ? new Failure(code, missingScopeMessage('contact:write')) : new Failure(code);
}

const sharedHeaders = {
  ETag: { description: 'Names this answer: send it in If-None-Match', schema: { type: 'string' } },
  'Retry-After': { description: 'The seconds after which the same call may succeed', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The scheme, and the error if a token was sent', schema: { type: 'string' } },
};

const headerOf = (name: keyof typeof sharedHeaders) => ({ [name]: { $ref: `#/components/headers/${name}` } });

const sharedParameters = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of an answer that the client has, or `*` for any: if it has not changed, the answer is 304, without a body.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key of your choice, such as a UUID: the same request sent again with it within 24 hours is answered as the first was, and leaves nothing behind again.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
};

const parameterOf = (name: keyof typeof sharedParameters) => ({ $ref: `#/components/parameters/${name}` });

const errorSchema = { $ref: '#/components/schemas/Error' };

const errorContent = (example: Failure) => ({ 'application/json': { schema: errorSchema, example: example.body } });

/** Returns a name such as `NotFound`. */
const componentName = (code: FailureCode): string =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const responseOf = (code: FailureCode) => ({
  [failures[code].status]: { $ref: `#/components/responses/${componentName(code)}` },
});

const sharedFailures = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_MISMATCH',
  'RATE_LIMITED',
  'UNAVAILABLE',
] as const satisfies readonly FailureCode[];

const sharedResponses = {
  ...Object.fromEntries(
    sharedFailures.map((code) => [
      componentName(code),
      {
        description: code,
        ...((code === 'UNAUTHORIZED' || code === 'FORBIDDEN') && { headers: headerOf('WWW-Authenticate') }),
        ...((code === 'RATE_LIMITED' || code === 'UNAVAILABLE') && { headers: headerOf('Retry-After') }),
        content: errorContent(exampleOf(code)),
      },
    ]),
  ),
  OtherError: { description: 'Any other error', content: errorContent(exampleOf('INTERNAL_ERROR')) },
};

const scopes: Record<Scope, string> = {
  'profile:read': 'Read the profile',
  'contact:write': 'Send messages in the name of the visitor',
};

/** Returns the components that operations refer to; the flow of OAuth only if the authorization server is on. */
const componentsOf = (baseUrl: string, hasOauth: boolean) => ({
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    ...(hasOauth && {
      oauth2: {
        type: 'oauth2',
        description: 'The code flow with PKCE (S256), for public clients that register themselves or have a document.',
        flows: {
          authorizationCode: {
            authorizationUrl: `${baseUrl}/oauth/authorize`,
            tokenUrl: `${baseUrl}/oauth/token`,
            refreshUrl: `${baseUrl}/oauth/token`,
            scopes,
          },
        },
      },
    }),
  },
  headers: sharedHeaders,
  parameters: sharedParameters,
  responses: Object.fromEntries(
    Object.entries(sharedResponses).filter(([name]) => hasOauth || name !== componentName('FORBIDDEN')),
  ),
});
