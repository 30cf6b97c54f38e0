import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../../support/files.ts';
import { freePort } from '../../support/free-port.ts';
import { allow, browserOf } from '../../support/oauth.ts';
import { callsOf } from '../../support/oauth-flow.ts';
import { startProcess } from '../../support/process.ts';

const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

test('the official suite passes against the authorization server: its metadata, and a code for tokens', async (t) => {
  const { baseUrl } = await startProcess(t, { LOG_LEVEL: 'fatal' });
  const service = callsOf(baseUrl, (url, init) => fetch(url, init));
  const port = await freePort();
  const redirectUri = `http://127.0.0.1:${port}/callback`;
  const { body } = await service.register({ client_name: 'Conformance', redirect_uris: [redirectUri] });
  const client = ['--client-id', String(body.client_id), '--resource', `${baseUrl}/mcp`, '--port', String(port)];
  const run = spawn(process.execPath, [suite, 'authorization', '--url', baseUrl, ...client], { cwd: newFolder(t) });
  t.after(() => void run.kill('SIGKILL'));
  const exited = once(run, 'close');
  const errors = text(run.stderr);
  const lines: string[] = [];
  for await (const line of createInterface(run.stdout)) {
    lines.push(line);
    if (!line.startsWith(`${baseUrl}/oauth/authorize?`)) continue;
    // The suite waits for a person to open this address.
    const back = await allow(browserOf(service.fetch, baseUrl), new URL(line), 'ada@example.org', redirectUri);
    await fetch(back);
  }
  const [code] = await exited;
  assert.equal(code, 0, lines.join('\n') + (await errors));
  assert.match(
    lines.join('\n'),
    /✓ authorization-server-metadata-endpoint: 2 passed, 0 failed\n.*✓ authorization-code-grant: 1 passed, 0 failed/s,
  );
});
