import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { openVisitor } from '../support/pages.ts';
import { eventually, runCommand, startService } from '../support/process.ts';

test('two processes open a link that a third one made, and refuse it once it ended; no log has its code', async (t) => {
  const metrics = [await freePort(), await freePort()];
  const port = await freePort();
  const env = { PROFILE: fixture('profile.yaml'), BASE_URL: `http://127.0.0.1:${port}` };
  const first = await startService(t, { ...env, PORT: String(port), METRICS_PORT: String(metrics[0]) });
  const second = await startService(t, { ...env, METRICS_PORT: String(metrics[1]) }, first.folder);
  const services = [first, second].map(({ url }) => ({
    ask: (path: string, init?: RequestInit) => fetch(url + path, init),
  }));
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(t, args, env, first.folder);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const { id, url } = JSON.parse(await run('share', 'new', 'Acme', '--json')) as { id: string; url: string };
  const path = url.slice(env.BASE_URL.length);

  const visits = await Promise.all(
    services.map(async (service) => {
      const visitor = openVisitor(service);
      assert.match(await (await visitor.post(path, {}, path)).text(), /You are here through a link\./);
      return { ...visitor, token: await visitor.showToken() };
    }),
  );
  const statusesOf = (read: string, init?: RequestInit) =>
    Promise.all(services.map(async ({ ask }) => (await ask(read, init)).status));
  const withTokens = async () =>
    (
      await Promise.all(
        visits.map(({ token }) => statusesOf('/candidate', { headers: { authorization: `Bearer ${token}` } })),
      )
    ).flat();
  assert.deepEqual(await withTokens(), [200, 200, 200, 200]);
  const code = path.slice('/s/'.length);
  const forged = code.replace(/.../, 'AAA');
  assert.deepEqual(await statusesOf(`/s/${forged}`), [404, 404]);

  await run('share', 'end', id, '--yes');
  assert.deepEqual(await statusesOf(path), [404, 404]);
  for (const visitor of visits)
    assert.match(await (await visitor.get('/')).text(), /Your access from this browser has ended/);
  const endedAt = performance.now();
  await eventually(async () => (await withTokens()).every((status) => status === 401));
  t.diagnostic(`tokens refused after ${Math.round(performance.now() - endedAt)} ms`);

  for (const metricsPort of metrics) {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    assert.match(text, /operation="get_candidate"/);
    for (const secret of [code, code.slice(8), forged, 'Acme', id]) assert.ok(!text.includes(secret), secret);
  }
  const logged = [first, second].flatMap(({ lines, printed }) => [...lines, ...printed]).join('\n');
  assert.match(logged, /get_candidate/);
  for (const secret of [code, code.slice(8), forged]) assert.ok(!logged.includes(secret), secret);
});
