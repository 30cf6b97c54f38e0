import { readFileSync, writeFileSync } from 'node:fs';
import { failures } from '../src/model/failure.ts';
import { operations } from '../src/operations/index.ts';
import type { Operation } from '../src/operations/operation.ts';
import { downloadQuota, quotasOf, readQuota } from '../src/operations/quotas.ts';
import { readACandidate } from '../src/operations/skill.ts';
import { Settings } from '../src/service/config/settings.ts';
import { inlined, type JsonSchema, toJsonSchema } from '../src/surfaces/json-schema.ts';
import { cardUri } from '../src/surfaces/mcp/card.ts';
import { isTool, resourcesOf, summaryPrompt, toTool } from '../src/surfaces/mcp/catalogue.ts';
import { subscriptionLimits } from '../src/surfaces/mcp/http.ts';
import { requirements } from '../test/requirements.ts';
import { citations } from '../test/support/citations.ts';
import { manifest } from './bundle/manifest.ts';
import { toProfileSchema } from './profile-schema.ts';
import { serverJson } from './server-json.ts';
import { clientsSection } from './tried-clients.ts';

// Writes the documents that are printed from code; with --check it only names those that differ.

const banner = '<!-- Printed from code by `npm run generate`. -->';
const cell = (text: unknown) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
const table = (head: string[], rows: unknown[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const configuration = `${banner}

# Configuration

Settings are environment variables, read once at start and validated together; a \`.env\` file in the working directory is read if it exists.
The service does not start with a wrong value, and prints one line for each. Durations are written \`15m\`, \`24h\`, \`30d\`.
\`serve\` has four of them as options, too, which override them: \`--port\`, \`--host\`, \`--profile\`, and \`--data\` for \`DATA_DIR\`.
Every command warns about a name that is probably a misspelled setting (in the environment: of 8 characters or more), and about a
line in \`.env\` that is not NAME=VALUE.

${table(
  ['Variable', 'Default', 'Meaning'],
  Object.entries(Settings.shape).map(([name, schema]) => {
    const { shown, description } = (schema.meta() ?? {}) as { shown?: string; description?: string };
    const preset = Settings.safeParse({}).data?.[name as keyof typeof Settings.shape];
    const given = shown ?? presetOf(schema) ?? (preset === undefined ? '–' : String(preset));
    return [`\`${name}\``, shown === undefined && given !== '–' ? `\`${given}\`` : given, description];
  }),
)}
`;

/** The default of a setting as it is typed, before it is transformed. */
function presetOf(schema: unknown): string | undefined {
  const { defaultValue, in: input } = (schema as { def: { defaultValue?: unknown; in?: unknown } }).def;
  if (typeof defaultValue === 'string') return defaultValue;
  return input === undefined ? undefined : presetOf(input);
}

/** Each field of a shape by its path, such as `roles[].title`, with its type and meaning. */
function fieldsOf(schema: JsonSchema, path = ''): [string, string, string][] {
  const variants = schema.anyOf ?? [schema];
  return (variants as JsonSchema[]).flatMap((variant) => {
    if (variant.items) return fieldsOf(variant.items as JsonSchema, `${path}[]`);
    return Object.entries(variant.properties ?? {}).flatMap(([name, property]) => {
      const field = property as JsonSchema;
      const own = path === '' ? name : `${path}.${name}`;
      const inner = fieldsOf(field, own);
      return inner.length > 0
        ? inner
        : [[`\`${own}\``, typeOf(field), field.description ?? ''] as [string, string, string]];
    });
  });
}

function typeOf({ type, anyOf, const: value, format, items }: JsonSchema): string {
  if (anyOf) return (anyOf as JsonSchema[]).map(typeOf).join(' or ');
  if (value !== undefined) return `\`${value}\``;
  if (items) return `array of ${typeOf(items as JsonSchema)}`;
  return format === 'date' || format === 'uri' ? format : [type].flat().join(' or ');
}

// The key in the profile is called as the path.
const optional = ({ rest }: Pick<Operation, 'rest'>): string =>
  `Offered only while the profile says \`${rest.path.slice(1)}: true\`. Otherwise it is in no document, and a call is answered as one of an unknown path or tool.`;

const counters = {
  token: 'token',
  subject: 'e-mail address of the token',
  block: 'IPv4 address or IPv6 /64',
  service: 'service',
};

const api = `${banner}

# REST API

The exact contract is [OpenAPI](../test/pins/openapi.json), served at \`/openapi.json\`. Every endpoint that is not marked open requires
\`Authorization: Bearer <ACCESS_TOKEN>\`. An error is \`{"error": {"code", "message"}}\`.

The token is that of \`POST /auth/token\`, or one that a program got by OAuth ([oauth.md](oauth.md)): that one must have the scope
\`contact:write\` to send a message and \`profile:read\` for all else, and is answered 403 without it, with \`insufficient_scope\` and the
scopes to ask for in \`WWW-Authenticate\`.

${table(
  ['Endpoint', 'Token', 'Answers', 'Operation'],
  operations.map(({ rest, access, name, summary }) => [
    `\`${rest.method} ${rest.path}\``,
    access === 'open' ? 'open' : 'bearer',
    summary,
    `[\`${name}\`](#${name})`,
  ]),
)}

${operations
  .map((operation) => {
    const { name, title, rest, summary, input, output } = operation;
    const fields = Object.entries(inlined(toJsonSchema(input, 'input')).properties ?? {}) as [string, JsonSchema][];
    const answerFields = fieldsOf(inlined(toJsonSchema(output, 'output')));
    return `## ${name}

**${title}.** ${summary}

\`${rest.method} ${rest.path}\`${'alias' in rest ? `, also \`${rest.alias}\`` : ''}, answers ${'status' in rest ? rest.status : 200}.${'isOffered' in operation ? `\n${optional(operation)}` : ''}
${
  fields.length === 0
    ? ''
    : `\n${table(
        ['Input', 'In', 'Type', 'Meaning'],
        fields.map(([field, schema]) => [
          `\`${field}\``,
          rest.path.includes(`{${field}}`) ? 'path' : rest.method === 'POST' ? 'body' : 'query',
          schema.enum?.join(' or ') ?? schema.type,
          schema.description,
        ]),
      )}\n`
}
${answerFields.length === 0 ? 'The answer has no body.' : table(['Answer', 'Type', 'Meaning'], answerFields)}
`;
  })
  .join('\n')}
## Errors

${table(
  ['Status', 'Code', 'Default message'],
  Object.entries(failures).map(([code, { status, message }]) => [status, `\`${code}\``, message]),
)}

## Limits

A call over a limit gets 429 with \`Retry-After\` in seconds. Calls with invalid input count, too. \`LIMITS\` multiplies them all.

${table(
  ['Operation', 'Calls', 'Within', 'Counted per'],
  [
    ['all reads, HEAD, 304 and `/me` included, and all messages to `/mcp`', readQuota] as const,
    ['downloads of the resume PDF, HEAD, 304 and ranges included', downloadQuota] as const,
    ...operations.flatMap((operation) => quotasOf(operation).map((quota) => [`\`${operation.name}\``, quota] as const)),
  ].map(([operation, { count, seconds, per }]) => [operation, count, `${seconds / 60} min`, counters[per]]),
)}

What is counted for the service and per IPv6 /64 is counted per /56, too, which gets twice as many.

Over MCP, the e-mail address of a token, or the opening of a link, may have ${subscriptionLimits.perSubject} open subscriptions: another one is refused. An IPv4
address or IPv6 /64 may have ${subscriptionLimits.perBlock}: another one ends its oldest. The service has at most ${subscriptionLimits.total}: another one ends the
oldest of the network with most of them. A subscription ends with its token, within 2 seconds.

A contact request may have an \`Idempotency-Key\` that the sender chooses. For 24 hours, the same request with the same key and e-mail
address of the token, or opening of a link, gets the same answer and is stored once; another request gets 422.
`;

const tools = operations
  .filter((operation) => isTool({ mutations: true }, operation))
  .map((operation) => ({ tool: toTool(operation), operation }));
const trust = `${banner}

# Trust

The service runs on the open internet without an operations team. This page says what can go wrong, what happens then, and
which tests show it. [SECURITY.md](../../SECURITY.md) says what is promised, and what is not.

## What can go wrong

${table(
  ['', 'Threat and response', 'Shown by'],
  Object.entries(requirements)
    .filter(([id]) => id.startsWith('TRUST-'))
    .map(([id, text]) => [
      id.slice('TRUST-'.length),
      text,
      citations
        .filter((citation) => citation.id === id)
        .map(({ file, title }) => `\`${file}\`: ${title}`)
        .join('<br>'),
    ]),
)}

## What was measured

\`npm run test:release\` runs these tests in their long form and writes what they measured here; \`npm test\` has a short form of most.

${readIfPresent('docs/evidence/trust.md')?.match(/<!-- figures -->.*<!-- end of figures -->/s)?.[0] ?? '<!-- figures -->\n\n<!-- end of figures -->'}
`;

const optionalTools = tools
  .flatMap(({ tool, operation }) =>
    'isOffered' in operation
      ? [`\`${tool.name}\` only while the profile says \`${operation.rest.path.slice(1)}: true\``]
      : [],
  )
  .join(', ');

const cardNames = new Intl.ListFormat('en').format(
  tools.flatMap(({ tool, operation }) => ('hasCard' in operation ? [`\`${tool.name}\``] : [])),
);

const mcp = `${banner}

# MCP

At \`BASE_URL/mcp\` (Streamable HTTP, stateless, with a bearer token; revision 2026-07-28 and, by \`initialize\`, 2025-11-25 and older)
and over stdio with \`candidate-profile mcp\`, which has no port: the link to the PDF is then a file in \`DATA_DIR\`.

A client that knows OAuth connects by that address alone: it sends the visitor to a page, and gets tokens that last an hour and that it
renews. [oauth.md](oauth.md) says how, in which programs, with which scopes, and how to turn it off. Any other client sends the token of
\`POST /auth/token\` in a header ([README](../README.md#connect-an-agent)).

## Tools

The two tools that change something are offered only with \`MCP_MUTATIONS=true\`, ${optionalTools}; the
resource of the background comes and goes with its tool. Each result has the data in \`structuredContent.data\` and as pretty-printed text.

${table(
  ['Tool', 'Arguments', 'REST', 'Description'],
  tools.map(({ tool, operation }) => [
    `\`${tool.name}\``,
    Object.keys(tool.inputSchema.properties ?? {})
      .map((name) => `\`${name}\``)
      .join(', ') || 'none',
    `\`${operation.rest.method} ${operation.rest.path}\``,
    tool.description,
  ]),
)}

## Resources

${table(
  ['URI', 'Title', 'Content'],
  [...resourcesOf(operations).values()].map(({ listed }) => [`\`${listed.uri}\``, listed.title, listed.description]),
)}

## A card

Programs that show MCP Apps (2026-01-26), such as Claude, ChatGPT, VS Code, Cursor and Goose, show the results of ${cardNames}
as a card. It was tried in Chromium with the library that the extension has for such programs, not in these. The tools name it in \`_meta.ui.resourceUri\`: \`${cardUri}\`, which \`resources/read\` returns and \`resources/list\` leaves out. Results
are the same for every program.

The card is one HTML document without anything of the profile: the program hands the result to it. It takes light or dark, font and
colours from the program, and connects to nothing. *Open page* and *Write* lead to the page of the profile and to the form on it, *Download
PDF* to the link in the result, or to one that the card gets by \`get_resume\` if the program lets it call tools. The program opens these
links. The card sends no message: a person does, with the form. Over stdio without \`BASE_URL\` it has no links to the page
([ADR 31](adr/0031-a-card-without-data.md)).

## Prompt

\`${summaryPrompt.name}\`: ${summaryPrompt.description}

${table(
  ['Argument', 'Values'],
  summaryPrompt.arguments.map(({ name, description }) => [`\`${name}\``, description]),
)}

## Skill

\`${readACandidate.name}\`, by \`skills/list\` and as a resource that is not listed: how an agent compares a role with the profile, and writes to
the candidate. [agents.md](agents.md) says more, and how an agent that is not connected finds the server.

${clientsSection(table)}

## Where clients look

Neither of these is published yet.

[server.json](../server.json) is the entry of the [MCP registry](https://registry.modelcontextprotocol.io), from which clients offer
servers to install. Everybody runs a service of their own, so a client asks for the address of one. It connects to that
directly, or starts \`candidate-profile mcp --url\` with \`npx\`.

\`npm run bundle\` makes \`candidate-profile-VERSION.mcpb\`, which a program such as Claude Desktop installs as an extension (Settings →
Extensions → Install Extension). It is the bridge of \`candidate-profile mcp --url\` alone, in one file. It needs Node.js
${Number.parseInt(manifest.compatibility.runtimes.node.slice(2), 10)} or later; Claude Desktop brings its own. The same sources make the same bytes, so that anybody can check a published bundle.
It has been run by a client as an extension is, and not yet by Claude Desktop itself.

${table(
  ['Setting of the extension', 'Required', 'Stored', 'Meaning'],
  Object.values(manifest.user_config).map(({ title, description, required, sensitive }) => [
    title,
    required ? 'yes' : 'no',
    sensitive ? 'as a secret' : 'as text',
    description,
  ]),
)}
`;

const files: Record<string, string> = {
  'docs/configuration.md': configuration,
  'docs/api.md': api,
  'docs/mcp.md': mcp,
  'docs/evidence/trust.md': trust,
  'profile.schema.json': toProfileSchema(),
  'server.json': `${JSON.stringify(serverJson, null, 2)}\n`,
};
const outdated = Object.entries(files).filter(([path, text]) => readIfPresent(path) !== text);
if (process.argv.includes('--check')) {
  for (const [path] of outdated) console.error(`${path} differs from the code: npm run generate`);
  process.exitCode = outdated.length === 0 ? 0 : 1;
} else for (const [path, text] of outdated) writeFileSync(path, text);

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
