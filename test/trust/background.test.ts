import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { background, backgroundProfile, writeBackgroundProfile } from '../support/background-profile.ts';
import { fixture } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { connectTo, eras } from '../support/mcp-service.ts';
import { openVisitor } from '../support/pages.ts';
import { runCommand } from '../support/process.ts';

// Parity with the key is in test/contract/parity.test.ts; here is the profile without it, and the key that comes and goes.

const withoutKey = readFileSync(fixture('profile.yaml'), 'utf8');
const uri = 'candidate-profile://profile/background';

const read = async (response: Response) => [response.status, [...response.headers], await response.text()];

suite('without the key', async () => {
  const service = await openTestService({ MCP_MUTATIONS: 'true' });
  after(service.close);
  const { token, ask } = service;

  test('each method of the path is answered as that of an unknown one, with and without a token', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
      for (const headers of [
        {},
        { authorization: `Bearer ${token}` },
        { authorization: 'Bearer nonsense' },
        { accept: 'text/html' },
      ] as Record<string, string>[])
        for (const ending of ['', '/', '?x=1']) {
          const answer = await read(await ask(`/background${ending}`, { method, headers }));
          assert.equal(answer[0], 404);
          assert.deepEqual(answer, await read(await ask(`/unknown${ending}`, { method, headers })));
        }
  });

  for (const era of eras)
    test(`a client of the ${era} era has exactly nine tools and six resources`, async () => {
      const client = await connectTo(service, era);
      const { tools } = await client.listTools();
      const { resources } = await client.listResources();
      assert.equal(tools.length, 9);
      assert.equal(resources.length, 6);
      const call = client.callTool({ name: 'get_background', arguments: {} });
      await assert.rejects(call, { code: -32602, message: /Unknown tool, take a name from tools\/list/ });
      await assert.rejects(client.readResource({ uri }), { code: -32602, message: /Unknown resource/ });
      const { messages } = await client.getPrompt({ name: 'candidate_profile_summary' });
      assert.doesNotMatch(JSON.stringify(messages), /background/);
    });

  test('the command line says that the profile does not offer it', async (t) => {
    const { code, stderr } = await runCommand(t, ['call', 'get_background'], { PROFILE: fixture('profile.yaml') });
    assert.deepEqual([code, stderr], [1, 'NOT_FOUND: The profile does not offer get_background.\n']);
  });
});

test('the key is followed when the profile is saved, on every surface', async (t) => {
  const file = writeBackgroundProfile(t);
  const service = await openTestService({ PROFILE: file });
  t.after(service.close);
  const { get, ask, app, opened, token } = service;
  const clients = [await connectTo(service, 'modern'), await connectTo(service, 'legacy')];
  const target = { host: '127.0.0.1:3000', target: '/background', ifNoneMatch: null, userAgent: null };
  const again = () =>
    app.replyAtOnce({ ...target, authorization: `Bearer ${token}` }, { address: null, requestId: null });
  /** The statuses with and without a token and of a repeated read, the documents that name it, and what clients list. */
  const offered = async () => [
    [(await get('/background')).status, (await ask('/background')).status, again()?.status],
    await Promise.all(
      ['/openapi.json', '/docs', '/docs/mcp', '/llms.txt'].map(async (path) =>
        /get_background|\/background/.test(await (await ask(path)).text()),
      ),
    ),
    await Promise.all(
      clients.map(async (client) => [
        (await client.listTools({}, { cacheMode: 'refresh' })).tools.length,
        (await client.listResources({}, { cacheMode: 'refresh' })).resources.length,
      ]),
    ),
  ];
  const all = [[200, 401, 200], Array(4).fill(true), Array(2).fill([8, 7])];
  const none = [[404, 404, undefined], Array(4).fill(false), Array(2).fill([7, 6])];
  const save = (profile: string) => {
    writeFileSync(file, profile);
    opened.profile.reload();
  };

  assert.deepEqual(await offered(), all);
  save(backgroundProfile.replace('background: true', 'background: false'));
  assert.deepEqual(await offered(), none);
  save(backgroundProfile.replace('Diver', 'Sailor'));
  assert.deepEqual(await offered(), all);
  assert.deepEqual(await (await get('/background')).json(), {
    ...background,
    certifications: [{ ...background.certifications[0], name: 'Sailor' }],
  });
  save(withoutKey);
  assert.deepEqual(await offered(), none);
});

test('a subscriber is notified when the lists change, and of the resource', { timeout: 60_000 }, async (t) => {
  const file = writeBackgroundProfile(t);
  const service = await openTestService({ PROFILE: file });
  t.after(service.close);
  const client = await connectTo(service, 'modern');
  t.after(() => client.close());
  const methods = [
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
    'notifications/resources/updated',
  ] as const;
  const notified = methods.map((method) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    client.setNotificationHandler(method, () => resolve(method));
    return promise;
  });
  await client.listen({ toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [uri] });
  writeFileSync(file, withoutKey);
  service.opened.profile.reload();
  assert.deepEqual(await Promise.all(notified), [...methods]);
});

test('no answer to a program has notes, references, interests, photo, phone or e-mail address', async (t) => {
  const file = writeBackgroundProfile(t);
  const notes = 'notes: [Nobody reads this]\n';
  writeFileSync(file, notes + backgroundProfile.replace('  interests:', '  photo: portrait.jpg\n  interests:'));
  const service = await openTestService({ PROFILE: file });
  t.after(service.close);
  const { get, ask } = service;
  const { paths } = (await (await ask('/openapi.json')).json()) as { paths: Record<string, object> };
  const reads = Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []));
  assert.ok(reads.includes('/background'));
  const entries = ['/experience/exp_now', '/projects/proj_plain', '/', '/docs', '/docs/mcp', '/llms.txt'];
  const answers = await Promise.all([...reads, ...entries].map(async (path) => (await get(path)).text()));
  answers.push(await (await get('/', { accept: 'text/markdown' })).text());
  for (const era of eras) {
    const client = await connectTo(service, era);
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    for (const { name } of tools) answers.push(JSON.stringify(await client.callTool({ name, arguments: {} })));
    for (const { uri } of resources) answers.push(JSON.stringify(await client.readResource({ uri })));
    answers.push(JSON.stringify([tools, resources, await client.getPrompt({ name: 'candidate_profile_summary' })]));
  }
  assert.match(answers.join(), /Repair Café.*Repair Café/s);
  assert.doesNotMatch(answers.join(), /Nobody reads|Rui Reference|Tess is kind|Kites|portrait|tess@|owner@|555 0100/);
  // The page has what the PDF prints.
  const page = await (await openVisitor(service).post('/profile', { token: service.token })).text();
  assert.match(page, /Rui Reference/);
  assert.doesNotMatch(page, /owner@|Nobody reads/);
});

test('a profile that has nothing of the kind offers an empty background', async (t) => {
  const file = writeBackgroundProfile(t);
  writeFileSync(file, `${withoutKey}  education: []\n  sections: [{title: Talks, entries: []}]\nbackground: true\n`);
  const service = await openTestService({ PROFILE: file });
  t.after(service.close);
  assert.equal(await (await service.get('/background')).text(), '{}');
});
