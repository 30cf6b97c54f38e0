import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHandler, toPlainRequest } from '../../../src/surfaces/mcp/dispatcher.ts';
import { mcpServerFactory } from '../../../src/surfaces/mcp/server.ts';
import { legacy, modern, openService, posted, serviceOf, visitor } from '../../support/mcp-service.ts';

const { mcp } = openService();
const { kept: _, ...service } = serviceOf();
const sdk = toHandler(({ era }) => mcpServerFactory(service, 'mcp', () => ({ caller: visitor }))(era), {
  warn: () => {},
});

const uri = 'candidate-profile://profile/candidate';
const tool = { name: 'get_candidate', arguments: {} };
const prompt = { name: 'candidate_profile_summary' };
const completion = { ref: { type: 'ref/prompt', ...prompt }, argument: { name: 'focus', value: '' } };
const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
const base64 = `=?base64?${Buffer.from('get_candidate').toString('base64')}?=`;

/** Requests that a shared server answers. */
const plain = {
  modern: [
    modern('server/discover'),
    modern('tools/list'),
    modern('tools/call', tool, { 'mcp-name': tool.name }),
    modern('tools/call', { name: 'none' }, { 'mcp-name': 'none' }),
    modern('tools/call', { ...tool, arguments: 5 }, { 'mcp-name': tool.name }),
    modern('tools/call', {}),
    modern('resources/list'),
    modern('resources/templates/list'),
    modern('resources/read', { uri }, { 'mcp-name': uri }),
    modern('resources/read', { uri: 'none' }, { 'mcp-name': 'none' }),
    modern('prompts/list'),
    modern('prompts/get', prompt, { 'mcp-name': prompt.name }),
    modern('completion/complete', completion),
    modern('ping'),
    modern('initialize', client),
    modern('no/such'),
    modern('tools/list', {}, { 'content-type': 'application/json; charset=utf-8' }),
  ],
  legacy: [
    posted(legacy('ping')),
    posted(legacy('tools/list'), { 'mcp-protocol-version': '2025-11-25' }),
    posted(legacy('tools/call', tool), { 'mcp-protocol-version': '2024-11-05', 'mcp-method': 'ping' }),
    posted(legacy('tools/call', { name: 'none' })),
    posted(legacy('resources/list')),
    posted(legacy('resources/read', { uri })),
    posted(legacy('prompts/get', prompt)),
    posted(legacy('completion/complete', completion)),
    posted(legacy('server/discover')),
    posted(legacy('logging/setLevel', { level: 'info' })),
    posted({ ...legacy('ping'), id: 'text' }),
    posted({ ...legacy('ping'), id: -1 }),
    // Refused by the server, and answered by the handler.
    posted({ ...legacy('ping'), more: true }),
    posted({ ...legacy('ping'), params: 5 }),
    posted(legacy('ping', { _meta: { progressToken: [] } })),
  ],
};

/** Messages that the SDK's handler answers itself. */
const others = [
  modern('tools/call', tool),
  modern('tools/call', tool, { 'mcp-name': 'get_resume' }),
  modern('tools/call', tool, { 'mcp-name': base64 }),
  modern('tools/call', { name: base64 }, { 'mcp-name': base64 }),
  modern('tools/call', { name: 5 }, { 'mcp-name': '5' }),
  modern('tools/list', {}, { 'mcp-name': 'none' }),
  modern('resources/read', { name: 'x', uri: 'candidate-profile://profile/candidate' }, { 'mcp-name': 'x' }),
  modern('tools/list', {}, { 'mcp-method': 'ping' }),
  modern('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }),
  modern('tools/list', {}, { 'content-type': 'text/plain' }),
  posted(legacy('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } })),
  posted(legacy('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2999-01-01' } })),
  posted(legacy('tools/list'), { 'mcp-protocol-version': '2026-07-28' }),
  posted(legacy('tools/list'), { 'mcp-protocol-version': '2020-01-01' }),
  posted(legacy('initialize', client)),
  posted({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  posted({ jsonrpc: '2.0', id: 1, result: {} }),
  posted({ ...legacy('ping'), id: null }),
  posted({ ...legacy('ping'), id: 1.5 }),
  posted({ id: 1, method: 'ping' }),
  posted('5'),
  ...['mcp-protocol-version', 'mcp-method'].map((name) => {
    const request = modern('tools/list');
    request.headers.delete(name);
    return request;
  }),
];

const answerOf = async (answer: Promise<Response>) => {
  const { status, headers, body } = await answer;
  const text = await new Response(body).text();
  return { status, type: headers.get('content-type'), cached: headers.get('cache-control'), text };
};

for (const [era, requests] of Object.entries({ ...plain, none: others }))
  test(`${era === 'none' ? 'every other message goes to the SDK, and' : `a request to the shared ${era} server`} is answered as the SDK's handler answers it`, async () => {
    for (const request of requests) {
      const text = await request.clone().text();
      const title = `${text} ${JSON.stringify([...request.headers])}`;
      assert.equal(toPlainRequest(request.headers, JSON.parse(text))?.era ?? 'none', era, title);
      assert.deepEqual(await answerOf(mcp.fetch(request.clone(), visitor)), await answerOf(sdk.fetch(request)), title);
    }
  });

test('requests with the same id that are answered at the same time get their own answers', async () => {
  const names = ['get_candidate', 'list_projects', 'get_availability', 'none'];
  const ask = (name: string) => mcp.fetch(modern('tools/call', { name }, { 'mcp-name': name }), visitor);
  const answers = await Promise.all(names.map(async (name) => JSON.parse(await (await ask(name)).text())));
  assert.deepEqual(
    answers.map(({ id, result, error }) => [id, result ? Object.keys(result.structuredContent.data)[0] : error.code]),
    [
      [1, 'id'],
      [1, '0'],
      [1, 'status'],
      [1, -32602],
    ],
  );
});

for (const era of ['modern', 'legacy'])
  test(`a client of the ${era} era cannot cancel the call of another client`, async () => {
    const { mcp, services } = openService({ mutations: true });
    const { add } = services.store.tokens;
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    services.store.tokens.add = async (token, notice) => {
      begun.resolve();
      await released.promise;
      await add(token, notice);
    };
    const given = { name: 'create_auth_token', arguments: { email: 'ada@example.org' } };
    const call =
      era === 'modern' ? modern('tools/call', given, { 'mcp-name': given.name }) : posted(legacy('tools/call', given));
    const answer = mcp.fetch(call, visitor);
    await begun.promise;
    for (let requestId = 0; requestId < 5; requestId += 1) {
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
      const headers = era === 'modern' ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': cancelled.method } : {};
      assert.equal((await mcp.fetch(posted(cancelled, headers), visitor)).status, 202);
    }
    released.resolve();
    assert.match(await (await answer).text(), /signed token-2/);
  });

test('an operation that fails unexpectedly is run and recorded once', async () => {
  const { mcp, services, kept } = openService();
  services.reads.add = () => assert.fail('disk I/O error');
  const answer = await mcp.fetch(modern('resources/read', { uri }, { 'mcp-name': uri }), visitor);
  const { error } = JSON.parse(await answer.text());
  assert.deepEqual([answer.status, error.code], [200, -32603]);
  assert.deepEqual(
    kept.calls.map(({ operation, code }) => [operation, code]),
    [['get_candidate', 'INTERNAL_ERROR']],
  );
});
