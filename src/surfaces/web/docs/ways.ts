import type { Operation } from '../../../operations/operation.ts';
import { type Example, listOf } from '../../examples.ts';
import { isTool } from '../../mcp/catalogue.ts';
import { clientProgram } from '../visitor/connections.ts';
import type { ListedId, Reference } from './frame.ts';

/** One way to make a call: code, otherwise a sentence on why it cannot be made so. */
interface Way {
  readonly id: 'curl' | 'typescript' | 'mcp';
  readonly title: string;
  /** `$TOKEN` stands for the token. */
  readonly code?: string;
  readonly note?: string;
}

/** Returns the id that an example is called with, if an operation lists such ids. */
export function listedIdOf(
  operation: Operation,
  { input }: Example,
  { operations, site }: Pick<Reference, 'operations' | 'site'>,
): ListedId | undefined {
  const list = listOf(operation, operations);
  return list === undefined ? undefined : { id: String(input.id), list: site.path(list.rest.path) };
}

/** Returns the ways to make the call of an example, in the order of the tabs. */
export function waysOf(operation: Operation, example: Example, reference: Reference): readonly Way[] {
  const { baseUrl } = reference.site;
  const call = isTool(reference, operation)
    ? { code: toToolCall(operation, example) }
    : { note: noteWithoutTool(operation) };
  return [
    { id: 'curl', title: 'curl', code: toCurl(operation, example, baseUrl) },
    { id: 'typescript', title: 'TypeScript', code: toTypeScript(operation, example, baseUrl) },
    { id: 'mcp', title: 'MCP', ...call },
  ];
}

const isInPath = ({ rest }: Operation, name: string): boolean => rest.path.includes(`{${name}}`);

/** The path of the call, with its query. */
export function toTarget(operation: Operation, { input }: Example): string {
  const { rest } = operation;
  const path = rest.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  if (rest.method === 'POST') return path;
  const query = Object.entries(input).filter(([name]) => !isInPath(operation, name));
  return query.length === 0
    ? path
    : `${path}?${new URLSearchParams(query.map(([name, value]) => [name, String(value)]))}`;
}

function toCurl(operation: Operation, example: Example, baseUrl: string): string {
  const { rest, access } = operation;
  const url = inShell(baseUrl + toTarget(operation, example));
  return [
    `curl ${rest.method === 'GET' || rest.method === 'POST' ? '' : `-X ${rest.method} `}${url}`,
    ...(access === 'open' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(rest.method === 'POST' ? ['-H "Content-Type: application/json"', `-d ${inShell(toBody(example))}`] : []),
  ].join(' \\\n  ');
}

const toBody = ({ input }: Example): string =>
  JSON.stringify(input, null, Object.keys(input).length > 1 ? 2 : undefined);

/** A text as one word of a POSIX shell; also one of zsh, which expands `?` in words without quotes. */
const inShell = (text: string): string => (/^[\w@%+:,./=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A program with openapi-fetch and the types that openapi-typescript makes. */
function toTypeScript(operation: Operation, { input }: Example, baseUrl: string): string {
  const { rest, access } = operation;
  const given = Object.entries(input);
  const [path, others] = [true, false].map((isPath) => given.filter(([name]) => isInPath(operation, name) === isPath));
  const params = [
    ...(path!.length === 0 ? [] : [`path: ${toLiteral(path!)}`]),
    ...(others!.length === 0 ? [] : [`query: ${toLiteral(others!)}`]),
  ];
  const options =
    rest.method === 'POST'
      ? [`body: ${toLiteral(given, true)}`]
      : params.length === 0
        ? []
        : [`params: { ${params.join(', ')} }`];
  return `${clientProgram(baseUrl, access === 'open' ? null : '$TOKEN')}
const { data, error } = await client.${rest.method}('${rest.path}'${options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`});
console.log(error ?? data);`;
}

/** An object as a program writes it, in lines if it must be. */
function toLiteral(entries: readonly [string, unknown][], isLast = false): string {
  const fields = entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return isLast && entries.length > 1
    ? `{\n${fields.map((field) => `    ${field},\n`).join('')}  }`
    : `{ ${fields.join(', ')} }`;
}

const toToolCall = ({ name }: Operation, { input }: Example): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }, null, 2);

const noteWithoutTool = ({ kind }: Operation): string =>
  kind === 'mutation'
    ? 'This service lets agents read only: it does not offer this tool.'
    : 'This is not offered over MCP.';
