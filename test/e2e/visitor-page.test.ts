import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, suite, test } from 'node:test';
import { nameReadBy, serverIn } from '../support/configured-server.ts';
import { makeFolder } from '../support/files.ts';
import { connectByAddress } from '../support/oauth.ts';
import { openVisitor, snippetOf } from '../support/pages.ts';
import { startService } from '../support/process.ts';
import { paste } from '../support/shell.ts';

suite('what the page gives works as it is pasted', async () => {
  const service = await startService({ after });
  const ask = (path: string, init?: RequestInit) => fetch(service.url + path, init);
  const visitor = openVisitor({ ask });
  await visitor.getAccess('you@example.org');
  await visitor.showToken();
  const page = await (await visitor.get('/')).text();

  const skip = spawnSync('curl', ['--version']).status !== 0 && 'needs curl';
  test('into a terminal, with curl', { skip }, async () => {
    const { stdout } = await paste(snippetOf(page, 'curl'), makeFolder());
    assert.equal(JSON.parse(stdout)[0].company, 'Confluent');
  });

  for (const [title, id] of [
    ['Claude Desktop', 'claude-desktop'],
    ['Cursor', 'cursor'],
    ['VS Code', 'vscode'],
  ] as const)
    test(`into the configuration of ${title}`, async (t) => {
      assert.equal(await nameReadBy(t, serverIn(snippetOf(page, id))), 'Dr. Lena Vasquez');
    });

  const pasted = (id: string) => snippetOf(page, id);
  for (const [title, url] of [
    ['Claude', pasted('claude-address')],
    ['Claude Code', pasted('claude-code-address').split(/\s+/).at(-1)],
    ['ChatGPT', pasted('chatgpt-address')],
    ['Cursor', serverIn(pasted('cursor-address')).url],
    ['VS Code', serverIn(pasted('vscode-address')).url],
  ] as const)
    test(`the address alone, as given for ${title}, is enough for a client that knows OAuth`, async (t) => {
      const client = await connectByAddress(new URL(url!).origin, {});
      t.after(() => client.close());
      const { structuredContent } = await client.callTool({ name: 'get_candidate', arguments: {} });
      assert.equal((structuredContent as { data: { name: string } }).data.name, 'Dr. Lena Vasquez');
      assert.equal(url, `${service.url}/mcp`);
    });

  test('into a terminal, for Claude Code', async (t) => {
    // The program itself is not an npm package that could be run here: its arguments are read as its documentation has them.
    const [, , , , transport, , url = '', , header = ''] = snippetOf(page, 'claude-code')
      .replaceAll('\\\n', '')
      .match(/"[^"]*"|\S+/g)!;
    assert.equal(transport, 'http');
    const [name = '', value = ''] = header.slice(1, -1).split(': ');
    assert.equal(await nameReadBy(t, { url, headers: { [name]: value } }), 'Dr. Lena Vasquez');
  });
});
