import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import type { Operation } from '../../../operations/operation.ts';
import type { JsonSchema } from '../../json-schema.ts';
import type { OpenApi } from '../../rest/openapi.ts';
import type { Html } from '../page.ts';
import { typesCommands } from '../visitor/connections.ts';
import { type Field, fieldsIn } from './fields.ts';
import { anchored, caption, example, type Reference, section } from './frame.ts';

/** Shows `/docs/client`: how to get the types or the typed client, then a program that uses it, part by part. */
export const clientPage = ({ readClientExample, site }: Reference): Html => html`${section(
  'types',
  html`<h1>TypeScript</h1>
<p>Two ways to the same types: from the OpenAPI document, with packages that many services are called with, or the client of this
service, one file that needs nothing else.</p>
${anchored(2, 'types', 'Types from OpenAPI')}
<p>The <a href="${site.path('/docs')}">examples of the reference</a> use openapi-fetch. These commands install it and write the types
to <code>profile.ts</code>, once for all examples. Save an example beside it, as <code>example.mts</code>: Node.js 24 runs it as it is.</p>`,
  html`${caption('In your project')}
${example('types-code', typesCommands(site.baseUrl))}
${caption('Then')}
${example('types-run', 'node example.mts')}`,
)}
${section(
  'get',
  html`${anchored(2, 'get', 'The client of this service')}
<p><a href="${site.path('/docs/client.ts')}">client.ts</a> has one method for each operation, with the types of its input and answer. This
service makes it from the list of operations that it answers itself. It imports nothing, and runs in Node.js, Deno, Bun and browsers. As <code>client.mts</code>, Node.js takes it for a module in any project.</p>`,
  html`${caption('In your project')}
${example('get-code', `curl -fsS ${site.baseUrl}/docs/client.ts -o client.mts`)}`,
)}
${partsOf(readClientExample()).map(({ id, title, prose, code }) =>
  section(
    id,
    html`${anchored(2, id, title)}
<p>${prose}</p>`,
    example(
      `${id}-code`,
      code.replace('candidate-profile/client', './client.mts').replace('https://profile.example.org', site.baseUrl),
    ),
  ),
)}`;

/** The parts of a program: each begins with a comment that has a title, and prose on the lines below. */
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

/** The omitted beginnings of source files: imports and, of `src/client.ts`, the types of the catalogue. */
const importsOf = { failure: /^import [^\n]*\n+/, client: /^.*?\n\/\/ The code below [^\n]*\n+/s };

/** Returns the client as a TypeScript file without imports: the types of the OpenAPI document and `src/client.ts`. */
export function clientFile(operations: readonly Operation[], { paths, components }: OpenApi, baseUrl: string): string {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  // The body of errors is read by the client itself, and has the name of a class of JavaScript.
  const schemas = Object.entries<JsonSchema>(components.schemas).filter(([name]) => name !== 'Error');
  return `// The client of ${baseUrl} for TypeScript, made by that service from its operations: ${baseUrl}/docs/client
// It imports nothing, and runs in Node.js, Deno, Bun and browsers.

${schemas.map(([name, schema]) => `export interface ${name} ${typeOf(schema, '')}`).join('\n\n')}

/** One method for each operation; each throws \`Failure\`. */
export interface Client {
${operations.map((operation) => methodOf(operation, paths)).join('\n')}
}

interface Operation {
  readonly name: string;
  readonly rest: { readonly method: string; readonly path: string };
}

const operations: readonly Operation[] = [
${operations.map(({ name, rest }) => `  { name: '${name}', rest: { method: '${rest.method}', path: '${rest.path}' } },`).join('\n')}
];

type Scope = string;

${read('model/failure.ts').replace(importsOf.failure, '')}
${read('client.ts').replace(importsOf.client, '')}`;
}

const toCamelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function methodOf({ name, summary, rest, ...operation }: Operation, paths: OpenApi['paths']): string {
  const { parameters = [], requestBody, responses } = paths[rest.path]![rest.method.toLowerCase()] as Described;
  const fields = parameters.flatMap(({ name, schema, required: isRequired = false, description = '' }) =>
    name === undefined || schema === undefined ? [] : [{ name, schema: { ...schema, description }, isRequired }],
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

/** `absent` is added to the types of optional members in input. */
function membersOf(members: readonly Field[], indent: string, absent = ''): string {
  const lines = members.map(({ name, schema, isRequired }) => {
    const type = typeOf(schema, `${indent}  `);
    const { description = '' } = schema;
    const comment = description === '' ? '' : `${indent}  /** ${description.replaceAll('*/', '* /')} */\n`;
    return `${comment}${indent}  ${isRequired ? `${name}: ${type}` : `${name}?: ${type}${absent}`};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function typeOf(schema: JsonSchema, indent: string): string {
  const { $ref, anyOf, const: value, enum: values, type, items } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if (anyOf !== undefined) return (anyOf as JsonSchema[]).map((one) => typeOf(one, indent)).join(' | ');
  if (value !== undefined || values !== undefined)
    return (values ?? [value]).map((one) => JSON.stringify(one)).join(' | ');
  if (type === 'array') return `Array<${typeOf(items as JsonSchema, indent)}>`;
  if (type !== 'object') return [type].flat().join(' | ').replace('integer', 'number');
  return membersOf(fieldsIn(schema), indent);
}
