import { z } from 'zod';
import { Failure, type FailureCode, failures } from '../../model/failure.ts';
import { toRateLimited } from '../../model/quota.ts';
import type { Scope } from '../../model/token.ts';
import { missingScopeMessage } from '../../operations/invoke.ts';

/** The error body of the specification. */
export const FailureBody = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'Machine-readable error code' }),
      message: z.string().meta({ description: 'Human-readable explanation' }),
    }),
  })
  .meta({ id: 'Error' });

/** A failure as documents show it; a caller that is over a limit is told for how long, and a client which scope it lacks. */
export function exampleOf(code: FailureCode): Failure {
  if (code === 'RATE_LIMITED') return toRateLimited(30);
  return code === 'FORBIDDEN' ? new Failure(code, missingScopeMessage('contact:write')) : new Failure(code);
}

const headers = {
  ETag: { description: 'Names this answer: send it in If-None-Match', schema: { type: 'string' } },
  'Retry-After': { description: 'The seconds after which the same call may succeed', schema: { type: 'integer' } },
  'WWW-Authenticate': {
    description: 'The scheme, and the error if a token was sent',
    schema: { type: 'string' },
  },
};

/** Refers to a header of the components. */
export const headerOf = (name: keyof typeof headers) => ({ [name]: { $ref: `#/components/headers/${name}` } });

const parameters = {
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

/** Refers to a parameter of the components. */
export const parameterOf = (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` });

/** The JSON content of an error. */
const errorContent = (example: Failure) => ({
  'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: example.body },
});

/** Such as `NotFound`. */
const componentName = (code: FailureCode): string =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Refers to the response of a failure in the components, under its status. */
export const responseOf = (code: FailureCode) => ({
  [failures[code].status]: { $ref: `#/components/responses/${componentName(code)}` },
});

/** The failures that operations refer to. */
const shared = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_MISMATCH',
  'RATE_LIMITED',
  'UNAVAILABLE',
] as const satisfies readonly FailureCode[];

const responses = {
  ...Object.fromEntries(
    shared.map((code) => [
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

/** Returns what operations refer to; the flow of OAuth only if the authorization server is on. */
export const componentsOf = (baseUrl: string, hasOauth: boolean) => ({
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
  headers,
  parameters,
  responses: Object.fromEntries(
    Object.entries(responses).filter(([name]) => hasOauth || name !== componentName('FORBIDDEN')),
  ),
});
