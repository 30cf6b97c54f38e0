import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '../../../src/model/log-entry.ts';
import { answersIn, legacy, modern, openService, posted, visitor } from '../../support/mcp-service.ts';

/** A service whose read quota allows `left` more messages, then none for 7 seconds. */
function openLimited(left = 0) {
  const opened = openService();
  const audited: AuditEntry[] = [];
  opened.services.limits.take = () => (left-- > 0 ? 0 : 7);
  opened.services.audit = (entry) => void audited.push(entry);
  const recorded = () => opened.kept.calls.map(({ operation, code }) => `${operation} ${code}`);
  return { ...opened, audited, recorded };
}

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const call = legacy('tools/call', { name: 'get_candidate' }, 7);
const refusal = { code: 'RATE_LIMITED', message: 'Too many requests. Try again in 7 seconds.' };

test('over the quota a message is answered 429 with Retry-After, and recorded under its method [TRUST-39]', async () => {
  for (const [request, method] of [
    [posted(legacy('resources/read', { uri: 'x' })), 'resources/read'],
    [modern('subscriptions/listen', { notifications: {} }), 'subscriptions/listen'],
    [posted({ no: 'message' }), 'unknown'],
  ] as const) {
    const { mcp, recorded, audited } = openLimited();
    const response = await mcp.fetch(request, visitor);
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '7']);
    assert.deepEqual(await response.json(), { error: refusal });
    assert.deepEqual(recorded(), [`${method} RATE_LIMITED`]);
    assert.deepEqual(audited, [{ event: 'limit_hit', operation: method, from: '192.0.2.7' }]);
  }
});

test('over the quota the result of a tool call has the seconds to wait, and the operation is recorded [TRUST-39]', async () => {
  const { mcp, recorded } = openLimited();
  const [{ result }] = answersIn(await (await mcp.fetch(posted(call), visitor)).text());
  assert.equal(result.isError, true);
  assert.deepEqual(JSON.parse(result.content[0].text), { error: refusal });
  assert.deepEqual(recorded(), ['get_candidate RATE_LIMITED']);
});

test('a tool call or resource read counts once, as a message, and not again as an operation [TRUST-39]', async () => {
  const { mcp, recorded } = openLimited(2);
  const read = legacy('resources/read', { uri: 'candidate-profile://profile/candidate' });
  for (const message of [call, read, call]) await (await mcp.fetch(posted(message), visitor)).text();
  assert.deepEqual(recorded(), ['get_candidate OK', 'get_candidate OK', 'get_candidate RATE_LIMITED']);
});

test('over the quota a notification is accepted and dropped [TRUST-39]', async () => {
  const { mcp, recorded } = openLimited();
  const response = await mcp.fetch(posted(initialized), visitor);
  assert.deepEqual([response.status, await response.text()], [202, '']);
  assert.deepEqual(recorded(), ['notifications/initialized RATE_LIMITED']);
});

test('a message over the quota refuses the whole batch, unless it is a tool call or notification [TRUST-39]', async () => {
  const stopped = openLimited(1);
  const refused = await stopped.mcp.fetch(posted([legacy('ping'), legacy('tools/list'), call]), visitor);
  assert.equal(refused.status, 429);
  assert.deepEqual(stopped.recorded(), ['ping RATE_LIMITED', 'tools/list RATE_LIMITED']);

  const partly = openLimited(1);
  const answer = await partly.mcp.fetch(posted([legacy('ping'), initialized, call]), visitor);
  assert.deepEqual(
    answersIn(await answer.text()).map(({ id, result }) => [id, result.isError]),
    [
      [1, undefined],
      [7, true],
    ],
  );
  assert.deepEqual(partly.recorded(), [
    'ping OK',
    'notifications/initialized RATE_LIMITED',
    'get_candidate RATE_LIMITED',
  ]);
});

test('each message is recorded once: a tool call or read by operation, all others by method [TRUST-39]', async () => {
  const { mcp, recorded, kept } = openLimited(100);
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  const uri = 'candidate-profile://profile/projects';
  const prompt = 'candidate_profile_summary';
  const ref = { type: 'ref/prompt', name: prompt };
  for (const [request, expected] of [
    [posted(legacy('initialize', client)), 'initialize OK'],
    [posted(initialized), 'notifications/initialized OK'],
    [posted(legacy('ping')), 'ping OK'],
    [modern('server/discover'), 'server/discover OK'],
    [posted(legacy('tools/list')), 'tools/list OK'],
    [posted(call), 'get_candidate OK'],
    [posted(legacy('tools/call', { name: 'none' })), 'tools/call BAD_REQUEST'],
    [posted(legacy('resources/list')), 'resources/list OK'],
    [posted(legacy('resources/templates/list')), 'resources/templates/list OK'],
    [posted(legacy('resources/read', { uri })), 'list_projects OK'],
    [posted(legacy('resources/read', { uri: 'none' })), 'resources/read BAD_REQUEST'],
    [posted(legacy('resources/subscribe', { uri })), 'resources/subscribe NOT_FOUND'],
    [posted(legacy('resources/unsubscribe', { uri })), 'resources/unsubscribe NOT_FOUND'],
    [posted(legacy('prompts/list')), 'prompts/list OK'],
    [posted(legacy('prompts/get', { name: prompt })), 'prompts/get OK'],
    [posted(legacy('completion/complete', { ref, argument: { name: 'focus', value: '' } })), 'completion/complete OK'],
    [posted(legacy('logging/setLevel', { level: 'info' })), 'logging/setLevel NOT_FOUND'],
    [posted({ jsonrpc: '2.0', method: 'notifications/cancelled' }), 'notifications/cancelled OK'],
    [posted({ jsonrpc: '2.0', method: 'notifications/progress' }), 'notifications/progress OK'],
    [posted({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }), 'notifications/roots/list_changed OK'],
    [modern('subscriptions/listen', { notifications: {} }), 'subscriptions/listen OK'],
    [posted(legacy('secret/method')), 'unknown NOT_FOUND'],
    [modern('secret/method'), 'unknown NOT_FOUND'],
    [modern('tools/list', {}, { 'mcp-method': 'ping' }), 'tools/list BAD_REQUEST'],
    [posted(legacy('ping'), { 'content-type': 'text/plain' }), 'ping UNSUPPORTED_MEDIA_TYPE'],
    [posted(legacy('ping'), { accept: 'text/html' }), 'ping BAD_REQUEST'],
    [posted('null'), 'unknown BAD_REQUEST'],
  ] as const) {
    kept.calls.length = 0;
    const response = await mcp.fetch(request, visitor);
    if (expected !== 'subscriptions/listen OK') await response.text();
    assert.deepEqual(recorded(), [expected]);
  }
});
