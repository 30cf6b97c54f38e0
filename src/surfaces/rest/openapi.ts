import { z } from 'zod';
import { failures } from '../../model/failure.ts';
import type { Operation } from '../../operations/operation.ts';
import { type JsonSchema, toJsonSchema } from '../json-schema.ts';

/** The version label of the interface (specification, Versioning). */
const interfaceVersion = '1.0.0';

const FailureBody = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'Machine-readable error code' }),
      message: z.string().meta({ description: 'Human-readable explanation' }),
    }),
  })
  .meta({ id: 'Error' });

/** Returns the OpenAPI 3.1 description of the REST surface. */
export function toOpenApi(operations: readonly Operation[], baseUrl: string) {
  const schemas: Record<string, JsonSchema> = {};
  /** The JSON Schema of a schema, its `$defs` moved to the components. */
  const published = (schema: z.ZodType, use: 'body' | 'output'): JsonSchema => {
    const text = JSON.stringify(toJsonSchema(schema, use)).replaceAll('#/$defs/', '#/components/schemas/');
    const { $defs = {}, ...rest } = JSON.parse(text) as JsonSchema;
    Object.assign(schemas, $defs);
    return rest;
  };
  const json = (schema: JsonSchema) => ({ 'application/json': { schema } });
  const failed = published(FailureBody, 'output');
  const failureOf = (code: keyof typeof failures) => ({
    [failures[code].status]: {
      description: code,
      content: json(failed),
      ...(code === 'UNAUTHORIZED' && { headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } }),
      ...((code === 'UNAVAILABLE' || code === 'RATE_LIMITED') && {
        headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' } },
      }),
    },
  });

  const describe = (operation: Operation) => {
    const { rest, input } = operation;
    const isRead = operation.kind === 'read';
    const hasInput = Object.keys(input.shape).length > 0;
    const responses = {
      [rest.status ?? 200]: {
        description: operation.title,
        content: json(published(operation.output, 'output')),
        ...(isRead && { headers: { ETag: { schema: { type: 'string' } } } }),
      },
      ...(isRead && { 304: { description: 'Unchanged since the ETag given in If-None-Match' } }),
      ...(hasInput && !rest.path.includes('{') && failureOf('BAD_REQUEST')),
      ...(operation.access === 'bearer' && failureOf('UNAUTHORIZED')),
      ...(rest.path.includes('{') && failureOf('NOT_FOUND')),
      ...(!isRead && {
        ...failureOf('PAYLOAD_TOO_LARGE'),
        ...failureOf('UNSUPPORTED_MEDIA_TYPE'),
        ...(operation.acceptsIdempotencyKey && failureOf('IDEMPOTENCY_MISMATCH')),
        ...failureOf('UNAVAILABLE'),
      }),
      ...failureOf('RATE_LIMITED'),
      default: { description: 'Any other error', content: json(failed) },
    };
    return {
      operationId: operation.name,
      summary: operation.title,
      description:
        rest.alias === undefined ? operation.summary : `${operation.summary} Also answers at \`${rest.alias}\`.`,
      ...(operation.access === 'open' && { security: [] }),
      ...(rest.method === 'GET' && hasInput && { parameters: parametersOf(operation) }),
      ...(!isRead && operation.acceptsIdempotencyKey && { parameters: [idempotencyKeyParameter] }),
      ...(rest.method === 'POST' && { requestBody: { required: true, content: json(published(input, 'body')) } }),
      responses,
    };
  };

  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { path, method } = operation.rest;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'candidate-profile',
      version: interfaceVersion,
      description:
        'A professional profile as a service. Get a token at `POST /auth/token`, then send it as a bearer token.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }, schemas },
  };
}

const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your choice, such as a UUID: the same request sent again with it within 24 hours is answered as the first was, and leaves nothing behind again.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

function parametersOf({ input, rest }: Operation) {
  const { properties = {}, required = [] } = toJsonSchema(input, 'input');
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    return {
      name,
      in: rest.path.includes(`{${name}}`) ? 'path' : 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema,
    };
  });
}
