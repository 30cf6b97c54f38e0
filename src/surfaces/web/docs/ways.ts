import type { Operation } from '../../../operations/operation.ts';
import type { Example } from '../../examples.ts';

/** One way to make a call: code, otherwise a sentence on why it cannot be made so. */
export interface Way {
  readonly id: 'curl' | 'typescript' | 'mcp' | 'command-line';
  readonly title: string;
  /** `$TOKEN` stands for the token. */
  readonly code?: string;
  readonly note?: string;
  /** Whether the code needs this project's package, which is not on npm. */
  readonly needsPackage?: true;
}

interface WayOptions {
  readonly baseUrl: string;
  /** Whether the operation is a tool of this service. */
  readonly isTool: boolean;
}

/** Returns the ways to make the call of an example, in the order of the tabs. */
export const waysOf = (operation: Operation, example: Example, options: WayOptions): readonly Way[] => [
  { id: 'curl', title: 'curl', code: toCurl(operation, example, options) },
  { id: 'typescript', title: 'TypeScript', code: toTypeScript(operation, example, options), needsPackage: true },
  {
    id: 'mcp',
    title: 'MCP',
    ...(options.isTool ? { code: toToolCall(operation, example) } : { note: noteWithoutTool(operation) }),
  },
  {
    id: 'command-line',
    title: 'Command line',
    code: [
      `candidate-profile ${toCallLine(operation, example)}`,
      `--url ${options.baseUrl}${operation.access === 'open' ? '' : ' --token "$TOKEN"'}`,
    ].join(' \\\n  '),
    needsPackage: true,
  },
];

/** The path of the call, with its query. */
export function toTarget({ rest }: Operation, { input }: Example): string {
  const path = rest.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  if (rest.method === 'POST') return path;
  const query = Object.entries(input).filter(([name]) => !rest.path.includes(`{${name}}`));
  return query.length === 0
    ? path
    : `${path}?${new URLSearchParams(query.map(([name, value]) => [name, String(value)]))}`;
}

function toCurl(operation: Operation, example: Example, { baseUrl }: WayOptions): string {
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

/** The call on the command line, after the name of the program. */
export const toCallLine = ({ name }: Operation, { input }: Example): string =>
  ['call', name, ...Object.entries(input).map(([field, value]) => `--${field} ${inShell(String(value))}`)].join(' ');

/** A text as one word of a POSIX shell; also one of zsh, which expands `?` in words without quotes. */
const inShell = (text: string): string => (/^[\w@%+:,./=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function toTypeScript({ name, access }: Operation, { input }: Example, { baseUrl }: WayOptions): string {
  const method = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const fields = Object.entries(input).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  const inLines = `{\n${fields.map((field) => `  ${field},\n`).join('')}}`;
  const argument = fields.length === 0 ? '' : fields.join(', ').length > 40 ? inLines : `{ ${fields.join(', ')} }`;
  return [
    "import { createClient } from 'candidate-profile/client';",
    '',
    `const profile = createClient({\n  baseUrl: '${baseUrl}',${access === 'open' ? '' : "\n  token: '$TOKEN',"}\n});`,
    `await profile.${method}(${argument});`,
  ].join('\n');
}

const toToolCall = ({ name }: Operation, { input }: Example): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }, null, 2);

const noteWithoutTool = ({ kind }: Operation): string =>
  kind === 'mutation'
    ? 'This service lets agents read only: it does not offer this tool.'
    : 'This is not offered over MCP.';
