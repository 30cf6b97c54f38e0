import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byAddress } from '../../../src/model/visitor.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import { eraseVisitor } from '../../../src/operations/owner/visitors.ts';
import { codeOf, errorOf, exchange, refresh, type Service, tokensOf } from '../../support/oauth-flow.ts'; // biome-ignore format: one line
import { openOauthService } from '../../support/oauth-service.ts';

const service = await openOauthService({ after });
// Another process on the same database.
const other = await service.beside();

const invalid = [400, 'invalid_grant'];
const registered = async () => String((await service.register()).body.client_id);

/** Asserts that nothing of a grant is left: neither an access token nor a refresh token works, in any of the processes. */
async function assertEnded(clientId: string, { access_token: access, refresh_token: token }: Record<string, string>) {
  for (const one of [service, other]) {
    await one.opened().tokens.refresh();
    assert.equal(await one.get('/candidate', access!), 401);
    assert.deepEqual(errorOf(await refresh(one, clientId, token!)), invalid);
  }
}

/** Returns the answers to uses of a refresh token at once, in turn through both processes. */
const refreshAll = (count: number, clientId: string, token: string) =>
  Promise.all(Array.from({ length: count }, (_, n) => refresh([service, other][n % 2] as Service, clientId, token)));

test('a code is of no use without its verifier, to another client, or with another address [TRUST-54]', async () => {
  const granted = await codeOf(service);
  for (const changes of [
    { code_verifier: '' },
    { code_verifier: 'another-verifier-that-is-long-enough-for-it-000000' },
    { code_verifier: 'I6VJnq_ZE6Iew5Be1Pyh2Sfjknj0ULteaeVXZI-T6B8' },
    { client_id: await registered() },
    { redirect_uri: 'http://127.0.0.1:33419/callback' },
    { redirect_uri: 'http://localhost:33418/callback' },
    { code: `${granted.code}x` },
  ])
    assert.deepEqual(errorOf(await exchange(service, granted, changes)), invalid, JSON.stringify(changes));
  for (const [changes, error] of [
    [{ code_verifier: 'short' }, [400, 'invalid_request']],
    [{ client_id: 'unknown' }, [401, 'invalid_client']],
    [{ code: '' }, [400, 'invalid_request']],
    [{ grant_type: 'password' }, [400, 'unsupported_grant_type']],
    [{ grant_type: 'client_credentials' }, [400, 'unsupported_grant_type']],
    [{ grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, [400, 'unsupported_grant_type']],
  ] as const)
    assert.deepEqual(errorOf(await exchange(service, granted, changes)), error, JSON.stringify(changes));
  // None of these has used it up.
  assert.equal((await exchange(service, granted)).status, 200);
});

test('a code that is used again, by anybody or with a wrong verifier, ends what the first use got [TRUST-54] [TRUST-67]', async () => {
  for (const changes of [
    {},
    { client_id: await registered() },
    { code_verifier: 'another-verifier-that-is-long-enough-for-it-000000' },
  ]) {
    const granted = await codeOf(service);
    const { body } = await exchange(service, granted);
    assert.equal(await service.get('/candidate', body.access_token!), 200);
    assert.deepEqual(errorOf(await exchange(other, granted, changes)), invalid);
    await assertEnded(granted.clientId, body);
  }
});

test('a code that is used at once through two processes gets tokens at most once, and ends them [TRUST-67]', async () => {
  const granted = await codeOf(service);
  const answers = await Promise.all([service, other, service, other].map((one) => exchange(one, granted)));
  const given = answers.filter(({ status }) => status === 200);
  assert.ok(given.length <= 1);
  for (const { body } of given) await assertEnded(granted.clientId, body);
});

test('calls that renew the same tokens at once, through two processes, all get the same ones [TRUST-60]', async () => {
  const { clientId, refresh: token } = await tokensOf(service);
  const answers = await refreshAll(6, clientId, token);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  );
  assert.equal(new Set(answers.map(({ body }) => body.access_token)).size, 1);
  assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1);
  const { access_token: access, refresh_token: next } = answers[5]!.body;
  for (const one of [service, other]) assert.equal(await one.get('/candidate', access!), 200);
  assert.equal((await refresh(service, clientId, next!)).status, 200);
});

test('a refresh token that is used again after its successor was used ends the grant [TRUST-54] [TRUST-60]', async () => {
  const { clientId, refresh: first } = await tokensOf(service);
  const { body: second } = await refresh(service, clientId, first);
  const { body: third } = await refresh(other, clientId, second.refresh_token!);
  assert.deepEqual(errorOf(await refresh(service, clientId, first)), invalid);
  await assertEnded(clientId, third);
});

test('a refresh token that another client presents is refused; if it was used before, its grant ends [TRUST-67]', async () => {
  const thief = await registered();
  const { clientId, refresh: token } = await tokensOf(service);
  assert.deepEqual(errorOf(await refresh(other, thief, token)), invalid);
  const { status, body } = await refresh(service, clientId, token);
  assert.equal(status, 200);
  assert.deepEqual(errorOf(await refresh(other, thief, token)), invalid);
  await assertEnded(clientId, body);
});

test('a client that got no answer asks again, also after a restart: the same tokens, which last no longer', async (t) => {
  const own = await openOauthService(t);
  const { clientId, refresh: token } = await tokensOf(own, { scope: 'profile:read contact:write' });
  const { body: first } = await refresh(own, clientId, token, { scope: 'profile:read' });
  const stored = () =>
    ['oauth_grants', 'issued_tokens', 'oauth_records'].map((table) => own.rows(`select * from ${table} order by 1`));
  const before = stored();
  await own.restart();
  const { status, body } = await refresh(own, clientId, token, { scope: 'profile:read' });
  assert.equal(status, 200);
  assert.deepEqual({ ...body, expires_in: 0 }, { ...first, expires_in: 0 });
  assert.ok(Number(body.expires_in) <= 3_600, body.expires_in);
  assert.deepEqual(stored(), before);
  const end = { visitor: byAddress('ada@example.org') };
  await invokerFor(own.opened().owner)(eraseVisitor, end);
  assert.deepEqual(errorOf(await refresh(own, clientId, token)), invalid);
});

test('neither a code, a refresh token nor what a second use gets is stored in clear', async (t) => {
  const own = await openOauthService(t);
  const { code } = await codeOf(own);
  const { clientId, refresh: token } = await tokensOf(own);
  const { body } = await refresh(own, clientId, token);
  const rows = own.rows('select * from oauth_records') as { payload: string }[];
  assert.equal(rows.filter(({ payload }) => 'sealed' in JSON.parse(payload)).length, 1);
  const stored = JSON.stringify(rows);
  for (const secret of [code, token, body.refresh_token!, body.access_token!, body.access_token!.split('.')[2]!])
    assert.ok(!stored.includes(secret));
});

test('a code and a refresh token that have expired are of no use', async (t) => {
  const own = await openOauthService(t);
  const [granted, { clientId, refresh: token }] = [await codeOf(own), await tokensOf(own)];
  own.rows("update oauth_records set expires_at = '2026-01-01T00:00:00.000Z'");
  assert.deepEqual(errorOf(await exchange(own, granted)), invalid);
  assert.deepEqual(errorOf(await refresh(own, clientId, token)), invalid);
});

test('a code or refresh token that got no tokens, because they could not be stored, gets them later', async (t) => {
  const own = await openOauthService(t);
  const rename = (from: string, to: string) => own.rows(`alter table ${from} rename to ${to}`);
  async function getsLater(ask: () => ReturnType<Service['token']>) {
    rename('issued_tokens', 'hidden');
    assert.deepEqual(errorOf(await ask()), [500, 'server_error']);
    rename('hidden', 'issued_tokens');
    const { status, body } = await ask();
    assert.equal(status, 200);
    return body;
  }
  const granted = await codeOf(own);
  const { refresh_token: token } = await getsLater(() => exchange(own, granted));
  await getsLater(() => refresh(own, granted.clientId, token!));
});
