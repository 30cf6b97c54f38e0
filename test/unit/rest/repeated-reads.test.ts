import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../../src/operations/index.ts';
import type { Read } from '../../../src/operations/operation.ts';
import type { Edition } from '../../../src/operations/ports.ts';
import { openRepeatedReads } from '../../../src/surfaces/rest/rest.ts';
import { edition, serviceOf, visitor } from '../../support/mcp-service.ts';

const readNamed = (name: string) => operations.find((operation) => operation.name === name) as Read;
const [getCandidate, getExperience] = [readNamed('get_candidate'), readNamed('get_experience')];
const connection = { address: '192.0.2.7', requestId: 'request-1' };
const url = 'https://profile.example/candidate';

/** Repeated reads of a service that knows the token `known`; `state` can be changed. */
function openReads() {
  const { services, kept } = serviceOf();
  const state: { edition: Edition; waitSeconds: number; token: string } = { edition, waitSeconds: 0, token: 'known' };
  const reads = openRepeatedReads({
    ...services,
    edition: () => state.edition,
    tokens: { ...services.tokens, recall: (text: string) => (text === state.token ? visitor.token : null) },
    limits: { ...services.limits, take: () => state.waitSeconds },
  });
  const get = (from = url, ifNoneMatch: string | null = null, authorization: string | null = 'Bearer known') => {
    const { host, pathname, search } = new URL(from);
    return reads.reply(
      { host, target: pathname + search, authorization, ifNoneMatch, userAgent: 'reader/1.0' },
      connection,
    );
  };
  return { reads, state, get, kept };
}

test('a read is answered again by its URL alone, and each time recorded under the id of the request', () => {
  const { reads, get, kept } = openReads();
  assert.equal(get(), null);
  reads.add(url, getCandidate, {});
  assert.equal(JSON.parse(get()!.body!).name, 'Grace Hopper');
  assert.equal(get()!.status, 200);
  assert.deepEqual(
    kept.calls.map(({ milliseconds, ...call }) => call),
    Array(2).fill({ operation: 'get_candidate', surface: 'rest', caller: 'token-1', code: 'OK', request: 'request-1' }),
  );
});

test('a client that has the answer is told so', () => {
  const { reads, get } = openReads();
  reads.add(url, getCandidate, {});
  const { etag } = get()!.headers;
  const { status, body, headers } = get(url, etag)!;
  assert.deepEqual([status, body, headers.etag], [304, null, etag]);
});

test('without a token that was verified before, a request is left to be routed, and nothing is recorded', () => {
  const { reads, state, get, kept } = openReads();
  reads.add(url, getCandidate, {});
  for (const authorization of [null, '', 'Basic known', 'Bearer', 'Bearer other'])
    assert.equal(get(url, null, authorization), null);
  state.token = 'another'; // as if `known` was revoked
  assert.equal(get(), null);
  assert.deepEqual(kept.calls, []);
});

test('another edition is answered from its own profile, also if the entry is no longer there', () => {
  const { reads, state, get, kept } = openReads();
  reads.add(url, getCandidate, {});
  reads.add(`${url}/dec`, getExperience, { id: 'dec' });
  assert.equal(get(`${url}/dec`)!.status, 200);
  const candidate = { ...edition.profile.candidate, name: 'Grace Brewster Hopper' };
  state.edition = { ...edition, profile: { ...edition.profile, candidate, experience: [] } };
  assert.equal(JSON.parse(get()!.body!).name, 'Grace Brewster Hopper');
  assert.deepEqual(get(`${url}/dec`), {
    status: 404,
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Allow, ETag, Retry-After, WWW-Authenticate, X-Request-Id',
      'cache-control': 'no-store',
      'content-length': '85',
    },
    body: '{"error":{"code":"NOT_FOUND","message":"The requested resource could not be found."}}',
  });
  assert.deepEqual(
    kept.calls.map(({ code }) => code),
    ['OK', 'OK', 'NOT_FOUND'],
  );
});

test('a repeated read over the quota is refused with the seconds to wait', () => {
  const { reads, state, get } = openReads();
  reads.add(url, getCandidate, {});
  state.waitSeconds = 7;
  const { status, headers, body } = get()!;
  assert.deepEqual([status, headers['retry-after']], [429, '7']);
  assert.match(body!, /"RATE_LIMITED"/);
});

test('a Host that holds a path is not taken for the URL that it would be written as', () => {
  const { reads } = openReads();
  reads.add('https://profile.example/candidate?x=/healthz', getCandidate, {});
  const asked = { target: '/healthz', authorization: 'Bearer known', ifNoneMatch: null, userAgent: null };
  assert.equal(reads.reply({ host: 'profile.example/candidate?x=', ...asked }, connection), null);
});

test('a fault of our own is left to the router, which answers and logs it', () => {
  const { services } = serviceOf();
  const asked = {
    host: 'profile.example',
    target: '/candidate',
    authorization: 'Bearer known',
    ifNoneMatch: null,
    userAgent: null,
  };
  const fail = () => assert.fail('a fault');
  for (const faulty of [
    { tokens: { ...services.tokens, recall: fail } },
    { tokens: { ...services.tokens, recall: () => visitor.token }, record: fail },
  ]) {
    const reads = openRepeatedReads({ ...services, ...faulty });
    reads.add(url, getCandidate, {});
    assert.equal(reads.reply(asked, connection), null);
  }
});

test('1,000 URLs are remembered, and of more the first one is forgotten', () => {
  const { reads, get } = openReads();
  for (let n = 0; n < 1_000; n += 1) reads.add(`${url}?n=${n}`, getCandidate, {});
  assert.equal(get(`${url}?n=0`)!.status, 200);
  reads.add(url, getCandidate, {});
  assert.equal(get(`${url}?n=0`), null);
  assert.equal(get(`${url}?n=1`)!.status, 200);
});
