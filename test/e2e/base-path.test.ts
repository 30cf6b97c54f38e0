import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { ownSegments, readConfig } from '../../src/service/config/config.ts';
import { confirmLink, formPost, formTokenOf } from '../support/desk.ts';
import { fixture } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { openTestService } from '../support/in-process.ts';
import { type ClientMemory, connectByAddress } from '../support/oauth.ts';
import { openVisitor, textOf } from '../support/pages.ts';
import { runCommand, startService } from '../support/process.ts';

suite('Below a path of its host', { concurrency: true }, async () => {
  const PORT = `${await freePort()}`;
  const origin = `http://127.0.0.1:${PORT}`;
  const BASE_URL = `${origin}/cv`;
  const service = startService({ after }, { PROFILE: fixture('profile.yaml'), PORT, BASE_URL });
  const statusOf = async (path: string, init?: RequestInit) => (await fetch(origin + path, init)).status;

  test('a proxy may keep the path or remove it', async () => {
    await service;
    const headers = { accept: 'text/html' };
    for (const kept of ['/cv', ''])
      for (const path of ['/', '/readyz', '/docs', '/openapi.json', '/candidate', '/nowhere'])
        assert.equal(
          await statusOf(kept + path, { headers }),
          { '/candidate': 401, '/nowhere': 404 }[path] ?? 200,
          kept + path,
        );
    assert.equal(await statusOf('/cv', { headers }), 200);
    assert.equal(await statusOf('/cv?q=1', { headers }), 200);
    assert.equal(await statusOf('/cvs', { headers }), 404);
    assert.equal(await statusOf('/cvs/readyz', { headers }), 404);
  });

  test('a token reads by either, again and again', async () => {
    const authorization = `Bearer ${await (await service).token()}`;
    for (const path of ['/cv/experience?current=true', '/experience?current=true', '/cv/experience?current=true'])
      assert.equal(await statusOf(path, { headers: { authorization } }), 200, path);
    const { url } = (await (await fetch(`${BASE_URL}/resume?format=pdf`, { headers: { authorization } })).json()) as {
      url: string;
    };
    assert.ok(url.startsWith(`${BASE_URL}/files/resume.pdf?`));
    assert.equal((await fetch(url)).headers.get('content-type'), 'application/pdf');
  });

  test('what a page leads to is below the path, and a visitor opens the profile', async () => {
    await service;
    const visitor = openVisitor({ ask: (path, init) => fetch(origin + path, init) });
    const page = await (await visitor.get('/cv/')).text();
    const local = [...page.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, path]) => path!);
    assert.ok(local.length > 5, `${local}`);
    assert.deepEqual(
      local.filter((path) => !path.startsWith('/cv/')),
      [],
    );
    for (const path of local.filter((one) => !one.includes('#'))) assert.equal(await statusOf(path), 200, path);
    const opened = await visitor.post('/cv/', { email: 'ada@example.com' }, '/cv/');
    assert.match(textOf(await opened.text()), /ada@example\.com/);
  });

  test('the owner signs in at the desk below the path', async (t) => {
    const { code, stdout, stderr } = await runCommand(t, ['desk'], { PORT, BASE_URL }, (await service).folder);
    assert.equal(code, 0, stderr);
    const url = stdout.match(/^http\S+/m)![0];
    assert.ok(url.startsWith(`${BASE_URL}/desk/`), url);
    const cookie = await confirmLink(url, (address, init) => fetch(address, init));
    const desk = await (await fetch(`${BASE_URL}/desk`, { headers: { cookie } })).text();
    assert.match(desk, /href="\/cv\/desk\/share"/);
    const form = formPost({ form_token: formTokenOf(desk) }, { cookie });
    const left = await fetch(`${BASE_URL}/desk/sign-out`, { ...form, redirect: 'manual' });
    assert.match(left.headers.get('location') ?? '', /^\/cv\/desk/);
  });

  test('clients of OAuth find the metadata at the root of the host, and connect', async () => {
    await service;
    const metadata = async (path: string) =>
      (await (await fetch(`${origin}/.well-known/${path}`)).json()) as Record<string, unknown>;
    for (const path of [
      'oauth-authorization-server/cv',
      'openid-configuration/cv',
      'oauth-authorization-server/cv/mcp',
    ])
      assert.equal((await metadata(path)).issuer, BASE_URL, path);
    assert.equal((await metadata('oauth-protected-resource/cv/mcp')).resource, `${BASE_URL}/mcp`);
    assert.equal((await metadata('oauth-protected-resource/cv')).resource, BASE_URL);
    const memory: ClientMemory = {};
    const client = await connectByAddress(BASE_URL, memory);
    assert.ok(!(await client.callTool({ name: 'get_candidate', arguments: {} })).isError);
    await client.close();
  });
});

test('a path that could be one of the service is left to the proxy, which has to remove it', async (t) => {
  const config = (BASE_URL: string) => readConfig({ BASE_URL, ALLOW_SAMPLE: 'true' }, '.').keptPath;
  const kept = ['', '/', '/cv/', '/me/cv', '/resume', '/a/resume'].map((path) => config(`https://example.net${path}`));
  assert.deepEqual(kept, ['', '', '/cv', '', '', '/a/resume']);
  const service = await openTestService();
  t.after(service.close);
  const segments = new Set((await service.app.routes()).map(({ path }) => path.split('/')[1]!));
  assert.deepEqual([...segments].filter((segment) => /^[^.]+$/.test(segment)).sort(), [...ownSegments].sort());
});
