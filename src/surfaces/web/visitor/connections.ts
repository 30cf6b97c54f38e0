import { connectionsByAddress } from './connections-by-address.ts';

/** What programs connect with. */
export interface Access {
  readonly baseUrl: string;
  /** Null before access. */
  readonly token: string | null;
  /** Whether clients of MCP can connect by the address alone. */
  readonly hasOauth: boolean;
  /** The name under which clients list the MCP server; letters, digits and hyphens. */
  readonly serverName: string;
}

/** What to paste into a client. */
export interface Snippet {
  readonly id: string;
  readonly program: string;
  /** The program or file to paste it into, in a sentence that ends with a colon. */
  readonly place: string;
  readonly text: string;
  /** The program, if it is another one than the tab is for first. */
  readonly other?: string;
  /** What else to know. */
  readonly note?: string;
  /** An address that does the same with one click, or opens where to paste it. */
  readonly link?: { readonly label: string; readonly url: string };
}

/** A program and the ways to connect it. */
export interface Connection {
  readonly name: string;
  readonly snippets: readonly Snippet[];
}

/** Returns the name of an MCP server after the candidate's: `lena-vasquez`. */
export const serverNameOf = (candidateName: string): string =>
  candidateName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, 40) ?? 'candidate-profile';

/** mcp-remote connects clients that speak stdio alone. */
const bridge = 'mcp-remote@0.15.1';

/** Returns how to connect each program, in the order of the tabs: by the address alone if that is possible, then with the token. */
export function connectionsOf({ baseUrl, token, hasOauth, serverName }: Access): readonly Connection[] {
  const byToken = token === null ? [] : connectionsByToken({ baseUrl, token, serverName });
  if (!hasOauth) return byToken;
  const byAddress: readonly Connection[] = connectionsByAddress({ baseUrl, serverName });
  const names = [...new Set([...byAddress, ...byToken].map(({ name }) => name))];
  return names.map((name) => {
    const [address, withToken] = [byAddress, byToken].map((some) => some.find((one) => one.name === name)?.snippets);
    if (address === undefined) return { name, snippets: withToken! };
    const second = (withToken ?? []).map((snippet) => ({ ...snippet, other: `${snippet.program} with your token` }));
    return { name, snippets: [...address, ...second] };
  });
}

function connectionsByToken({
  baseUrl,
  token,
  serverName,
}: Pick<Access, 'baseUrl' | 'serverName'> & { token: string }) {
  const url = `${baseUrl}/mcp`;
  const authorization = `Bearer ${token}`;
  const remote = { url, headers: { Authorization: authorization } };
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return [
    {
      name: 'Claude',
      snippets: [
        {
          id: 'claude-code',
          program: 'Claude Code',
          place: 'Claude Code, in a terminal:',
          text: `claude mcp add --transport http ${serverName} \\\n  ${url} \\\n  --header "Authorization: ${authorization}"`,
        },
        {
          id: 'claude-desktop',
          program: 'Claude Desktop',
          other: 'Claude Desktop instead',
          place: 'In claude_desktop_config.json (Settings, Developer, Edit Config); it needs Node.js:',
          text: json({
            mcpServers: {
              [serverName]: {
                command: 'npx',
                // Without a space, at which Claude Desktop on Windows would split the argument.
                args: ['-y', bridge, url, '--transport', 'http-only', '--header', `Authorization:\${AUTHORIZATION}`],
                env: { AUTHORIZATION: authorization },
              },
            },
          }),
        },
      ],
    },
    {
      name: 'Cursor',
      snippets: [
        {
          id: 'cursor',
          program: 'Cursor',
          place: 'Cursor, in .cursor/mcp.json:',
          text: json({ mcpServers: { [serverName]: remote } }),
          link: {
            label: 'Add to Cursor',
            url: `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${encodeURIComponent(btoa(JSON.stringify(remote)))}`,
          },
        },
      ],
    },
    {
      name: 'VS Code',
      snippets: [
        {
          id: 'vscode',
          program: 'VS Code',
          place: 'VS Code, in .vscode/mcp.json:',
          text: json({ servers: { [serverName]: { type: 'http', ...remote } } }),
          link: {
            label: 'Add to VS Code',
            url: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, type: 'http', ...remote }))}`,
          },
        },
      ],
    },
    {
      name: 'curl',
      snippets: [
        {
          id: 'curl',
          program: 'curl',
          place: 'In a terminal:',
          text: `curl ${baseUrl}/experience \\\n  -H "Authorization: ${authorization}"`,
        },
      ],
    },
    {
      name: 'TypeScript',
      snippets: [
        {
          id: 'types',
          program: 'TypeScript',
          place: 'The types, from the OpenAPI document:',
          text: typesCommands(baseUrl),
        },
        {
          id: 'typescript',
          program: 'TypeScript',
          place: 'Then, in example.mts, which Node.js 24 runs:',
          text: `${clientProgram({ baseUrl, token })}
const { data } = await client.GET('/experience');
console.log(data);`,
        },
      ],
    },
  ];
}

/** Packages that are published, pinned: what a page names is what people run. */
const versions = { fetch: '0.17.0', types: '7.13.0' };

/** The commands that get openapi-fetch, and the types of the service for it. */
export const typesCommands = (baseUrl: string): string =>
  `npm install openapi-fetch@${versions.fetch}\nnpx openapi-typescript@${versions.types} \\\n  ${baseUrl}/openapi.json -o profile.ts`;

/** The beginning of a program with openapi-fetch; without a token it can call what needs none. */
export const clientProgram = ({ baseUrl, token }: Pick<Access, 'baseUrl' | 'token'>): string =>
  `import createClient from 'openapi-fetch';
import type { paths } from './profile.ts';

const client = createClient<paths>({
  baseUrl: '${baseUrl}',${token === null ? '' : `\n  headers: { Authorization: 'Bearer ${token}' },`}
});`;
