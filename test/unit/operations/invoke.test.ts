import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Failure } from '../../../src/model/failure.ts';
import type { AuditEntry } from '../../../src/model/log-entry.ts';
import { type QuotaCharge, toRateLimited } from '../../../src/model/quota.ts';
import { byAddress, isSameVisitor } from '../../../src/model/visitor.ts';
import { createAuthToken } from '../../../src/operations/auth.ts';
import { getBackground } from '../../../src/operations/background.ts';
import { type Call, type Caller, owner } from '../../../src/operations/call.ts';
import { getCandidate } from '../../../src/operations/candidate.ts';
import { createContact } from '../../../src/operations/contact.ts';
import { invoke } from '../../../src/operations/invoke.ts';
import { getMyReads } from '../../../src/operations/me.ts';
import { type Operation, operation } from '../../../src/operations/operation.ts';
import type { Edition, Store } from '../../../src/operations/ports.ts';
import { limitDownload } from '../../../src/operations/quotas.ts';
import { edition, serviceOf, visitor } from '../../support/mcp-service.ts';
import { noon } from '../../support/store.ts';

const nobody: Caller = {
  kind: 'anonymous',
  token: null,
  address: '2001:db8:0:1::7',
  requestId: 'request-1',
  client: null,
};
const message = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };

/** Services that record charges and audit entries; the quotas are used up for `waitSeconds`. */
function openCounting(waitSeconds = 0) {
  const { services, kept } = serviceOf();
  const counted: (QuotaCharge & { where: string })[] = [];
  const audited: AuditEntry[] = [];
  const countIn = (where: string) => (quotas: readonly QuotaCharge[]) => {
    counted.push(...quotas.map((quota) => ({ where, ...quota })));
    return waitSeconds;
  };
  const countInStore = countIn('shared');
  const refuseIfUsedUp = (charges: readonly QuotaCharge[]) => {
    if (waitSeconds > 0 && charges.length > 0) throw toRateLimited(waitSeconds);
  };
  const store: Store = {
    ...services.store,
    quotas: {
      check: async (charges) => refuseIfUsedUp(charges),
      async take(charges) {
        refuseIfUsedUp(charges);
        countInStore(charges);
      },
    },
    contacts: {
      ...services.store.contacts,
      async add(contact, notice, _sender, charges) {
        await store.quotas.take(charges, noon);
        return services.store.contacts.add(contact, notice);
      },
    },
    tokens: {
      async add(issued, notice, charges) {
        await store.quotas.take(charges, noon);
        return services.store.tokens.add(issued, notice);
      },
    },
  };
  const counting = {
    ...services,
    store,
    audit: (entry: AuditEntry) => void audited.push(entry),
    limits: { ...services.limits, take: (charge: QuotaCharge) => countIn('local')([charge]) },
  };
  const call = (operation: Operation, caller: Caller, input: unknown = {}, more: Partial<Call> = {}) =>
    invoke(operation, { surface: 'rest', caller, input: () => input, ...more }, counting);
  return { services: counting, kept, counted, audited, call };
}

const refuses = (call: Promise<unknown>, code: string, text: string) =>
  assert.rejects(call, (error) => {
    assert.ok(error instanceof Failure);
    assert.deepEqual([error.code, error.message], [code, text]);
    return true;
  });

test('a read is charged to the read quota of its token, in this process', async () => {
  const { call, counted } = openCounting();
  await call(getCandidate, visitor);
  assert.deepEqual(counted, [{ where: 'local', key: 'read token token-1', count: 120, seconds: 60 }]);
});

test('a mutation is charged to each of its quotas, for all processes', async () => {
  const { call, counted } = openCounting();
  await call(createContact, visitor, message);
  await call(createAuthToken, nobody, { email: 'ada@example.org' });
  assert.deepEqual(counted, [
    { where: 'shared', key: 'create_contact subject ada@example.org', count: 5, seconds: 3_600 },
    { where: 'shared', key: 'create_contact block 192.0.2.7', count: 10, seconds: 3_600 },
    { where: 'shared', key: 'create_contact service ', count: 1_000, seconds: 3_600 },
    { where: 'shared', key: 'create_auth_token block 2001:db8:0:1::/64', count: 10, seconds: 60 },
  ]);
});

test('of IPv6, the /56 has twice the quota of a /64 if all callers share one [TRUST-64]', async () => {
  const { call, counted } = openCounting();
  await call(createContact, { ...visitor, address: '2001:db8:0:1ab::9' }, message);
  assert.deepEqual(
    counted.map(({ key, count }) => [key, count]),
    [
      ['create_contact subject ada@example.org', 5],
      ['create_contact block 2001:db8:0:1ab::/64', 10],
      ['create_contact /56 2001:db8:0:100::/56', 20],
      ['create_contact service ', 1_000],
    ],
  );
});

test('a quota may be per token', async () => {
  const { call, counted } = openCounting();
  const quotas = [{ per: 'token', count: 3, seconds: 60 }] as const;
  await call({ ...createContact, quotas } as Operation, visitor, message);
  await call({ ...createAuthToken, quotas } as Operation, nobody, { email: 'ada@example.org' });
  assert.deepEqual(counted, [{ where: 'shared', key: 'create_contact token token-1', count: 3, seconds: 60 }]);
});

test('a read that the surface has charged is not charged again, and is refused if that exceeded the quota', async () => {
  const { call, counted } = openCounting();
  await call(getCandidate, visitor, {}, { quotaFailure: null });
  const failure = new Failure('RATE_LIMITED', 'Later.');
  await refuses(call(getCandidate, visitor, {}, { quotaFailure: failure }), 'RATE_LIMITED', 'Later.');
  assert.deepEqual(counted, []);
});

test('a mutation whose input is refused, or does not arrive, is charged', async () => {
  const { call, counted, services } = openCounting();
  await refuses(
    call(createAuthToken, nobody, { email: 'nobody' }),
    'BAD_REQUEST',
    'email must be a valid email address',
  );
  const input = () => Promise.reject(new Failure('REQUEST_TIMEOUT'));
  await assert.rejects(invoke(createAuthToken, { surface: 'rest', caller: nobody, input }, services), {
    code: 'REQUEST_TIMEOUT',
  });
  const charge = { where: 'shared', key: 'create_auth_token block 2001:db8:0:1::/64', count: 10, seconds: 60 };
  assert.deepEqual(counted, [charge, charge]);
});

test('a repeat of a stored request is charged as a read, whether its input is valid or not', async () => {
  const { counted, services } = openCounting();
  services.store.contacts.hasKey = async ({ subject }, key) =>
    isSameVisitor(subject, byAddress('ada@example.org')) && key === 'key-1';
  services.store.contacts.add = async () => 'contact_1';
  const repeat = (input: unknown) =>
    invoke(createContact, { surface: 'rest', caller: visitor, idempotencyKey: 'key-1', input: () => input }, services);
  assert.deepEqual((await repeat(message)).data, { id: 'contact_1', status: 'received' });
  await refuses(repeat({}), 'BAD_REQUEST', 'name is required');
  const charge = { where: 'local', key: 'read token token-1', count: 120, seconds: 60 };
  assert.deepEqual(counted, [charge, charge]);
});

test('a request whose key another one has stored meanwhile is charged as a read', async () => {
  const { call, counted, services } = openCounting();
  services.store.contacts.add = async () => 'contact_1';
  const answer = await call(createContact, visitor, message, { idempotencyKey: 'key-1' });
  assert.deepEqual(answer.data, { id: 'contact_1', status: 'received' });
  assert.deepEqual(counted, [{ where: 'local', key: 'read token token-1', count: 120, seconds: 60 }]);
});

test('a repeat that races the request which uses up a quota has the same answer', async () => {
  const { call, audited, services } = openCounting();
  let isStored = false;
  services.store.quotas.check = async () => {
    isStored = true; // by the other request, with the last use
    throw toRateLimited(7);
  };
  services.store.contacts.hasKey = async () => isStored;
  services.store.contacts.add = async () => 'contact_1';
  const answer = await call(createContact, visitor, message, { idempotencyKey: 'key-1' });
  assert.deepEqual(answer.data, { id: 'contact_1', status: 'received' });
  assert.deepEqual(audited, []);
});

test('a quota that is used up while the input arrives refuses the call, which is audited once', async () => {
  const { call, audited, kept, services } = openCounting(7);
  services.store.quotas.check = async () => {};
  await refuses(call(createContact, visitor, message), 'RATE_LIMITED', 'Too many requests. Try again in 7 seconds.');
  await refuses(call(createContact, visitor, {}), 'RATE_LIMITED', 'Too many requests. Try again in 7 seconds.');
  assert.deepEqual(kept.contacts, []);
  const entry = { event: 'limit_hit', operation: 'create_contact', from: '192.0.2.7' };
  assert.deepEqual(audited, [entry, entry]);
});

test('a key is ignored by an operation that accepts none, and for a caller without a token', async () => {
  const { call, kept } = openCounting();
  const notAKey = { idempotencyKey: 'a b' };
  await call(createAuthToken, nobody, { email: 'ada@example.org' }, notAKey);
  await call({ ...createAuthToken, access: 'bearer' }, visitor, { email: 'ada@example.org' }, notAKey);
  await call(createContact, owner, message, notAKey);
  assert.deepEqual([kept.tokens.length, kept.contacts.length], [2, 1]);
  await refuses(
    call(createContact, visitor, message, notAKey),
    'BAD_REQUEST',
    'Idempotency-Key must be 1 to 255 visible ASCII characters',
  );
});

test('the owner and callers with an unknown address are not charged; a download is, to its network', async () => {
  const { call, counted, services } = openCounting();
  await call(getCandidate, owner);
  await call(createContact, owner, message);
  await call(createAuthToken, { ...nobody, address: null }, { email: 'ada@example.org' });
  limitDownload('/files/resume.pdf', null, services);
  assert.deepEqual(counted, []);
  limitDownload('/files/resume.pdf', '192.0.2.7', services);
  assert.deepEqual(counted, [{ where: 'local', key: '/files/resume.pdf block 192.0.2.7', count: 60, seconds: 60 }]);
});

test('a call whose quota is used up is refused before its input is read', async () => {
  const { services, kept } = openCounting(7);
  const input = () => assert.fail('the input is read');
  const taken = {
    ...services.store,
    quotas: { ...services.store.quotas, take: async () => assert.fail('the call is counted') },
  };
  const call = invoke(createContact, { surface: 'rest', caller: visitor, input }, { ...services, store: taken });
  await refuses(call, 'RATE_LIMITED', 'Too many requests. Try again in 7 seconds.');
  assert.deepEqual(kept.contacts, []);
});

const search = operation({
  name: 'search',
  title: 'Search',
  summary: 'Searches.',
  description: 'Searches.',
  kind: 'search',
  access: 'bearer',
  rest: { method: 'POST', path: '/search' },
  quotas: [],
  isOffered: ({ evidence }) => evidence !== false,
  input: z.object({ text: z.string('is required') }),
  output: z.string(),
  handle: async (_input, { profile }) => profile.availability.status,
});

test('a search reads the view that its token has once the input has arrived, if that still offers it', async () => {
  const { services } = serviceOf();
  const searchAfter = (change: Partial<Edition['profile']>) => {
    const input = async () => {
      services.edition = () => ({ ...edition, profile: { ...edition.profile, ...change } });
      return { text: 'x' };
    };
    return invoke(search, { surface: 'rest', caller: visitor, input }, services);
  };
  assert.equal((await searchAfter({ availability: { status: 'hidden' } })).data, 'hidden');
  const gone = 'The requested resource could not be found.';
  await refuses(searchAfter({ evidence: false }), 'NOT_FOUND', gone);
});

test('a token that ends while the input arrives gets 401, whatever the input is', async () => {
  for (const one of [createContact, search, { ...getMyReads, input: search.input }] as Operation[])
    for (const given of [{ ...message, text: 'x' }, {}]) {
      const { services, kept } = serviceOf();
      const input = async () => {
        services.tokens.isValid = () => false;
        return given;
      };
      const call = invoke(one, { surface: 'rest', caller: visitor, input }, services);
      await refuses(call, 'UNAUTHORIZED', 'A valid bearer token is required');
      assert.deepEqual([kept.contacts, kept.reads], [[], []]);
    }
});

test('an exceeded quota gives the seconds to wait, is audited, and nothing is handled', async () => {
  const { call, audited, kept, services } = openCounting(7);
  const text = 'Too many requests. Try again in 7 seconds.';
  await refuses(call(getCandidate, visitor), 'RATE_LIMITED', text);
  await refuses(call(createContact, visitor, message), 'RATE_LIMITED', text);
  const { code, message: words } = limitDownload('/files/resume.pdf', '192.0.2.7', services)!;
  assert.deepEqual([code, words], ['RATE_LIMITED', text]);
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

test('each call is recorded with its caller and outcome', async () => {
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
});

test('an unexpected error gets a constant message, and is recorded with its cause', async () => {
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

test('an operation that the profile does not offer is not found, before anything else is said of the call', async () => {
  const { services, kept } = serviceOf();
  const call = (caller: Caller) =>
    invoke(getBackground, { surface: 'any', caller, input: () => ({}) }, services).catch((error: unknown) => error);
  for (const caller of [nobody, visitor, owner])
    assert.deepEqual(((await call(caller)) as Failure).body, {
      error: { code: 'NOT_FOUND', message: 'The requested resource could not be found.' },
    });
  assert.deepEqual(
    kept.calls.map(({ operation, code }) => [operation, code]),
    Array(3).fill(['get_background', 'NOT_FOUND']),
  );
});
