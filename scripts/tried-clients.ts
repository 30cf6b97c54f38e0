import packageJson from '../package.json' with { type: 'json' };

interface TriedClient {
  readonly name: string;
  readonly version: string;
  /** `hand`, or the test. */
  readonly triedBy: string;
  /** The prerequisites of connecting it. */
  readonly needs: string;
}

const installed: Record<string, string> = { ...packageJson.dependencies, ...packageJson.devDependencies };
const versionOf = (name: string): string => installed[name]!;

const libraries = '`full/e2e/oauth-client-libraries.test.ts`';
const provider = 'an `authProvider`';
const itsCommands = '[its commands](oauth.md#in-each-program)';

const triedClients: readonly TriedClient[] = [
  {
    name: 'Claude Code',
    version: '2.1.330',
    triedBy: 'hand',
    needs: itsCommands,
  },
  {
    name: 'Codex',
    version: '0.169.0',
    triedBy: 'hand',
    needs: itsCommands,
  },
  {
    name: 'Gemini CLI',
    version: '0.61.0',
    triedBy: 'hand',
    needs: `${itsCommands}; it does not sign in with \`--prompt\``,
  },
  {
    name: 'opencode',
    version: '1.18.33',
    triedBy: 'hand',
    needs: itsCommands,
  },
  {
    name: '@modelcontextprotocol/client, revisions 2026-07-28 and 2025-11-25',
    version: versionOf('@modelcontextprotocol/client'),
    triedBy: libraries,
    needs: provider,
  },
  {
    name: '@modelcontextprotocol/sdk',
    version: '1.32.2',
    triedBy: 'hand',
    needs: provider,
  },
  {
    name: '@ai-sdk/mcp',
    version: versionOf('@ai-sdk/mcp'),
    triedBy: libraries,
    needs: `${provider}; the code is exchanged by its own \`auth\``,
  },
  {
    name: '@openai/agents',
    version: versionOf('@openai/agents'),
    triedBy: libraries,
    needs: `${provider}; the code is exchanged by \`auth\` of @modelcontextprotocol/client`,
  },
  {
    name: '@langchain/mcp-adapters',
    version: '1.1.4',
    triedBy: 'hand',
    needs: `${provider}; the code is exchanged by \`auth\` of @modelcontextprotocol/sdk`,
  },
  {
    name: '@mastra/mcp',
    version: '2.0.0',
    triedBy: 'hand',
    needs: 'the id of a client that you register, as below',
  },
  {
    name: 'mcp-use',
    version: '1.34.6',
    triedBy: 'hand',
    needs:
      'its `NodeOAuthClientProvider`. Version 2 has its client in a package of its own, @mcp-use/client, which was not tried',
  },
  {
    name: 'mcp-remote',
    version: versionOf('mcp-remote'),
    triedBy: 'connecting and the ended header by `full/e2e/oauth-mcp-remote.test.ts`, the rest by hand',
    needs:
      '`npx mcp-remote ADDRESS --transport http-only`; several calls at once with expired tokens may open the page again',
  },
  {
    name: 'MCP Inspector, revisions 2026-07-28 and 2025-11-25',
    version: versionOf('@modelcontextprotocol/inspector'),
    triedBy: 'hand',
    needs:
      '`MCP_INSPECTOR_SECRET_STORE=file` on a machine without a keychain: otherwise each run of its command line asks the visitor again',
  },
];

/** The section of docs/mcp.md on the clients that connected by the address alone. */
export const clientsSection = (
  table: (head: string[], rows: string[][]) => string,
): string => `## Clients that were tried

Each connected by the address, called tools, made several calls at once with expired access tokens, and had its access revoked. All
registered themselves, except Mastra. *By hand* means: in November 2026, on Linux, offline, with scripts in place of the model and of
the visitor's browser. The \`authProvider\` of a library needs \`invalidateCredentials\`: without it the client sends a refresh token that
has ended again and again.

${table(
  ['Client', 'Version', 'Needs', 'Tried by'],
  triedClients.map(({ name, version, needs, triedBy }) => [name, version, needs, triedBy]),
)}

After its access was revoked, or [ended by calls at once](oauth.md#how-long-it-lasts), the calls of a client fail, or it opens the
page again: connect as in the table. After a token in a header has ended, put a new one there, or remove the header and connect as in
the table. For Mastra, register a client once ([as here](oauth.md#what-a-client-does)), and give its id to \`MCPOAuthClientProvider\` as \`clientInformation: { client_id }\`.`;
