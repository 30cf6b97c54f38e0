import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { samplePath } from '../../src/service/config/config.ts';
import { writeOfferingProfile } from '../support/background-profile.ts';
import { newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { connectTo, type Era, eras } from '../support/mcp-service.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, startService } from '../support/process.ts';

// That all surfaces give the same answers is tested in test/contract/parity.test.ts.

const marked = 'XYLOPHONE-4711';
const text = `Requirements:\n- Importers at ${marked}`;

async function open(t: TestContext, env: Record<string, string> = {}) {
  const service = await openTestService(env);
  t.after(service.close);
  const connect = (era: Era) => connectTo(service, era);
  return { ...service, connect };
}

test('a profile without the key has no such path and no such tool', async (t) => {
  const { ask, post, get, connect } = await open(t);
  const body = async (response: Response) => [response.status, await response.text()];
  const unknown = await body(await ask('/no-such-path', postJson({ text })));
  assert.deepEqual(await body(await post('/evidence', { text })), unknown);
  assert.deepEqual(await body(await ask('/evidence', postJson({ text }))), unknown);
  assert.equal((await get('/evidence')).status, 404);
  for (const path of [
    ...['/openapi.json', '/llms.txt', '/docs', '/docs/mcp', '/docs/client.ts', '/mcp/server-card'],
    '/.well-known/agent-skills/read-a-candidate/SKILL.md',
  ])
    assert.doesNotMatch(await (await ask(path)).text(), /evidence/, path);
  for (const era of eras) {
    const client = await connect(era);
    assert.doesNotMatch(JSON.stringify(await client.listTools()), /evidence/);
    await assert.rejects(client.callTool({ name: 'find_evidence', arguments: { text } }), { code: -32602 });
  }
});

test('with the key it needs a token and a JSON body, and has one method', async (t) => {
  const { ask, post, get, connect } = await open(t, { PROFILE: writeOfferingProfile(t) });
  assert.equal((await ask('/evidence', postJson({ text }))).status, 401);
  const answer = await post('/evidence', { text });
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
  const refused = await get('/evidence');
  assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST, OPTIONS']);
  assert.equal((await post('/evidence', { text: 7 })).status, 400);
  assert.equal((await post('/evidence', { text: 'x'.repeat(20_000) })).status, 200);
  assert.equal((await post('/evidence', { text: 'x'.repeat(20_001) })).status, 400);
  assert.equal((await post('/evidence', { text: 'x'.repeat(70_000) })).status, 413);
  assert.match(await (await ask('/llms.txt')).text(), /at \/evidence:/);
  for (const era of eras) {
    const { tools } = await (await connect(era)).listTools();
    const tool = tools.find(({ name }) => name === 'find_evidence');
    assert.deepEqual([tool?.annotations?.readOnlyHint, tool?.annotations?.idempotentHint], [true, true]);
  }
});

test('each text has the words that the other operations return at its id and place', async (t) => {
  const file = join(newFolder(t), 'profile.yaml');
  const profile = readFileSync(new URL('../../examples/every-section.yaml', import.meta.url), 'utf8');
  writeFileSync(file, `${profile.replace(/^background:.*\n/m, '')}\nbackground: true\nevidence: true\n`);
  const { post, get } = await open(t, { PROFILE: file });
  const read = async (path: string) => (await (await get(path)).json()) as Record<string, unknown>;
  const listed = (path: string) => read(path) as Promise<unknown> as Promise<{ id: string }[]>;
  const entries = [
    ...(await listed('/experience')),
    ...(await Promise.all((await listed('/projects')).map(({ id }) => read(`/projects/${id}`)))),
  ];
  const others = { ...(await read('/background')), skills: (await read('/resume')).skills };
  const words =
    'flood forecast hydrologist river Floodmap Python model sediment measurement diver teach lead map gauge';
  const answer = await post('/evidence', { text: `Requirements:\n- ${words.replaceAll(' ', '\n- ')}` });
  const { requirements } = (await answer.json()) as {
    requirements: { text: string; evidence: { id: string | null; place: string; words: string }[] }[];
  };
  assert.deepEqual(
    requirements.map((requirement) => requirement.text),
    words.split(' '),
  );
  const found = requirements.flatMap(({ evidence }) => evidence);
  for (const each of found) {
    const entry = each.id === null ? others : entries.find(({ id }) => id === each.id);
    const value = each.place.split('.').reduce((at: unknown, key) => Object(at)[key], entry);
    assert.equal(value, each.words, `${each.id} ${each.place}`);
    assert.deepEqual(Object.keys(each), ['id', 'place', 'words']);
  }
  const kinds = new Set(found.map(({ place }) => place.replaceAll(/\.?\d+/g, '')));
  assert.deepEqual(
    [...kinds].sort().join(' '),
    'certifications.name certifications.summary name roles.accomplishments roles.title skills summary tags',
  );
});

test('the list of tools has at most 9 kB with it, as an agent reads it before anything else', async (t) => {
  const file = join(newFolder(t), 'profile.yaml');
  writeFileSync(file, `${readFileSync(samplePath, 'utf8')}\nevidence: true\n`);
  const { connect } = await open(t, { PROFILE: file });
  for (const era of eras) {
    const { tools } = await (await connect(era)).listTools();
    assert.equal(tools.length, 8);
    const bytes = Buffer.byteLength(JSON.stringify({ tools }));
    assert.ok(bytes <= 9_000, `${bytes} bytes`);
  }
});

test('an answer is of the profile as it is now, also for the same text', async (t) => {
  const file = writeOfferingProfile(t);
  const { post, opened } = await open(t, { PROFILE: file });
  const found = async () => JSON.stringify(await (await post('/evidence', { text })).json());
  assert.match(await found(), /Wrote the importer/);
  writeFileSync(file, readFileSync(file, 'utf8').replace('Wrote the importer', 'Wrote the *importer* in Go'));
  opened.profile.reload();
  assert.match(await found(), /Wrote the \*importer\* in Go/);
});

test('neither the log, the record of reads, the audit log nor the database has the text of a job', async (t) => {
  const service = await startService(t, { PROFILE: writeOfferingProfile(t), LOG_LEVEL: 'debug', LIMITS: 'off' });
  const ask = (path: string, init?: RequestInit) => fetch(service.url + path, init);
  const token = await service.token();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await ask('/evidence', postJson({ text }, headers));
  assert.match(await answer.text(), new RegExp(marked));
  await ask('/evidence', postJson({ text, more: marked }, headers));
  await ask('/evidence', postJson({ text: [marked] }, headers));
  // A parser that quotes what it cannot read would write it to the log.
  for (const body of [`{"text": "${marked}`, `{"text": ${marked}}`, `${marked}`])
    assert.equal((await ask('/evidence', { ...postJson({}, headers), body })).status, 400);
  assert.equal((await ask('/evidence', postJson({ text: marked.repeat(2_000) }, headers))).status, 400);
  assert.equal((await ask('/evidence', postJson({ text: marked.repeat(20_000) }, headers))).status, 413);
  const client = await connectTo({ baseUrl: service.url, token }, 'modern');
  await client.callTool({ name: 'find_evidence', arguments: { text } });
  await client.callTool({ name: 'find_evidence', arguments: { text: 17, more: marked } });
  const record = async () => (await (await ask('/me', { headers })).json()) as { reads: Record<string, unknown>[] };
  await eventually(async () => (await record()).reads.length >= 3);
  const { reads } = await record();
  assert.deepEqual(
    reads.map(({ operation, item }) => [operation, item]),
    reads.map(() => ['find_evidence', null]),
  );
  for (const name of readdirSync(service.folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(service.folder, name);
    if (statSync(path).isFile()) assert.ok(!readFileSync(path).includes(marked), name);
  }
  assert.doesNotMatch([...service.lines, ...service.printed].join('\n'), new RegExp(marked));
});

test('a token searches 20 times a minute, over REST and MCP together; a refusal says when to go on', async (t) => {
  const { post, get, connect } = await open(t, { PROFILE: writeOfferingProfile(t), LIMITS: '1' });
  const client = await connect('modern');
  for (let n = 0; n < 10; n++) {
    assert.equal((await post('/evidence', { text })).status, 200);
    assert.equal((await client.callTool({ name: 'find_evidence', arguments: { text } })).isError, undefined);
  }
  const refused = await post('/evidence', { text });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await client.callTool({ name: 'find_evidence', arguments: { text } })).isError, true);
  assert.equal((await get('/candidate')).status, 200);
});

test('the tokens of a network search 60 times a minute together', async (t) => {
  const { ask, token } = await open(t, { PROFILE: writeOfferingProfile(t), LIMITS: '1' });
  const tokens = [token];
  for (const name of ['ada', 'grace', 'joan']) {
    const issued = await ask('/auth/token', postJson({ email: `${name}@example.org` }));
    tokens.push(((await issued.json()) as { access_token: string }).access_token);
  }
  const statuses: number[] = [];
  for (const each of tokens)
    for (let n = 0; n < 20; n++) {
      const { status } = await ask('/evidence', postJson({ text }, { authorization: `Bearer ${each}` }));
      statuses.push(status);
    }
  assert.deepEqual(statuses, [...Array(60).fill(200), ...Array(20).fill(429)]);
});
