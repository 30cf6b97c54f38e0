import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toKnownName } from '../../../src/surfaces/web/format.ts';

test('a client is called by its known name, a browser with its version, any other by its own name', () => {
  const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const names = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0': 'Firefox 145',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/142.0.0.0 Safari/537.36`]: 'Chrome 142',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`]: 'Edge 142',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15':
      'Safari 18',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1':
      'Chrome 142',
    [`Mozilla/5.0 (X11; Linux x86_64) ${engine} Chrome/142.0.0.0 Safari/537.36 OPR/124.0.0.0`]: 'Opera 124',
    'Mozilla/5.0 (compatible; SomeBot/1.0)': 'Mozilla/5.0 (compatible; SomeBot/1.0)',
    'curl/8.5.0': 'curl/8.5.0',
    'claude-code 2.0': 'Claude Code',
    'claude-cli/2.0.14 (external, cli)': 'Claude Code',
    'Anthropic/Toolbox 1.0.0': 'Claude',
    'claude-ai 0.1.0': 'Claude',
    [`Mozilla/5.0 ${engine}; compatible; Claude-User/1.0; +Claude-User@anthropic.com)`]: 'Claude',
    'openai-mcp 1.0.0': 'ChatGPT',
    ChatGPT: 'ChatGPT',
    [`Mozilla/5.0 ${engine}; compatible; ChatGPT-User/1.0; +https://openai.com/bot`]: 'ChatGPT',
    'cursor-vscode 1.0.0': 'Cursor',
    'Visual Studio Code 1.106.0': 'VS Code',
    'codex-mcp-client 0.60': 'Codex',
    'gemini-cli-mcp-client 0.15': 'Gemini CLI',
    'vscode 1.106.0': 'VS Code',
    'windsurf-client 1.0.0': 'Windsurf',
    'goose 1.12.0': 'Goose',
    'mcp-inspector 0.17.2': 'MCP Inspector',
    'Zed 0.214': 'Zed',
    'Claude Desktop': 'Claude Desktop',
    'my-claude-ai-helper 1': 'my-claude-ai-helper 1',
    'python-httpx/0.27.0': 'python-httpx/0.27.0',
  };
  for (const [client, name] of Object.entries(names)) assert.equal(toKnownName(client), name);
});
