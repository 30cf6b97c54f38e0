import packageJson from '../package.json' with { type: 'json' };

interface TriedClient {
  readonly name: string;
  readonly version: string;
  /** `hand`, or the test. */
  readonly triedBy: string;
  /** The prerequisites of connecting it. */
  readonly needs: string;
  /** How several calls at once renew tokens that have expired. */
  readonly renews: string;
  /** Its behaviour once its access is revoked, and what to do then. */
  readonly revoked: string;
}

const installed: Record<string, string> = { ...packageJson.dependencies, ...packageJson.devDependencies };
const versionOf = (name: string): string => installed[name]!;

const libraries = '`full/e2e/oauth-client-libraries.test.ts`';
const provider = 'an `authProvider`';
const each = 'each call renews them, and all get the same tokens';
const one = 'one call renews them, the others wait';
const asksAgain = 'the call fails with `Unauthorized`, and the provider is given the page to send the visitor to';

const triedClients: readonly TriedClient[] = [
  {
    name: 'Claude Code',
    version: '2.1.330',
    triedBy: 'hand',
    needs:
      '`claude mcp add --transport http candidate-profile ADDRESS`, then `claude mcp login candidate-profile` in a terminal, or `/mcp` in Claude Code',
    renews: `${each}; so do three programs at once`,
    revoked: 'says that it needs authentication; `claude mcp login candidate-profile` again',
  },
  {
    name: 'Codex',
    version: '0.169.0',
    triedBy: 'hand',
    needs: '`codex mcp add candidate-profile --url ADDRESS`, which opens the page at once',
    renews: `${one}; so do three programs at once`,
    revoked:
      'says "Authentication required", and at its next start leaves the tools out with an error in its log, while `codex mcp list` still says OAuth; `codex mcp login candidate-profile`',
  },
  {
    name: 'Gemini CLI',
    version: '0.61.0',
    triedBy: 'hand',
    needs:
      '`gemini mcp add --transport http candidate-profile ADDRESS`, then `/mcp auth candidate-profile` in it; it does not sign in with `--prompt`',
    renews:
      'each call renews them when its clock says that they have expired, and all get the same tokens; not after a 401',
    revoked: 'calls fail with "MCP ERROR"; `/mcp auth candidate-profile`',
  },
  {
    name: 'opencode',
    version: '1.18.33',
    triedBy: 'hand',
    needs: '`opencode mcp add candidate-profile --url ADDRESS`, then `opencode mcp auth candidate-profile`',
    renews: each,
    revoked:
      'calls fail with "Unauthorized", and `opencode mcp list` says that it needs authentication; `opencode mcp auth candidate-profile`',
  },
  {
    name: '@modelcontextprotocol/client, revisions 2026-07-28 and 2025-11-25',
    version: versionOf('@modelcontextprotocol/client'),
    triedBy: libraries,
    needs: provider,
    renews: each,
    revoked: asksAgain,
  },
  {
    name: '@modelcontextprotocol/sdk',
    version: '1.32.2',
    triedBy: 'hand',
    needs: provider,
    renews: each,
    revoked: asksAgain,
  },
  {
    name: '@ai-sdk/mcp',
    version: versionOf('@ai-sdk/mcp'),
    triedBy: libraries,
    needs: `${provider}; the code is exchanged by its own \`auth\``,
    renews: one,
    revoked:
      'the call fails with "Failed to process server response", and the provider is given the page to send the visitor to',
  },
  {
    name: '@openai/agents',
    version: versionOf('@openai/agents'),
    triedBy: libraries,
    needs: `${provider}; the code is exchanged by \`auth\` of @modelcontextprotocol/client`,
    renews: each,
    revoked: asksAgain,
  },
  {
    name: '@langchain/mcp-adapters',
    version: '1.1.4',
    triedBy: 'hand',
    needs: `${provider}; the code is exchanged by \`auth\` of @modelcontextprotocol/sdk`,
    renews: each,
    revoked: `${asksAgain}; both arrive as a \`ToolException\``,
  },
  {
    name: '@mastra/mcp',
    version: '2.0.0',
    triedBy: 'hand',
    needs: 'the id of a client that you register, as below: its `MCPOAuthClientProvider` does not register',
    renews: each,
    revoked:
      'the call fails with `Unauthorized`, while `getServerAuthState` still says `authorized`; `disconnect`, then `authenticate` of a new `MCPClient` with the same provider',
  },
  {
    name: 'mcp-use',
    version: '1.34.6',
    triedBy: 'hand',
    needs:
      'its `NodeOAuthClientProvider`. Version 2 has its client in a package of its own, @mcp-use/client, which was not tried',
    renews: one,
    revoked:
      'opens the page; calls fail until the visitor has allowed it there, with "Unauthorized" or "an authorization is already in progress"',
  },
  {
    name: 'mcp-remote',
    version: versionOf('mcp-remote'),
    triedBy: 'connecting and the ended header by `full/e2e/oauth-mcp-remote.test.ts`, the rest by hand',
    needs: '`npx mcp-remote ADDRESS --transport http-only`',
    renews:
      'each call renews them, and all get the same tokens, but they overwrite each other’s files: of six calls one to three failed or were not answered, and the page opened again; the next call was answered',
    revoked: 'opens the page, and answers the call when the visitor has allowed it there',
  },
  {
    name: 'MCP Inspector, revisions 2026-07-28 and 2025-11-25',
    version: versionOf('@modelcontextprotocol/inspector'),
    triedBy: 'hand',
    needs:
      '`MCP_INSPECTOR_SECRET_STORE=file` on a machine without a keychain: otherwise each run of its command line asks the visitor again',
    renews: 'renews them before its calls; three programs at once get the same tokens',
    revoked: 'the page again; with `--stored-auth-only`, `auth_required` and exit code 3',
  },
];

/** Runs as it is with @mastra/mcp and @mastra/core, which are not installed here. */
const mastra = `import { MCPClient, MCPOAuthClientProvider } from '@mastra/mcp';

const address = 'http://127.0.0.1:3000';
const redirectUrl = 'http://127.0.0.1:33420/callback';
const clientMetadata = { client_name: 'My agent', redirect_uris: [redirectUrl] };
const registered = await fetch(\`\${address}/oauth/register\`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(clientMetadata),
});
const { client_id } = await registered.json();

const authProvider = new MCPOAuthClientProvider({
  redirectUrl,
  clientMetadata,
  clientInformation: { client_id },
  onRedirectToAuthorization: (url) => console.log(\`Open \${url}\`),
});
const client = new MCPClient({ servers: { profile: { url: new URL(\`\${address}/mcp\`), authProvider } } });
await client.authenticate('profile');
const { profile_get_candidate } = await client.listTools();
console.log(await profile_get_candidate.execute({}, {}));
await client.disconnect();
`;

/** The section of docs/mcp.md on the clients that connected by the address alone. */
export const clientsSection = (
  table: (head: string[], rows: string[][]) => string,
): string => `## Clients that were tried

Each of these connected by the address alone, called tools, made several calls at once with access tokens that had expired, and had its
access revoked. All registered themselves, except Mastra, whose client was registered by hand.

By hand means: in November 2026, on Linux, without a connection to the internet, with a script in place of the model and of the visitor's
browser. Claude Code and Codex use a document of their own if the service can fetch it; that was not tried.

The libraries take an \`authProvider\`, which keeps the client and its tokens and sends the visitor to the page. It needs
\`invalidateCredentials\`, too: without it they send the refresh token that has ended with each call, and never ask the visitor again.

${table(
  ['Client', 'Version', 'Needs', 'How it renews expired tokens', 'Once revoked', 'Tried by'],
  triedClients.map(({ name, version, needs, renews, revoked, triedBy }) => [
    name,
    version,
    needs,
    renews,
    revoked,
    triedBy,
  ]),
)}

Three or more calls at once that each renew expired tokens can end what the visitor allowed
([how long it lasts](oauth.md#how-long-it-lasts)).

If a token in a header was revoked or has expired, Claude Code and opencode say so and do not sign in, Codex leaves the tools out with an
error in its log, mcp-remote ends with an error that says so. Each needs a new token in the header, or no header and the steps of the table.

Mastra's provider is given the id of a client that you register once. One that nobody has allowed anything is forgotten after a day.

\`\`\`js
${mastra}\`\`\``;
