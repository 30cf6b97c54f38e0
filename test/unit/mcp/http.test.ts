import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '../../../src/model/log-entry.ts';
import { byAddress, isSameVisitor } from '../../../src/model/visitor.ts';
import type { Caller } from '../../../src/operations/call.ts';
import {
  connect,
  legacy,
  messageIn,
  modern,
  openService,
  posted,
  updateOf,
  visitor,
} from '../../support/mcp-service.ts';
import { eventually } from '../../support/process.ts';

const { mcp, logged } = openService();

type Mcp = typeof mcp;

/** Notifies subscribers of resources that have changed. */
const changed = (mcp: Mcp, ...resources: string[]) =>
  mcp.notify(new Map([[null, { resources, isListChanged: false }]]));

const ask = async (request: Request) => {
  const response = await mcp.fetch(request, visitor);
  const { result, error } = JSON.parse(await response.text());
  return { status: response.status, result, code: error?.code, message: error?.message };
};

test('lists and reads may be cached by the client for a minute', async () => {
  for (const method of [
    'server/discover',
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'prompts/list',
  ]) {
    const { result } = await ask(modern(method));
    assert.deepEqual([result.resultType, result.ttlMs, result.cacheScope], ['complete', 60_000, 'private'], method);
  }
  const uri = 'candidate-profile://profile/candidate';
  const { result } = await ask(modern('resources/read', { uri }, { 'mcp-name': uri }));
  assert.deepEqual([result.resultType, result.ttlMs, result.cacheScope], ['complete', 60_000, 'private']);
});

test('a message that is refused, however deeply it is nested, is answered 400 [ERROR-2]', async () => {
  const { mcp } = openService();
  const nested = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;
  const call = JSON.stringify(legacy('tools/call', { name: 'get_candidate' }));
  const response = await mcp.fetch(posted(call.replace(/}$/, `,"more":${nested}}`)), visitor);
  assert.equal(response.status, 400);
  assert.equal(JSON.parse(await response.text()).error.code, -32_600);
});

test('a subscriber is notified of the resource that has changed, and of no other', async () => {
  const client = await connect(mcp, 'modern');
  const updated = updateOf(client);
  const subscription = await client.listen({ resourceSubscriptions: ['candidate-profile://profile/availability'] });
  changed(mcp, 'candidate-profile://profile/candidate', 'candidate-profile://profile/availability');
  assert.equal(await updated, 'candidate-profile://profile/availability');
  await subscription.close();
});

const listen = (disconnect = new AbortController()) =>
  new Request(modern('subscriptions/listen', { notifications: { resourceSubscriptions: ['candidate'] } }), {
    signal: disconnect.signal,
  });

const visitorNamed = (subject: string): Caller => ({
  ...visitor,
  token: { ...visitor.token!, subject: byAddress(subject) },
});

test('a visitor may have two subscriptions, over all tokens and spellings; others count separately [TRUST-22]', async () => {
  const refused =
    '{"error":{"code":"RATE_LIMITED","message":"Too many subscriptions are open. End one of them first."}}';
  const ada = visitorNamed('ada@example.org');
  const disconnect = new AbortController();
  await mcp.fetch(listen(disconnect), ada);
  const second = await mcp.fetch(listen(), ada);
  const third = await mcp.fetch(listen(), {
    ...ada,
    token: { ...ada.token!, jti: 'another', subject: byAddress('Ada@Example.org') },
  });
  assert.deepEqual([third.status, await third.text()], [429, refused]);
  assert.equal(third.headers.get('retry-after'), '60');
  assert.equal((await mcp.fetch(listen(), visitorNamed('bob@example.org'))).status, 200);

  await second.body!.cancel();
  await eventually(async () => (await mcp.fetch(listen(disconnect), ada)).status === 200);
  disconnect.abort();
  await eventually(async () => (await mcp.fetch(listen(), ada)).status === 200);
});

/** Opens a subscription of a new visitor at a network address. */
async function subscribeFrom(mcp: Mcp, address: string) {
  visitors += 1;
  const caller = { ...visitorNamed(`visitor-${visitors}@example.org`), address };
  const response = await mcp.fetch(listen(), caller);
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const reader = response.body!.getReader();
  const read = async () => messageIn((await reader.read()).value);
  assert.equal((await read()).method, 'notifications/subscriptions/acknowledged');
  /** The next message: the notification of a change, or the result that ends a subscription. */
  return async () => (await read()).method ?? 'ended';
}

let visitors = 0;
const resourceUpdated = 'notifications/resources/updated';

test('a network block may have 20 subscriptions; one more ends its oldest, and none of another block [TRUST-22]', async () => {
  const { mcp } = openService();
  const elsewhere = await subscribeFrom(mcp, '2001:db8:0:1::1');
  const client = await connect(mcp, 'modern', { ...visitorNamed('ada@example.org'), address: '2001:db8::1' });
  const oldest = await client.listen({ resourceSubscriptions: ['candidate'] });
  const second = await subscribeFrom(mcp, '2001:db8::2');
  for (let held = 2; held < 20; held += 1) await subscribeFrom(mcp, `2001:db8::${held}`);
  const newest = await subscribeFrom(mcp, '2001:db8::ffff');
  const updated = updateOf(client);
  changed(mcp, 'candidate');
  assert.equal(await Promise.race([oldest.closed, updated]), 'graceful');
  assert.deepEqual(
    [await elsewhere(), await second(), await newest()],
    [resourceUpdated, resourceUpdated, resourceUpdated],
  );
});

test('with 200 subscriptions open, one more ends the oldest of the block with the most [TRUST-22]', async () => {
  const { mcp } = openService();
  const [lone] = [await subscribeFrom(mcp, '192.0.2.1')];
  const subscriptions = [];
  for (let held = 1; held < 200; held += 1)
    subscriptions.push(await subscribeFrom(mcp, `198.51.100.${held < 190 ? held % 10 : 10 + (held % 5)}`));
  const newest = await subscribeFrom(mcp, '192.0.2.1');
  changed(mcp, 'candidate');
  const methods = [];
  for (const read of [lone, ...subscriptions, newest]) methods.push(await read());
  // The first at 198.51.100.1: that block and nine others have 19 each.
  assert.deepEqual(
    methods.flatMap((method, index) => (method === resourceUpdated ? [] : [index])),
    [1],
  );
});

test('the audit log has an entry for a refused subscription, and for one that is ended for a new one [TRUST-22]', async () => {
  const { mcp, services } = openService();
  const audited: AuditEntry[] = [];
  services.audit = (entry) => void audited.push(entry);
  const line = (from: string) => ({ event: 'limit_hit', operation: 'subscriptions/listen', from });
  for (let held = 1; held <= 20; held += 1) await subscribeFrom(mcp, '192.0.2.1');
  assert.deepEqual(audited, []);
  const ada = { ...visitorNamed('ada@example.org'), address: '198.51.100.1' };
  for (const status of [200, 200, 429]) assert.equal((await mcp.fetch(listen(), ada)).status, status);
  assert.deepEqual(audited, [line('198.51.100.1')]);
  await subscribeFrom(mcp, '192.0.2.1');
  assert.deepEqual(audited, [line('198.51.100.1'), line('192.0.2.1')]);
});

test('on a change, a subscription whose token is not valid ends unnotified and frees its place [TRUST-22]', async () => {
  const { mcp, services } = openService();
  const audited: AuditEntry[] = [];
  services.audit = (entry) => void audited.push(entry);
  const client = await connect(mcp, 'modern', visitorNamed('ada@example.org'));
  const ended = await client.listen({ resourceSubscriptions: ['candidate'] });
  assert.equal((await mcp.fetch(listen(), visitorNamed('ada@example.org'))).status, 200);
  const other = await subscribeFrom(mcp, '192.0.2.1');
  services.tokens.isValid = ({ subject }) => !isSameVisitor(subject, byAddress('ada@example.org'));
  const updated = updateOf(client);
  changed(mcp, 'candidate');
  assert.equal(await Promise.race([ended.closed, updated]), 'graceful');
  assert.equal(await other(), resourceUpdated);
  assert.equal((await mcp.fetch(listen(), visitorNamed('ada@example.org'))).status, 200);
  assert.deepEqual(audited, []);
});

test('a subscription ends when its token expires, if nothing else happens [TRUST-22]', async () => {
  const { mcp, services } = openService();
  const now = services.now();
  const token = { ...visitor.token!, expiresAt: new Date(now.getTime() + 50) };
  services.now = () => new Date(now.getTime() + performance.now() - startedAt);
  services.tokens.isValid = ({ expiresAt }) => expiresAt > services.now();
  const startedAt = performance.now();
  const client = await connect(mcp, 'modern', { ...visitor, token });
  const subscription = await client.listen({ resourceSubscriptions: ['candidate'] });
  // Keeps the process, which the timer of a subscription does not.
  const waiting = setTimeout(() => {}, 300_000);
  assert.equal(await subscription.closed, 'graceful');
  clearTimeout(waiting);
});

test('of those who opened a link each may have two subscriptions, with the clients connected from it [TRUST-22]', async () => {
  const { mcp } = openService();
  const by = (jti: string, grantId: string | null = null): Caller => ({
    ...visitor,
    token: { ...visitor.token!, jti, grantId, subject: { kind: 'link', id: '0123456789ab' } },
  });
  for (const caller of [by('one'), by('renewed', 'grant.one'), by('other'), by('other')])
    assert.equal((await mcp.fetch(listen(), caller)).status, 200);
  for (const caller of [by('one'), by('again', 'another.one'), by('other')])
    assert.equal((await mcp.fetch(listen(), caller)).status, 429);
});

test('an invalid subscription request takes no place', async () => {
  const ada = visitorNamed('ada@example.org');
  const { mcp } = openService();
  const wrong = modern('subscriptions/listen', { notifications: {} }, { 'mcp-method': 'ping' });
  for (const _ of [1, 2, 3]) assert.equal((await mcp.fetch(wrong.clone(), ada)).status, 400);
  assert.equal((await mcp.fetch(listen(), ada)).status, 200);
});

test('protocol errors have their codes, and the log says why, with nothing of the request', async () => {
  const statusAndCode = async (request: Request) => {
    const { status, code } = await ask(request);
    return [status, code];
  };
  assert.deepEqual(await statusAndCode(modern('secret/method')), [404, -32601]);
  assert.deepEqual(await statusAndCode(modern('tools/list', {}, { 'mcp-method': 'secret' })), [400, -32020]);
  assert.deepEqual(
    await statusAndCode(modern('tools/list', {}, { 'mcp-protocol-version': '2999-01-01' })),
    [400, -32020],
  );
  assert.deepEqual(await statusAndCode(modern('tools/list', {}, { 'content-type': 'text/plain' })), [415, -32000]);
  const unsupported = modern('tools/list', {}, { 'mcp-protocol-version': 'secret' });
  const body = (await unsupported.text()).replace('2026-07-28', 'secret');
  assert.deepEqual(
    await statusAndCode(new Request(unsupported.url, { method: 'POST', headers: unsupported.headers, body })),
    [400, -32022],
  );
  assert.deepEqual(
    logged,
    ['method-header-mismatch', 'header-body-version-mismatch', 'unsupported-media-type', -32022].map((code) => ({
      code,
      message: 'MCP request refused',
    })),
  );
});

test('parameters of the wrong type get -32602, invalid params', async () => {
  for (const [method, params] of [
    ['tools/call', { name: 5 }],
    ['tools/call', { name: 'get_candidate', arguments: 'none' }],
    ['resources/read', { uri: 5 }],
    ['prompts/get', { name: 5 }],
    ['prompts/get', { name: 'candidate_profile_summary', arguments: { focus: 5 } }],
    ['completion/complete', {}],
  ] as const) {
    const name = 'name' in params ? String(params.name) : 'uri' in params ? String(params.uri) : undefined;
    const { code } = await ask(modern(method, params, name === undefined ? {} : { 'mcp-name': name }));
    assert.equal(code, -32602, `${method} ${JSON.stringify(params)}`);
  }
});

test('a service that stops ends subscriptions, refuses new ones, and answers calls while it listens', async () => {
  const { mcp, kept } = openService({ mutations: true });
  const client = await connect(mcp, 'modern');
  const subscription = await client.listen({ resourceSubscriptions: ['candidate-profile://profile/candidate'] });
  const opening = mcp.fetch(listen(), visitor);
  await mcp.endSubscriptions();
  assert.equal(await subscription.closed, 'graceful');
  for (const refused of [await opening, await mcp.fetch(listen(), visitor)]) assert.equal(refused.status, 503);
  const given = { name: 'create_auth_token', arguments: { email: 'ada@example.org' } };
  const call = await mcp.fetch(modern('tools/call', given, { 'mcp-name': given.name }), visitor);
  assert.equal(call.status, 200);
  assert.equal((await mcp.fetch(posted(legacy('tools/list')), visitor)).status, 200);
  assert.equal(kept.tokens.length, 1);
  assert.deepEqual(
    kept.calls.filter(({ operation }) => operation === 'subscriptions/listen').map(({ code }) => code),
    ['OK', 'UNAVAILABLE', 'UNAVAILABLE'],
  );
});
