import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edition } from '../../../src/operations/ports.ts';
import { openRepeatedReads, restOf } from '../../../src/surfaces/rest/rest.ts';
import { edition, serviceOf, visitor } from '../../support/mcp-service.ts';

const connection = { address: '192.0.2.7', requestId: 'request-1' };

/** Repeated reads of a service that knows the token `known`; `state` can be changed. */
function openReads() {
  const { services, operations, kept } = serviceOf();
  const state: { edition: Edition; waitSeconds: number; token: string } = { edition, waitSeconds: 0, token: 'known' };
  const recall = (text: string) => (text === state.token ? visitor.token : null);
  const used = {
    ...services,
    edition: () => state.edition,
    tokens: { ...services.tokens, recall, verify: async (text: string) => recall(text) },
    limits: { ...services.limits, take: () => state.waitSeconds },
  };
  const reads = openRepeatedReads(used);
  const router = restOf(operations, used, reads);
  const route = (path = '/candidate') => {
    const headers = { authorization: 'Bearer known' };
    return router.fetch(new Request(`https://profile.example${path}`, { headers }), connection);
  };
  const get = (target = '/candidate', authorization: string | null = 'Bearer known', host = 'profile.example') =>
    reads.reply({ host, target, authorization, ifNoneMatch: null, userAgent: 'reader/1.0' }, connection);
  return { route, get, state, used, kept };
}

test('a read that was routed is repeated, and each time recorded under the id of the request', async () => {
  const { route, get, kept } = openReads();
  assert.equal(get(), null);
  const { status, body } = await route();
  assert.deepEqual([get()!.status, get()!.body], [status, await new Response(body).text()]);
  assert.deepEqual(
    kept.calls.map(({ milliseconds, ...call }) => call),
    Array(3).fill({ operation: 'get_candidate', surface: 'rest', caller: 'token-1', code: 'OK', request: 'request-1' }),
  );
});

test('without a token that was verified before, a request is left to the router, and nothing is recorded', async () => {
  const { route, get, state, kept } = openReads();
  await route();
  kept.calls.length = 0;
  for (const authorization of [null, '', 'Basic known', 'Bearer', 'Bearer other'])
    assert.equal(get('/candidate', authorization), null);
  state.token = 'another'; // as if `known` was revoked
  assert.equal(get(), null);
  assert.deepEqual(kept.calls, []);
});

test('a read in another edition is left to the router, which answers from the profile of that', async () => {
  const { route, get, state } = openReads();
  await route();
  const candidate = { ...edition.profile.candidate, name: 'Grace Brewster Hopper' };
  state.edition = { ...edition, profile: { ...edition.profile, candidate } };
  assert.equal(get(), null);
  await route();
  assert.equal(JSON.parse(get()!.body!).name, 'Grace Brewster Hopper');
});

test('a repeated read over the quota is refused with the seconds to wait', async () => {
  const { route, get, state } = openReads();
  await route();
  state.waitSeconds = 7;
  const { status, headers, body } = get()!;
  assert.deepEqual([status, headers['retry-after']], [429, '7']);
  assert.match(body!, /"RATE_LIMITED"/);
});

test('a Host that holds a path is not taken for the URL that it would be written as', async () => {
  const { route, get } = openReads();
  await route('/candidate?x=/healthz');
  assert.equal(get('/healthz', 'Bearer known', 'profile.example/candidate?x='), null);
});

test('a fault of our own is left to the router, which answers and logs it', async () => {
  const { route, get, used } = openReads();
  await route();
  used.record = () => assert.fail('a fault');
  assert.equal(get(), null);
});

test('1,000 URLs are remembered, and of more the first one is forgotten', async () => {
  const { route, get } = openReads();
  for (let n = 0; n < 1_000; n += 1) await route(`/candidate?n=${n}`);
  assert.equal(get('/candidate?n=0')!.status, 200);
  await route();
  assert.equal(get('/candidate?n=0'), null);
  assert.equal(get('/candidate?n=1')!.status, 200);
});
