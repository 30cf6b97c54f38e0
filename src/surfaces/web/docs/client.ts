import { html } from 'hono/html';
import { failures } from '../../../model/failure.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { JsonSchema } from '../../json-schema.ts';
import type { OpenApi } from '../../rest/openapi.ts';
import type { Html } from '../page.ts';
import { typesCommands } from '../visitor/connections.ts';
import { anchored, codeBlock, type Reference, section } from './frame.ts';

/** Shows `/docs/client`: how to get the types or the typed client, then a program that uses the client, part by part. */
export const clientPage = ({ clientExample, site }: Reference): Html => html`${section(
  'types',
  html`<h1>TypeScript</h1>
<p>Two ways to the same types: from the OpenAPI document, with packages that many services are called with, or the client of this
service, one file that needs nothing else.</p>
${anchored(2, 'types', 'Types from OpenAPI')}
<p>The <a href="${site.path('/docs')}">examples of the reference</a> use openapi-fetch. These commands install it and write the types
to <code>profile.ts</code>, once for all examples. Save an example beside it, as <code>example.mts</code>: Node.js 24 runs it as it is.</p>`,
  html`<p class="status"><b>In your project</b></p>
${codeBlock('types-code', typesCommands(site.baseUrl))}
<p class="status"><b>Then</b></p>
${codeBlock('types-run', 'node example.mts')}`,
)}
${section(
  'get',
  html`${anchored(2, 'get', 'The client of this service')}
<p><a href="${site.path('/docs/client.ts')}">client.ts</a> has one method for each operation, with the types of its input and answer. This
service makes it from the list of operations that it answers itself. It imports nothing, and runs in Node.js, Deno, Bun and browsers. As <code>client.mts</code>, Node.js takes it for a module in any project.</p>`,
  html`<p class="status"><b>In your project</b></p>
${codeBlock('get-code', `curl -fsS ${site.baseUrl}/docs/client.ts -o client.mts`)}`,
)}
${partsOf(clientExample).map(({ id, title, prose, code }) =>
  section(
    id,
    html`${anchored(2, id, title)}
<p>${prose}</p>`,
    codeBlock(
      `${id}-code`,
      code.replace('candidate-profile/client', './client.mts').replace('https://profile.example.org', site.baseUrl),
    ),
  ),
)}`;

/** The parts of a program: each begins with a comment that has a title and, on the lines below, what is to be said. */
function partsOf(program: string) {
  return program.split(/^\/\/ # /m).flatMap((part) => {
    const [, title, comment = '', code = ''] = /^([^\n]+)\n((?:\/\/ [^\n]*\n)*)(.*)$/s.exec(part) ?? [];
    if (title === undefined) return [];
    const prose = comment.replaceAll('// ', '').replaceAll('\n', ' ').trim();
    return [{ id: title.toLowerCase().replaceAll(/\W+/g, '-'), title, prose, code: code.trim() }];
  });
}

interface Described {
  readonly parameters?: readonly { name?: string; required?: boolean; description?: string; schema?: JsonSchema }[];
  readonly requestBody?: { readonly content: Media };
  readonly responses: Readonly<Record<string, { readonly content?: Media }>>;
}

type Media = Readonly<Record<'application/json', { readonly schema: JsonSchema }>>;

/** Returns a client as one file of TypeScript that imports nothing: a method for each operation, with the types of the OpenAPI document. */
export function clientFile(operations: readonly Operation[], { paths, components }: OpenApi, baseUrl: string): string {
  // The body of errors is read by the client itself, and has the name of a class of JavaScript.
  const schemas = Object.entries<JsonSchema>(components.schemas).filter(([name]) => name !== 'Error');
  return `// The client of ${baseUrl} for TypeScript, made by that service from its operations: ${baseUrl}/docs/client
// It imports nothing, and runs in Node.js, Deno, Bun and browsers.

${schemas.map(([name, schema]) => `export interface ${name} ${typeOf(schema, '')}`).join('\n\n')}

/** Options of a call; with an \`idempotencyKey\`, a repeated call of an operation that accepts one stores nothing again. */
export interface CallOptions {
  readonly idempotencyKey?: string;
}

/** One method for each operation; each throws \`Failure\`. */
export interface Client {
${operations.map((operation) => methodOf(operation, paths)).join('\n')}
}

const operations: Readonly<Record<keyof Client, readonly [method: string, path: string]>> = {
${operations.map(({ name, rest }) => `  ${toCamelCase(name)}: ['${rest.method}', '${rest.path}'],`).join('\n')}
};

export type FailureCode =
${Object.keys(failures)
  .map((code) => `  | '${code}'`)
  .join('\n')};

${runtime}`;
}

const toCamelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function methodOf({ name, summary, rest, ...operation }: Operation, paths: OpenApi['paths']): string {
  const { parameters = [], requestBody, responses } = paths[rest.path]![rest.method.toLowerCase()] as Described;
  const fields = parameters.flatMap(({ name, schema, required = false, description }) =>
    name === undefined || schema === undefined ? [] : [{ name, schema, isRequired: required, description }],
  );
  const isOptional = requestBody === undefined && fields.every(({ isRequired }) => !isRequired);
  const input =
    requestBody === undefined
      ? membersOf(fields, '  ', ' | undefined')
      : typeOf(requestBody.content['application/json'].schema, '');
  const hasInput = requestBody !== undefined || fields.length > 0;
  const takesKey = operation.kind === 'mutation' && operation.acceptsIdempotencyKey;
  const args = [
    ...(hasInput ? [`input${isOptional ? '?' : ''}: ${input}`] : []),
    ...(takesKey ? ['options?: CallOptions'] : []),
  ];
  const answer = responses[rest.status ?? 200]?.content?.['application/json'].schema;
  return `  /** ${summary} */\n  ${toCamelCase(name)}(${args.join(', ')}): Promise<${answer === undefined ? 'null' : typeOf(answer, '  ')}>;`;
}

interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

/** `absent` is added to the types of optional members that callers give. */
function membersOf(members: readonly Member[], indent: string, absent = ''): string {
  const lines = members.map(
    ({ name, schema, isRequired, description }) =>
      `${description === undefined ? '' : `${indent}  /** ${description.replaceAll('*/', '* /')} */\n`}${indent}  ${name}${
        isRequired ? '' : '?'
      }: ${typeOf(schema, `${indent}  `)}${isRequired ? '' : absent};\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

function typeOf(schema: JsonSchema, indent: string): string {
  const { $ref, anyOf, const: value, enum: values, type, items, properties, required = [] } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if (anyOf !== undefined) return (anyOf as JsonSchema[]).map((one) => typeOf(one, indent)).join(' | ');
  if (value !== undefined || values !== undefined)
    return (values ?? [value]).map((one) => JSON.stringify(one)).join(' | ');
  if (type === 'array') return `Array<${typeOf(items as JsonSchema, indent)}>`;
  if (type !== 'object') return [type].flat().join(' | ').replace('integer', 'number');
  const members = Object.entries(properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as JsonSchema;
    return { name, schema: rest, isRequired: required.includes(name), description };
  });
  return membersOf(members, indent);
}

/** The code that calls the service; the parity tests check that it answers as `src/client.ts` does. */
const runtime = `/** A call that was refused, or did not arrive: its \`code\` is then \`UNAVAILABLE\`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  /** The seconds after which the same call may succeed; null if it never will. */
  readonly retryAfterSeconds: number | null;

  constructor(code: FailureCode, status: number, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service and the token to call it with; \`fetch\` is the platform's by default. */
export interface Remote {
  readonly baseUrl: string;
  readonly token?: string | undefined;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Creates a client of a service. */
export const createClient = (remote: Remote): Client =>
  Object.fromEntries(
    Object.entries(operations).map(([name, [method, path]]) => [
      name,
      async (input: object = {}, options: CallOptions = {}) =>
        call(toRequest(method, path, input, remote, options), remote),
    ]),
  ) as unknown as Client;

async function call(request: Request, { fetch = globalThis.fetch }: Remote): Promise<unknown> {
  const response = await fetch(request).catch(() => {
    throw new Failure('UNAVAILABLE', 503, 'The service cannot be reached.', 5);
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const { error } = (body ?? {}) as { error?: { code: FailureCode; message: string } };
  const retryAfter = response.headers.get('retry-after');
  throw new Failure(
    error?.code ?? 'INTERNAL_ERROR',
    response.status,
    error?.message ?? \`The service answered with status \${response.status}.\`,
    retryAfter === null ? null : Number(retryAfter),
  );
}

function toRequest(method: string, path: string, input: object, remote: Remote, options: CallOptions): Request {
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
  const target = path.replace(/\\{(\\w+)\\}/g, (_, name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    if (value === undefined) throw new Failure('BAD_REQUEST', 400, \`\${name} is required\`);
    // Empty and dot segments would change the path; ids are never like that.
    if (/^\\.*$/.test(String(value))) throw new Failure('NOT_FOUND', 404, 'The requested resource could not be found.');
    return encodeURIComponent(String(value));
  });
  const url = new URL(remote.baseUrl.replace(/\\/$/, '') + target);
  const headers = new Headers({ accept: 'application/json' });
  if (remote.token !== undefined) headers.set('authorization', \`Bearer \${remote.token}\`);
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  if (method === 'POST') {
    headers.set('content-type', 'application/json');
    return new Request(url, { method, headers, body: JSON.stringify(Object.fromEntries(fields)) });
  }
  for (const [name, value] of fields) url.searchParams.set(name, String(value));
  return new Request(url, { method, headers });
}
`;
