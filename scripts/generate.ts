import { readFileSync, writeFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
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

For the people who run the service. Settings are environment variables, read once at start and validated together; a \`.env\` file in the working directory is read if it exists.
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

// The key in the profile is called as the path.
const condition = (operation: Operation): string =>
  'isOffered' in operation ? ` Only with \`${operation.rest.path.slice(1)}: true\` in the profile.` : '';

const counters = {
  token: 'token',
  subject: 'e-mail address of the token',
  block: 'IPv4 address or IPv6 /64',
  service: 'service',
};

const api = `${banner}

# REST API

For those who write a program. The exact contract, with every field of every answer, is [OpenAPI](../test/pins/openapi.json), served at
\`/openapi.json\`; \`/docs\` shows and tries it. Every endpoint that is not marked open requires
\`Authorization: Bearer <ACCESS_TOKEN>\`. An error is \`{"error": {"code", "message"}}\`.

The token comes from \`POST /auth/token\` or, for a program, from OAuth ([oauth.md](oauth.md)). A token from OAuth needs the scope
\`contact:write\` to send a message and \`profile:read\` for all else; otherwise the answer is 403 with \`insufficient_scope\` and
the scopes to ask for in \`WWW-Authenticate\`.

## First token, first call

\`\`\`sh
TOKEN=$(curl -s http://127.0.0.1:3000/auth/token \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.org"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl -s http://127.0.0.1:3000/candidate -H "authorization: Bearer $TOKEN"
curl -s 'http://127.0.0.1:3000/experience?current=true' -H "authorization: Bearer $TOKEN"
curl -s 'http://127.0.0.1:3000/resume?format=pdf' -H "authorization: Bearer $TOKEN"
curl -s http://127.0.0.1:3000/contact -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{"name":"You","email":"you@example.org","company":"Yours","message":"Hello!"}'
\`\`\`

The owner has just been told of the token and of the message: look into \`data/mail\`.

## From a program

Save this as \`visit.ts\` in the checkout:

\`\`\`ts
import { createClient } from './src/client.ts';

const baseUrl = 'http://127.0.0.1:3000';
const { access_token: token } = await createClient({ baseUrl }).createAuthToken({ email: 'you@example.org' });
const profile = createClient({ baseUrl, token });
console.log(await profile.listExperience({ current: true }));
// Sent again with the same key, as after a broken connection, it leaves one message.
const message = { name: 'You', email: 'you@example.org', company: 'Yours', message: 'Hello!' };
console.log(await profile.createContact(message, { idempotencyKey: crypto.randomUUID() }));
\`\`\`

\`\`\`sh
npx -c "node visit.ts"
npm run --silent cli -- call list_experience --current true
\`\`\`

The second command calls any operation by its name, without a program. In a project of your own, import from
\`candidate-profile/client\` ([the package](operations.md#as-a-package)), or download \`/docs/client.ts\` of a service.

## Operations

${table(
  ['Endpoint', 'Operation', 'Answers'],
  operations.map((operation) => [
    `\`${operation.rest.method} ${operation.rest.path}\`${'alias' in operation.rest ? `, also \`${operation.rest.alias}\`` : ''}${operation.access === 'open' ? ' (open)' : ''}`,
    `\`${operation.name}\``,
    `${operation.summary}${condition(operation)}`,
  ]),
)}

An operation that says so is offered only while the profile has that line. Otherwise it is in no document, and a call is answered as one
of an unknown path or tool.

${table(
  ['Input', 'Of', 'In', 'Type', 'Meaning'],
  operations.flatMap(({ name, rest, input }) => {
    const fields = Object.entries(inlined(toJsonSchema(input, 'input')).properties ?? {}) as [string, JsonSchema][];
    return fields.map(([field, schema]) => [
      `\`${field}\``,
      `\`${name}\``,
      rest.path.includes(`{${field}}`) ? 'path' : rest.method === 'POST' ? 'body' : 'query',
      schema.enum?.join(' or ') ?? schema.type,
      schema.description,
    ]);
  }),
)}

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

For those who decide whether to trust the service on the open internet: what can go wrong, what happens then, and which tests show it.
[SECURITY.md](../../SECURITY.md) says what is promised, and what is not. The files are in \`test\`.

## What can go wrong

${table(
  ['', 'Threat and response', 'Shown by'],
  Object.entries(requirements)
    .filter(([id]) => id.startsWith('TRUST-'))
    .map(([id, text]) => [
      id.slice('TRUST-'.length),
      text,
      [...new Set(citations.filter((citation) => citation.id === id).map(({ file }) => `\`${file}\``))].join(' '),
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

For those who connect an agent. The server is at \`BASE_URL/mcp\` (Streamable HTTP, stateless, with a bearer
token; revision 2026-07-28 and, by \`initialize\`, 2025-11-25 and older) and over stdio with \`candidate-profile mcp\`,
which has no port: the link to the PDF is then a file in \`DATA_DIR\`.

A client that knows OAuth needs only that address ([oauth.md](oauth.md)). Any other client sends [a token](#with-a-token).

## Tools

What each answers is in [the REST API](api.md#operations). The two tools that change something are offered only with
\`MCP_MUTATIONS=true\`, ${optionalTools};
the resource of the background comes and goes with its tool. Each result has the data in \`structuredContent.data\` and as pretty-printed text.

${table(
  ['Tool', 'Arguments', 'REST'],
  tools.map(({ tool, operation }) => [
    `\`${tool.name}\``,
    Object.keys(tool.inputSchema.properties ?? {})
      .map((name) => `\`${name}\``)
      .join(', ') || 'none',
    `\`${operation.rest.method} ${operation.rest.path}\``,
  ]),
)}

## Resources

${table(
  ['URI', 'Title', 'Content'],
  [...resourcesOf(operations).values()].map(({ listed }) => [`\`${listed.uri}\``, listed.title, listed.description]),
)}

## A card

Programs that show MCP Apps (2026-01-26) show the results of ${cardNames} as a card. The tools name it in
\`_meta.ui.resourceUri\`: \`${cardUri}\`, which \`resources/read\` returns and \`resources/list\` leaves out. It is one HTML
document without anything of the profile, connects to nothing, and sends no message ([ADR 31](adr/0031-a-card-without-data.md)). It was
tried in Chromium with the library that the extension has for such programs, not in these programs.

## Prompt

\`${summaryPrompt.name}\`: ${summaryPrompt.description}

${table(
  ['Argument', 'Values'],
  summaryPrompt.arguments.map(({ name, description }) => [`\`${name}\``, description]),
)}

## Skill

\`${readACandidate.name}\`, by \`skills/list\` and as a resource that is not listed ([agents.md](agents.md#the-skill)).

## With a token

Programs that do not know OAuth send a token in a header. Get it on the page of the profile, or as in [First token, first
call](api.md#first-token-first-call); \`echo $TOKEN\` prints it, to put in place of TOKEN below. The address of another machine must be https.

**Claude Code**

\`\`\`sh
claude mcp add --transport http candidate-profile http://127.0.0.1:3000/mcp --header "Authorization: Bearer $TOKEN"
\`\`\`

**Claude Desktop**, in \`claude_desktop_config.json\` (Settings → Developer → Edit Config)

\`\`\`json
{
  "mcpServers": {
    "candidate-profile": {
      "command": "npx",
      "args": [
        "-y", "mcp-remote@${packageJson.devDependencies['mcp-remote']}", "http://127.0.0.1:3000/mcp",
        "--transport", "http-only", "--header", "Authorization:\${AUTHORIZATION}"
      ],
      "env": { "AUTHORIZATION": "Bearer TOKEN" }
    }
  }
}
\`\`\`

The argument has no space because Claude Desktop on Windows would split it there. Without a file to edit: \`npm run bundle\` makes an
[extension](#where-clients-look).

**Cursor**, in \`.cursor/mcp.json\`

\`\`\`json
{ "mcpServers": { "candidate-profile": { "url": "http://127.0.0.1:3000/mcp", "headers": { "Authorization": "Bearer TOKEN" } } } }
\`\`\`

**VS Code**, in \`.vscode/mcp.json\`

\`\`\`json
{ "servers": { "candidate-profile": { "type": "http", "url": "http://127.0.0.1:3000/mcp", "headers": { "Authorization": "Bearer TOKEN" } } } }
\`\`\`

**Other clients that support stdio only**: the first command serves the profile on this machine, without a token; the second one
connects to a service anywhere.

\`\`\`sh
npm run --silent cli -- mcp
CANDIDATE_PROFILE_TOKEN="$TOKEN" npm run --silent cli -- mcp --url http://127.0.0.1:3000
\`\`\`

${clientsSection(table)}

## Where clients look

Neither of these is published yet.

[server.json](../server.json) is the entry of the [MCP registry](https://registry.modelcontextprotocol.io). A client asks for the
address of a service, and connects to it directly or by \`candidate-profile mcp --url\` with \`npx\`.

\`npm run bundle\` makes \`candidate-profile-VERSION.mcpb\`, which a program such as Claude Desktop installs as an extension (Settings →
Extensions → Install Extension). It is the bridge of \`candidate-profile mcp --url\` in one file, needs Node.js
${Number.parseInt(manifest.compatibility.runtimes.node.slice(2), 10)} or later (Claude Desktop brings its own), and has the same bytes wherever it is made. Claude Desktop itself has not run it yet.

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
