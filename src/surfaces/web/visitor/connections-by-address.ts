/** Returns how to connect clients of MCP by the address alone: they ask for the rest on the pages of the authorization server. */
export function connectionsByAddress({ baseUrl, serverName }: { baseUrl: string; serverName: string }) {
  const url = `${baseUrl}/mcp`;
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return [
    {
      name: 'Claude',
      snippets: [
        {
          id: 'claude-address',
          program: 'Claude',
          place:
            'Claude, on the web or on the desktop: choose Customize, Connectors, + and Add custom connector, and paste this URL:',
          text: url,
          ...remoteNoteOf('Claude', baseUrl),
          link: { label: 'Open Connectors', url: 'https://claude.ai/customize/connectors' },
        },
        {
          id: 'claude-code-address',
          program: 'Claude Code',
          other: 'Claude Code instead',
          place: 'Claude Code, in a terminal:',
          text: `claude mcp add --transport http ${serverName} \\\n  ${url}`,
          note: 'Then enter /mcp in Claude Code, choose the server, and Authenticate.',
        },
      ],
    },
    {
      name: 'ChatGPT',
      snippets: [
        {
          id: 'chatgpt-address',
          program: 'ChatGPT',
          place:
            'ChatGPT, on the web: choose Settings, Apps and Advanced settings, and turn on Developer mode. Then choose Create app, with OAuth and this MCP server URL:',
          text: url,
          ...remoteNoteOf('ChatGPT', baseUrl),
          link: { label: 'Open Settings', url: 'https://chatgpt.com/#settings/Connectors' },
        },
      ],
    },
    {
      name: 'Cursor',
      snippets: [
        {
          id: 'cursor-address',
          program: 'Cursor',
          place: 'Cursor, in .cursor/mcp.json:',
          text: json({ mcpServers: { [serverName]: { url } } }),
          link: {
            label: 'Add to Cursor',
            url: `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
          },
        },
      ],
    },
    {
      name: 'VS Code',
      snippets: [
        {
          id: 'vscode-address',
          program: 'VS Code',
          place: 'VS Code, in .vscode/mcp.json:',
          text: json({ servers: { [serverName]: { type: 'http', url } } }),
          link: {
            label: 'Add to VS Code',
            url: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, type: 'http', url }))}`,
          },
        },
      ],
    },
  ];
}

/** The note for a program whose maker's servers connect, not the visitor's machine, if they can't reach the address. */
const remoteNoteOf = (program: string, baseUrl: string): { note?: string } =>
  baseUrl.startsWith('https://')
    ? {}
    : { note: `${program} connects over the internet, by https alone: it cannot reach this address.` };
