import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersIn, legacy, modern, openService, posted, visitor } from '../../support/mcp-service.ts';

const { mcp } = openService();
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const pings = (count: number) => Array.from({ length: count }, (_, id) => legacy('ping', {}, id));

test('the revision that has batches is negotiated', async () => {
  const client = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  const response = await mcp.fetch(posted(legacy('initialize', client)), visitor);
  assert.equal(answersIn(await response.text())[0].result.protocolVersion, '2025-03-26');
});

test('a batch of revision 2025-03-26, or without one, is answered in order by one event stream [TRUST-39]', async () => {
  for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }]) {
    const response = await mcp.fetch(posted([...pings(9), initialized], headers), visitor);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream']);
    assert.deepEqual(
      answersIn(await response.text()),
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ jsonrpc: '2.0', id, result: {} })),
    );
  }
});

test('a batch of a client that accepts only JSON is answered by an array, in order', async () => {
  const headers = { accept: 'application/json' };
  const response = await mcp.fetch(posted([...pings(2), initialized, legacy('no/such', {}, 2)], headers), visitor);
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/json']);
  assert.deepEqual(await response.json(), [
    { jsonrpc: '2.0', id: 0, result: {} },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } },
  ]);
});

test('a batch with only notifications is answered 202 with an empty body', async () => {
  const response = await mcp.fetch(posted([initialized, initialized]), visitor);
  assert.deepEqual([response.status, await response.text()], [202, '']);
});

test('a batch of another revision, of over 10 messages, or with an invalid one is refused as a whole [TRUST-39]', async () => {
  const { mcp, kept } = openService();
  const newer = await modern('tools/list').json();
  for (const [messages, revision, message] of [
    [pings(1), '2025-06-18', 'Batches are only for revision 2025-03-26'],
    [pings(1), '2026-07-28', 'Batches are only for revision 2025-03-26'],
    [pings(11), '2025-03-26', 'A batch must hold at most 10 messages'],
    ...['initialize', 'subscriptions/listen'].map(
      (method) =>
        [
          [...pings(1), legacy(method)],
          '2025-03-26',
          'A batch must not hold initialize or subscriptions/listen',
        ] as const,
    ),
    [[], '2025-03-26', 'Bad Request: empty JSON-RPC batch'],
    [[...pings(1), { no: 'message' }], '2025-03-26', 'Bad Request: JSON-RPC batch contains an invalid message'],
    [
      [...pings(1), newer],
      '2025-03-26',
      'Bad Request: JSON-RPC batches may not contain requests for protocol revision 2026-07-28 or later',
    ],
  ] as const) {
    const response = await mcp.fetch(posted(messages, { 'mcp-protocol-version': revision }), visitor);
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), { jsonrpc: '2.0', id: null, error: { code: -32600, message } });
  }
  assert.deepEqual(
    kept.calls.map(({ operation, code }) => [operation, code]),
    Array(8).fill(['unknown', 'BAD_REQUEST']),
  );
});

test('a body that is not JSON in UTF-8 is refused as a parse error, and recorded', async () => {
  const { mcp, kept } = openService();
  for (const body of ['{', '', new Uint8Array([0x22, 0xff, 0x22])]) {
    const { url, headers } = posted('');
    const response = await mcp.fetch(new Request(url, { method: 'POST', headers, body }), visitor);
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error: the body is not valid JSON' },
    });
  }
  assert.deepEqual(
    kept.calls.map(({ operation, code }) => [operation, code]),
    Array(3).fill(['unknown', 'BAD_REQUEST']),
  );
});

test('if the first message of a batch is refused, all are, and each is recorded with that code [TRUST-39]', async () => {
  const { mcp, kept } = openService({ mutations: true });
  const given = { name: 'create_auth_token', arguments: { email: 'ada@example.org' } };
  const messages = [legacy('ping', {}, 1), legacy('tools/call', given, 2), initialized, legacy('tools/list', {}, 3)];
  for (const [headers, status, code] of [
    [{ accept: 'text/html' }, 406, 'BAD_REQUEST'],
    [{ 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ] as const) {
    kept.calls.length = 0;
    const response = await mcp.fetch(posted(messages, headers), visitor);
    const { id, error } = (await response.json()) as { id: unknown; error: object };
    assert.deepEqual([response.status, id, typeof error], [status, null, 'object']);
    assert.deepEqual(
      kept.calls.map(({ operation, code }) => [operation, code]),
      ['ping', 'tools/call', 'notifications/initialized', 'tools/list'].map((operation) => [operation, code]),
    );
  }
  assert.deepEqual(kept.tokens, []);
});
