import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { newFolder } from '../../support/files.ts';
import { freePort } from '../../support/free-port.ts';
import { clientOf } from '../../support/mcp-service.ts';
import { allow, browserOf } from '../../support/oauth.ts';
import { eventually, startService } from '../../support/process.ts';

const proxy = fileURLToPath(new URL('../../../node_modules/mcp-remote/dist/proxy.js', import.meta.url));

for (const host of ['127.0.0.1', 'localhost'])
  test(`mcp-remote connects to http://${host} by the address, calls a tool, and does again without asking`, async (t) => {
    const { baseUrl } = await startService(t);
    const { port: servicePort } = new URL(baseUrl);
    const home = newFolder(t);
    const port = String(await freePort());
    async function open(answer?: (stderr: () => string) => Promise<unknown>) {
      // An empty path: no program is found that could open a browser.
      const env = { PATH: '', HOME: home, MCP_REMOTE_CONFIG_DIR: home };
      const args = [
        proxy,
        `http://${host}:${servicePort}/mcp`,
        port,
        '--transport',
        'http-only',
        '--auth-timeout',
        '300',
      ];
      const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' });
      let stderr = '';
      transport.stderr!.on('data', (chunk: Buffer) => {
        stderr += chunk;
      });
      const client = clientOf('legacy');
      t.after(() => client.close());
      await Promise.all([client.connect(transport), answer?.(() => stderr)]);
      const { structuredContent } = await client.callTool({ name: 'get_candidate', arguments: {} });
      assert.equal((structuredContent as { data: { id: string } }).data.id, 'cand_lena_vasquez');
      await client.close();
      return stderr;
    }
    await open(async (stderr) => {
      const printed = await eventually(() => /^\S+\/oauth\/authorize\?\S+$/m.exec(stderr())?.[0] ?? false);
      const browser = browserOf((url, init) => fetch(url, init), baseUrl);
      const back = await allow(browser, new URL(printed), 'ada@example.org', `http://localhost:${port}/oauth/callback`);
      assert.equal((await fetch(back)).status, 200);
    });
    assert.doesNotMatch(await open(), /oauth\/authorize\?/);
  });
