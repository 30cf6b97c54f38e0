import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/model/failure.ts';
import { createAuthToken } from '../../src/operations/auth.ts';
import { getCandidate } from '../../src/operations/candidate.ts';
import { createContact } from '../../src/operations/contact.ts';
import { getExperience } from '../../src/operations/experience.ts';
import { type Caller, invoke, type Operation, owner } from '../../src/operations/operation.ts';
import { limitDownload } from '../../src/operations/quotas.ts';
import type { AuditEntry, QuotaCharge } from '../../src/operations/services.ts';
import { serviceOf, visitor } from './mcp-service.ts';

const nobody: Caller = { kind: 'anonymous', token: null, address: '2001:db8:0:1::7', requestId: 'request-1' };
const message = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };

/** Services that note what is counted and what is audited; quotas are full for so many seconds. */
function openCounting(waitSeconds = 0) {
  const { services, kept } = serviceOf();
  const counted: (QuotaCharge & { where: string })[] = [];
  const audited: AuditEntry[] = [];
  const countIn = (where: string) => ({
    take: async (quotas: readonly QuotaCharge[]) => {
      counted.push(...quotas.map((quota) => ({ where, ...quota })));
      return waitSeconds;
    },
  });
  const counting = {
    ...services,
    audit: (entry: AuditEntry) => void audited.push(entry),
    limits: { here: countIn('here'), everywhere: countIn('everywhere') },
  };
  const call = (operation: Operation, caller: Caller, input: unknown = {}) =>
    invoke(operation, { surface: 'rest', caller, input: () => input }, counting);
  return { services: counting, kept, counted, audited, call };
}

const refuses = (call: Promise<unknown>, code: string, text: string) =>
  assert.rejects(call, (error) => {
    assert.ok(error instanceof Failure);
    assert.deepEqual([error.code, error.message], [code, text]);
    return true;
  });

test('what is asked for by an id that is not text is refused as that', async () => {
  const { call } = openCounting();
  await refuses(call(getExperience, visitor, { id: 1 }), 'BAD_REQUEST', 'id must be a string');
  await refuses(call(getExperience, visitor, { id: null }), 'BAD_REQUEST', 'id is required');
  await refuses(call(getExperience, visitor, undefined), 'BAD_REQUEST', 'id is required');
});

test('a read counts against what a token may read in this process', async () => {
  const { call, counted } = openCounting();
  await call(getCandidate, visitor);
  assert.deepEqual(counted, [{ where: 'here', key: 'read token token-1', count: 120, seconds: 60 }]);
});

test('a mutation counts against each of its quotas, for all processes', async () => {
  const { call, counted } = openCounting();
  await call(createContact, visitor, message);
  await call(createAuthToken, nobody, { email: 'ada@example.org' });
  assert.deepEqual(counted, [
    { where: 'everywhere', key: 'create_contact subject ada@example.org', count: 5, seconds: 3_600 },
    { where: 'everywhere', key: 'create_contact block 192.0.2.7', count: 10, seconds: 3_600 },
    { where: 'everywhere', key: 'create_contact service ', count: 1_000, seconds: 3_600 },
    { where: 'everywhere', key: 'create_auth_token block 2001:db8:0:1::/64', count: 10, seconds: 60 },
  ]);
});

test('nothing is counted for the owner, nor for an address that is not known', async () => {
  const { call, counted, services } = openCounting();
  await call(getCandidate, owner);
  await call(createContact, owner, message);
  await call(createAuthToken, { ...nobody, address: null }, { email: 'ada@example.org' });
  await limitDownload('/files/resume.pdf', null, services);
  assert.deepEqual(counted, []);
});

test('downloads count by block in this process', async () => {
  const { counted, services } = openCounting();
  await limitDownload('/files/resume.pdf', '192.0.2.7', services);
  assert.deepEqual(counted, [{ where: 'here', key: '/files/resume.pdf 192.0.2.7', count: 60, seconds: 60 }]);
});

test('a full quota says when to come again, is audited, and lets nothing happen', async () => {
  const { call, audited, kept, services } = openCounting(7);
  const text = 'Too many requests. Try again in 7 seconds.';
  await refuses(call(getCandidate, visitor), 'RATE_LIMITED', text);
  await refuses(call(createContact, visitor, message), 'RATE_LIMITED', text);
  await refuses(limitDownload('/files/resume.pdf', '192.0.2.7', services), 'RATE_LIMITED', text);
  await assert.rejects(call(getCandidate, visitor), { retryAfterSeconds: 7 });
  assert.deepEqual(kept.contacts, []);
  const from = '192.0.2.7';
  assert.deepEqual(audited, [
    { event: 'limit_hit', operation: 'get_candidate', from },
    { event: 'limit_hit', operation: 'create_contact', from },
    { event: 'limit_hit', operation: '/files/resume.pdf', from },
    { event: 'limit_hit', operation: 'get_candidate', from },
  ]);
});

test('a token that is issued is audited with its id, whose it is and from where', async () => {
  const { call, audited } = openCounting();
  await call(createAuthToken, nobody, { email: 'ada@example.org' });
  assert.deepEqual(audited, [
    { event: 'token_issued', jti: 'token-2', subject: 'ada@example.org', from: '2001:db8:0:1::7' },
  ]);
});

test('each call is recorded with who made it, what came of it and how long it took', async () => {
  const { call, kept } = openCounting();
  await call(getCandidate, visitor);
  await call(getCandidate, owner);
  await refuses(call(getCandidate, nobody), 'UNAUTHORIZED', 'A valid bearer token is required');
  assert.deepEqual(
    kept.calls.map(({ milliseconds: _, ...rest }) => rest),
    [
      { operation: 'get_candidate', surface: 'rest', caller: 'token-1', code: 'OK' },
      { operation: 'get_candidate', surface: 'rest', caller: 'owner', code: 'OK' },
      { operation: 'get_candidate', surface: 'rest', caller: 'anonymous', code: 'UNAUTHORIZED', request: 'request-1' },
    ],
  );
  for (const { milliseconds } of kept.calls) {
    assert.ok(milliseconds >= 0 && milliseconds < 60_000, `${milliseconds}`);
    assert.equal(milliseconds, Number(milliseconds.toFixed(3)));
  }
});

test('a bug is told in words that tell nothing, and recorded with its cause', async () => {
  const { call, kept } = openCounting();
  const bug = new Error('secret detail');
  const broken: Operation = {
    ...getCandidate,
    name: 'broken',
    handle: () => {
      throw bug;
    },
  };
  await assert.rejects(call(broken, visitor), (error) => {
    assert.ok(error instanceof Failure);
    assert.equal(error.code, 'INTERNAL_ERROR');
    assert.doesNotMatch(JSON.stringify(error.body), /secret/);
    return true;
  });
  const [{ code, cause } = assert.fail('not recorded')] = kept.calls;
  assert.deepEqual([code, cause], ['INTERNAL_ERROR', bug]);
});
