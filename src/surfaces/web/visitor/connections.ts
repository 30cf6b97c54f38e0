import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { formatDay } from '../format.ts';
import { codeBlock, copyButton, type Html, type Site, tabs } from '../page.ts';
import type { ShownVisit } from './visitor-sessions.ts';

interface Snippet {
  readonly id: string;
  readonly tab: string;
  /** The program or file to paste it into, in a sentence that ends with a colon. */
  readonly place: string;
  readonly text: string;
  /** The program, if the tab has another name. */
  readonly program?: string;
  /** The title of another way in the same tab. */
  readonly other?: string;
  readonly note?: string;
  /** An address that does the same with one click, or opens the place for pasting. */
  readonly link?: { readonly label: string; readonly url: string };
}

/** The name of the MCP server in clients, after the candidate's: letters, digits and hyphens. */
const serverNameOf = (candidateName: string): string =>
  candidateName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, 40) ?? 'candidate-profile';

/** mcp-remote connects clients that support only stdio. */
const bridge = 'mcp-remote@0.15.1';

/**
 * Returns the instructions for each program, in the order of the tabs: by the address if OAuth is on, then with the token,
 * which is null before access.
 */
export function connectionsOf(
  { baseUrl, hasOauth }: Pick<Site, 'baseUrl' | 'hasOauth'>,
  candidateName: string,
  token: string | null,
): ReadonlyMap<string, readonly Snippet[]> {
  const serverName = serverNameOf(candidateName);
  const byAddress = hasOauth ? snippetsByAddress(baseUrl, serverName) : [];
  const byToken = token === null ? [] : snippetsByToken(baseUrl, serverName, token);
  const isSecond = ({ tab }: Snippet) => byAddress.some((snippet) => snippet.tab === tab);
  const second = byToken.map((snippet) =>
    isSecond(snippet) ? { ...snippet, other: `${snippet.program ?? snippet.tab} with your token` } : snippet,
  );
  return Map.groupBy([...byAddress, ...second], ({ tab }) => tab);
}

const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** The editors, which connect to `remote` by a file or with one click. */
const editorsOf = (serverName: string, remote: { url: string; headers?: object }, suffix = ''): readonly Snippet[] => [
  {
    id: `cursor${suffix}`,
    tab: 'Cursor',
    place: 'Cursor, in .cursor/mcp.json:',
    text: toJson({ mcpServers: { [serverName]: remote } }),
    link: {
      label: 'Add to Cursor',
      url: `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${encodeURIComponent(btoa(JSON.stringify(remote)))}`,
    },
  },
  {
    id: `vscode${suffix}`,
    tab: 'VS Code',
    place: 'VS Code, in .vscode/mcp.json:',
    text: toJson({ servers: { [serverName]: { type: 'http', ...remote } } }),
    link: {
      label: 'Add to VS Code',
      url: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, type: 'http', ...remote }))}`,
    },
  },
];

function snippetsByToken(baseUrl: string, serverName: string, token: string): readonly Snippet[] {
  const url = `${baseUrl}/mcp`;
  const authorization = `Bearer ${token}`;
  return [
    {
      id: 'claude-code',
      tab: 'Claude',
      program: 'Claude Code',
      place: 'Claude Code, in a terminal:',
      text: `claude mcp add --transport http ${serverName} \\\n  ${url} \\\n  --header "Authorization: ${authorization}"`,
    },
    {
      id: 'claude-desktop',
      tab: 'Claude',
      program: 'Claude Desktop',
      other: 'Claude Desktop instead',
      place: 'In claude_desktop_config.json (Settings, Developer, Edit Config); it needs Node.js:',
      text: toJson({
        mcpServers: {
          [serverName]: {
            command: 'npx',
            // Without spaces, because Claude Desktop on Windows would split the argument.
            args: ['-y', bridge, url, '--transport', 'http-only', '--header', `Authorization:\${AUTHORIZATION}`],
            env: { AUTHORIZATION: authorization },
          },
        },
      }),
    },
    ...editorsOf(serverName, { url, headers: { Authorization: authorization } }),
    {
      id: 'curl',
      tab: 'curl',
      place: 'In a terminal:',
      text: `curl ${baseUrl}/experience \\\n  -H "Authorization: ${authorization}"`,
    },
    {
      id: 'types',
      tab: 'TypeScript',
      place: 'The types, from the OpenAPI document:',
      text: typesCommands(baseUrl),
    },
    {
      id: 'typescript',
      tab: 'TypeScript',
      place: 'Then, in example.mts, which Node.js 24 runs:',
      text: `${clientProgram(baseUrl, token)}
const { data } = await client.GET('/experience');
console.log(data);`,
    },
  ];
}

/** MCP clients that need only the address: the pages of the authorization server ask for the rest. */
function snippetsByAddress(baseUrl: string, serverName: string): readonly Snippet[] {
  const url = `${baseUrl}/mcp`;
  return [
    {
      id: 'claude-address',
      tab: 'Claude',
      place:
        'Claude, on the web or on the desktop: choose Customize, Connectors, + and Add custom connector, and paste this URL:',
      text: url,
      ...remoteNoteOf('Claude', baseUrl),
      link: { label: 'Open Connectors', url: 'https://claude.ai/customize/connectors' },
    },
    {
      id: 'claude-code-address',
      tab: 'Claude',
      other: 'Claude Code instead',
      place: 'Claude Code, in a terminal:',
      text: `claude mcp add --transport http ${serverName} \\\n  ${url}`,
      note: 'Then enter /mcp in Claude Code, choose the server, and Authenticate.',
    },
    {
      id: 'chatgpt-address',
      tab: 'ChatGPT',
      place:
        'ChatGPT, on the web: choose Settings, Apps and Advanced settings, and turn on Developer mode. Then choose Create app, with OAuth and this MCP server URL:',
      text: url,
      ...remoteNoteOf('ChatGPT', baseUrl),
      link: { label: 'Open Settings', url: 'https://chatgpt.com/#settings/Connectors' },
    },
    ...editorsOf(serverName, { url }, '-address'),
  ];
}

/** Whether programs that connect from their makers' servers, not from the visitor's machine, can reach the service. */
const isReachable = (baseUrl: string): boolean => baseUrl.startsWith('https://');

/** Returns the programs that a sentence names beside Cursor; they can reach the service. */
export const namedPrograms = ({ baseUrl }: Pick<Site, 'baseUrl'>) =>
  isReachable(baseUrl) ? { one: html`Claude`, other: html`ChatGPT` } : { one: html`Claude Code`, other: html`VS Code` };

const remoteNoteOf = (program: string, baseUrl: string): { note?: string } =>
  isReachable(baseUrl)
    ? {}
    : { note: `${program} connects over the internet, by https alone: it cannot reach this address.` };

/** Published packages, pinned, because people run the versions that a page names. */
const versions = { fetch: '0.17.0', types: '7.13.0' };

/** The commands that install openapi-fetch and generate the service's types for it. */
export const typesCommands = (baseUrl: string): string =>
  `npm install openapi-fetch@${versions.fetch}\nnpx openapi-typescript@${versions.types} \\\n  ${baseUrl}/openapi.json -o profile.ts`;

/** The beginning of a program with openapi-fetch; without a token it can call only public operations. */
export const clientProgram = (baseUrl: string, token: string | null): string =>
  `import createClient from 'openapi-fetch';
import type { paths } from './profile.ts';

const client = createClient<paths>({
  baseUrl: '${baseUrl}',${token === null ? '' : `\n  headers: { Authorization: 'Bearer ${token}' },`}
});`;

/** Explains how to connect an assistant; a visitor who came through a link is not asked for an e-mail address. */
const byAddressOf = (access: Access | null): string =>
  `An assistant needs the address alone: it opens a page here, on which you ${
    access?.session.token.subject.kind === 'link' ? '' : 'enter your e-mail address and '
  }allow it.`;

/** The access of a visitor; the token is null until they have asked to see it. */
interface Access extends ShownVisit {
  readonly token: string | null;
  /** Whether what visitors read is recorded. */
  readonly isRecorded: boolean;
  /** The program whose tab is open, from the form that shows the token; by default the first one. */
  readonly program: string | undefined;
}

/**
 * Shows how to use the profile from programs: before access, how to connect an assistant by the address; with access, also by
 * the token. The tabs are radio buttons, so they work without JavaScript.
 */
export function useIt(site: Site, candidateName: string, access: Access | null): Html {
  const token = access?.token ?? null;
  const connections = [...connectionsOf(site, candidateName, token)];
  const lead =
    access === null
      ? html`<p>As a connector, which some programs call an MCP server. ${byAddressOf(access)}</p>`
      : site.hasOauth
        ? html`<p class="small">${byAddressOf(access)}</p>`
        : '';
  return html`<div class="use-it no-print">
${lead}
${
  connections.length === 0
    ? ''
    : programTabs(connections, (text) => (token === null ? text : withMasked(text, token)), {
        program: access?.program,
        // Keeps the tab open.
        form: access !== null && token === null ? 'show-token' : undefined,
      })
}
${access === null ? '' : tokenOf(access, candidateName, site)}
</div>`;
}

type Connections = readonly (readonly [tab: string, snippets: readonly Snippet[]])[];

/** Shows the text to paste into each program, in tabs; `toCode` marks the reader's own values. `form` sends the open tab. */
export const programTabs = (
  connections: Connections,
  toCode: (text: string) => Html | string,
  { program, form }: { readonly program?: string | undefined; readonly form?: string | undefined } = {},
): Html =>
  tabs(
    {
      name: 'program',
      legend: 'Program',
      open: Math.max(
        0,
        connections.findIndex(([tab]) => slugOf(tab) === program),
      ),
      form,
    },
    connections.map(([tab, snippets]) => ({
      id: `tab-${slugOf(tab)}`,
      value: slugOf(tab),
      title: tab,
      content: html`${snippets.map((snippet) => {
        const shown = snippetOf(snippet, toCode(snippet.text));
        return snippet.other === undefined
          ? shown
          : html`<details class="small"><summary>${snippet.other}</summary>${shown}</details>`;
      })}`,
    })),
  );

/** The token, or the button that shows it: the page does not contain it before. */
function tokenOf({ session, formToken, token, isRecorded }: Access, candidateName: string, site: Site): Html {
  const about = html`<p class="small soft">It opens everything here, from any program; treat it as a password.
${isRecorded ? html`${toVisible(candidateName || 'The candidate')} sees what you read with it.` : ''}</p>`;
  return token === null
    ? html`<form class="token" id="show-token" method="post" action="${site.path('/profile/token')}">${formToken}
<p class="small">Other programs, and code of your own, need a token of yours.</p>
<p><button class="secondary">Show my token</button></p>
</form>`
    : html`<div class="token">
<h3 class="small">Your token <span class="beside soft">works until ${formatDay(session.token.expiresAt)}</span></h3>
<p class="token-box"><code class="masked" id="token" tabindex="0">${token}</code> ${copyButton('token')}</p>
${about}
</div>`;
}

const slugOf = (tab: string): string => tab.toLowerCase().replace(' ', '-');

const snippetOf = (
  { id, place, note, link }: Snippet,
  code: Html | string,
): Html => html`<p class="small soft">${place}</p>
${codeBlock(id, code, link === undefined ? '' : html`<a href="${link.url}">${link.label}</a>`)}
${note === undefined ? '' : html`<p class="small soft">${note}</p>`}`;

/** Only the style sheet cuts the token off, so that a selection copies the whole token. */
function withMasked(text: string, token: string): Html {
  const [before = '', ...after] = text.split(token);
  return html`${before}${after.map((rest) => html`<span class="masked">${token}</span>${rest}`)}`;
}
