import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { openTestService } from '../support/in-process.ts';
import { connectTo, legacy, modern } from '../support/mcp-service.ts';
import { postJson } from '../support/post-json.ts';
import { eventually } from '../support/process.ts';

interface MyReads {
  readonly is_recorded: boolean;
  readonly kept_seconds: number;
  readonly erased_at: string | null;
  readonly total: number;
  readonly reads: readonly Record<string, string | null>[];
}

async function open(t: TestContext, env: Record<string, string> = {}) {
  const service = await openTestService(env);
  t.after(() => service.close());
  const me = async (authorization = `Bearer ${service.token}`) =>
    (await (await service.ask('/me', { headers: { authorization } })).json()) as MyReads;
  return {
    ...service,
    me,
    erase: () => service.ask('/me', { method: 'DELETE', headers: { authorization: `Bearer ${service.token}` } }),
    anotherToken: async () => {
      const issued = await service.ask('/auth/token', postJson({ email: 'visitor@example.org' }));
      return ((await issued.json()) as { access_token: string }).access_token;
    },
    /** Resolves once as many reads are recorded. */
    recorded: (count: number) => eventually(async () => (await me()).total >= count),
  };
}

const shown = ({ reads }: MyReads) =>
  reads.map(({ operation, item, surface, client }) => [operation, item, surface, client]);

// Side by side, because a read is recorded a second later.
suite('the record of a token', { concurrency: true }, () => {
  test('a visitor sees what the token read: operation, entry, surface, client and instant, latest first', async (t) => {
    const { get, me, recorded } = await open(t);
    assert.deepEqual(await me(), { is_recorded: true, kept_seconds: 7_776_000, erased_at: null, total: 0, reads: [] });
    const before = new Date().toISOString();
    await get('/candidate', { 'user-agent': 'curl/8.5' });
    await get('/experience/exp_now', { 'user-agent': 'x'.repeat(300) });
    await get('/experience/none');
    await get('/resume?format=pdf');
    await get('/resume');
    await recorded(4);
    const answer = await me();
    assert.deepEqual(shown(answer), [
      ['get_resume', null, 'rest', null],
      ['get_resume', 'pdf', 'rest', null],
      ['get_experience', 'exp_now', 'rest', 'x'.repeat(200)],
      ['get_candidate', null, 'rest', 'curl/8.5'],
    ]);
    for (const { read_at: at } of answer.reads) assert.ok(at! >= before && at! <= new Date().toISOString());
  });

  for (const [era, client] of [
    ['modern', 'test 0'],
    ['legacy', 'agent/2'],
  ] as const)
    test(`tools and resources read over MCP (${era}) are recorded with the client, protocol messages are not`, async (t) => {
      const service = await open(t);
      const { me, recorded } = service;
      const mcp = await connectTo(service, era, { 'user-agent': 'agent/2' });
      await mcp.listTools();
      await mcp.getPrompt({ name: 'candidate_profile_summary' });
      await mcp.callTool({ name: 'get_project', arguments: { id: 'proj_plain' } });
      await mcp.callTool({ name: 'get_project', arguments: { id: 'none' } });
      await mcp.readResource({ uri: 'candidate-profile://profile/resume/pdf' });
      await recorded(2);
      assert.deepEqual(shown(await me()), [
        ['get_resume', 'pdf', 'mcp', client],
        ['get_project', 'proj_plain', 'mcp', client],
      ]);
    });

  test('what an MCP client calls itself is cut to 200 characters, and its lone surrogates are replaced', async (t) => {
    const { post, me, recorded } = await open(t);
    const clientInfo = { name: `\ud800${'🎻'.repeat(300)}`, version: '7' };
    const call = modern('tools/call', { name: 'get_candidate', arguments: {} }, { 'mcp-name': 'get_candidate' });
    const body = await call.json();
    body.params._meta['io.modelcontextprotocol/clientInfo'] = clientInfo;
    await post('/mcp', body, Object.fromEntries(call.headers));
    await recorded(1);
    assert.equal((await me()).reads[0]?.client, `\ufffd${'🎻'.repeat(199)}`);
  });

  test('asking for the record is not recorded, and its answer is never stored by a cache', async (t) => {
    const { get, me, ask, token, recorded } = await open(t);
    const response = await get('/me');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('etag'), null);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    const head = await ask('/me', { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
    assert.equal(head.status, 200);
    await get('/candidate');
    await recorded(1);
    assert.deepEqual(
      (await me()).reads.map(({ operation }) => operation),
      ['get_candidate'],
    );
  });

  test('a token shows and erases nothing of other tokens of the same address [TRUST-50]', async (t) => {
    const { get, ask, me, erase, anotherToken, recorded } = await open(t);
    const other = `Bearer ${await anotherToken()}`;
    await get('/candidate');
    await ask('/projects', { headers: { authorization: other } });
    await recorded(1);
    assert.deepEqual(shown(await me(other)), [['list_projects', null, 'rest', null]]);
    await erase();
    assert.equal((await me(other)).total, 1);
    assert.equal((await me(other)).erased_at, null);
  });

  test('erasing answers 204, and erases what is stored and what waits to be stored; the date is kept', async (t) => {
    const { get, me, erase, recorded } = await open(t);
    await get('/candidate');
    await recorded(1);
    await get('/projects');
    const before = new Date().toISOString();
    const response = await erase();
    assert.deepEqual([response.status, await response.text()], [204, '']);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const { erased_at: erasedAt } = await me();
    assert.ok(erasedAt! >= before);
    await get('/contact/availability');
    await recorded(1);
    assert.deepEqual(shown(await me()), [['get_availability', null, 'rest', null]]);
    await erase();
    assert.ok((await me()).erased_at! > erasedAt!);
  });

  test('/me is charged to the read quota of the token', async (t) => {
    const { get, erase } = await open(t, { LIMITS: '0.02' });
    assert.equal((await get('/me')).status, 200);
    assert.equal((await erase()).status, 204);
    assert.equal((await get('/me')).status, 429);
    assert.equal((await erase()).status, 429);
  });

  test('a token erases its record ten times an hour, then gets Retry-After; it and others read on [TRUST-65]', async (t) => {
    const { get, ask, erase, anotherToken } = await open(t, { LIMITS: '1' });
    for (let n = 0; n < 10; n += 1) assert.equal((await erase()).status, 204);
    const refused = await erase();
    assert.equal(refused.status, 429);
    assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'RATE_LIMITED');
    const retryAfter = Number(refused.headers.get('retry-after'));
    assert.ok(retryAfter > 3_500 && retryAfter <= 3_600, `${retryAfter}`);
    for (const path of ['/me', '/candidate']) assert.equal((await get(path)).status, 200);
    const headers = { authorization: `Bearer ${await anotherToken()}` };
    assert.equal((await ask('/me', { method: 'DELETE', headers })).status, 204);
  });

  test('with READER_RECORD=off nothing is recorded, and /me says so and still erases', async (t) => {
    const { get, me, erase } = await open(t, { READER_RECORD: 'off', KEEP_READS: '1d' });
    await get('/candidate');
    assert.deepEqual(await me(), { is_recorded: false, kept_seconds: 86_400, erased_at: null, total: 0, reads: [] });
    assert.equal((await erase()).status, 204);
    assert.notEqual((await me()).erased_at, null);
  });

  test('OpenAPI and MCP say that reads are recorded, unless they are not', async (t) => {
    for (const [setting, told] of [
      ['on', true],
      ['off', false],
    ] as const) {
      const { ask, post } = await open(t, { READER_RECORD: setting });
      const { info } = (await (await ask('/openapi.json')).json()) as { info: { description: string } };
      assert.equal(/recorded for the candidate/.test(info.description), told);
      const initialize = legacy('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '0' },
      });
      const response = await post('/mcp', initialize, { accept: 'application/json, text/event-stream' });
      assert.equal(/recorded for the candidate/.test(await response.text()), told);
    }
  });
});
