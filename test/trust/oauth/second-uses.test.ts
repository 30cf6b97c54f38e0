import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { byAddress } from '../../../src/model/visitor.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import { eraseVisitor } from '../../../src/operations/owner/visitors.ts';
import { codeOf, errorOf, exchange, refresh, type Service, tokensOf } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';

const invalid = [400, 'invalid_grant'];

/** Asserts that nothing of a grant is left: neither an access token nor a refresh token works, in any of the processes. */
async function assertEnded(services: Awaited<ReturnType<typeof openPair>>, clientId: string, tokens: Tokens) {
  for (const service of services) {
    await service.opened().tokens.refresh();
    assert.equal(await service.get('/candidate', tokens.access_token), 401);
    assert.deepEqual(errorOf(await refresh(service, clientId, tokens.refresh_token)), invalid);
  }
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Opens two processes on one database. */
async function openPair(...given: Parameters<typeof openOauthService>) {
  const service = await openOauthService(...given);
  return [service, await service.beside()] as const;
}

/** Uses a refresh token in turn in each of the processes, with a pause between the uses. */
const refreshAll = (services: readonly Service[], count: number, apartMs: number, clientId: string, token: string) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      if (apartMs > 0) await pause(index * apartMs);
      return refresh(services[index % services.length]!, clientId, token);
    }),
  );

for (const apartMs of [0, 5, 50])
  test(`calls that renew the same tokens ${apartMs} ms apart, through two processes, all get the same ones [TRUST-60]`, async (t) => {
    const services = await openPair(t);
    const [service] = services;
    const { clientId, refresh: token } = await tokensOf(service);
    const answers = await refreshAll(services, 6, apartMs, clientId, token);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200],
    );
    assert.equal(new Set(answers.map(({ body }) => body.access_token)).size, 1);
    assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1);
    const { access_token: access, refresh_token: next } = answers[5]!.body;
    for (const each of services) assert.equal(await each.get('/candidate', access!), 200);
    assert.equal((await refresh(service, clientId, next!)).status, 200);
    // That of the code, that of the six refreshes, and the last one.
    assert.deepEqual(service.rows('select count(*) as count from issued_tokens'), [{ count: 3 }]);
  });

test('a client that got no answer asks again, also after a restart: the same tokens, and none of them lasts longer', async (t) => {
  const service = await openOauthService(t);
  const { clientId, refresh: token } = await tokensOf(service, { scope: 'profile:read contact:write' });
  const { body: first } = await refresh(service, clientId, token, { scope: 'profile:read' });
  const stored = () => [
    service.rows('select * from oauth_grants'),
    service.rows('select * from issued_tokens order by jti'),
    service.rows('select * from oauth_records order by id'),
  ];
  const before = stored();
  await service.restart();
  await pause(1_100);
  const { status, body } = await refresh(service, clientId, token, { scope: 'profile:read' });
  assert.equal(status, 200);
  const { expires_in: left, ...same } = body;
  const { expires_in: whole, ...expected } = first;
  assert.deepEqual(same, expected);
  assert.equal(Number(whole), 3_600);
  assert.ok(Number(left) < 3_600 && Number(left) > 3_500, left);
  assert.deepEqual(stored(), before);
});

test('a refresh token that is used again after the one that it got was used ends the grant [TRUST-60]', async (t) => {
  const services = await openPair(t);
  const [service, other] = services;
  const { clientId, refresh: token } = await tokensOf(service);
  const { body: second } = await refresh(service, clientId, token);
  const { body: third } = await refresh(other, clientId, second.refresh_token!);
  assert.deepEqual(errorOf(await refresh(service, clientId, token)), invalid);
  await assertEnded(services, clientId, third as unknown as Tokens);
});

test('a refresh token that another client presents is refused; if it was used before, its grant ends, at once too [TRUST-67]', async (t) => {
  const services = await openPair(t);
  const [service, other] = services;
  const { body: stranger } = await service.register();
  const thief = String(stranger.client_id);
  const { clientId, refresh: token } = await tokensOf(service);
  assert.deepEqual(errorOf(await refresh(other, thief, token)), invalid);
  const { status, body } = await refresh(service, clientId, token);
  assert.equal(status, 200);
  assert.deepEqual(errorOf(await refresh(other, thief, token)), invalid);
  await assertEnded(services, clientId, body as unknown as Tokens);
});

test('a code that is used twice at once, through two processes, ends what it got [TRUST-67]', async (t) => {
  const services = await openPair(t);
  for (const _ of [1, 2, 3]) {
    const granted = await codeOf(services[0]);
    const answers = await Promise.all([0, 1, 0, 1].map((index) => exchange(services[index]!, granted)));
    const given = answers.filter(({ status }) => status === 200);
    assert.ok(given.length <= 1);
    for (const { body } of given) await assertEnded(services, granted.clientId, body as unknown as Tokens);
    assert.deepEqual(await services[1].opened().store.oauth.grants.listUnexpired(new Date()), []);
  }
});

test('a code that was used ends what it got when another client presents it, and when its verifier is wrong [TRUST-67]', async (t) => {
  const services = await openPair(t);
  const [service] = services;
  const { body: stranger } = await service.register();
  for (const changes of [
    { client_id: String(stranger.client_id) },
    { code_verifier: 'another-verifier-that-is-long-enough-for-it-000000' },
  ]) {
    const granted = await codeOf(service);
    const { body } = await exchange(service, granted);
    assert.deepEqual(errorOf(await exchange(service, granted, changes)), invalid);
    await assertEnded(services, granted.clientId, body as unknown as Tokens);
  }
});

test('what was revoked or erased is not given again', async (t) => {
  for (const end of ['revoke', 'erase'] as const) {
    const service = await openOauthService(t);
    const { clientId, refresh: token } = await tokensOf(service);
    await refresh(service, clientId, token);
    if (end === 'revoke')
      await service.opened().tokens.revoke({ kind: 'subject', subject: byAddress('ada@example.org') });
    else await invokerFor(service.opened().owner)(eraseVisitor, { visitor: byAddress('ada@example.org') });
    assert.deepEqual(errorOf(await refresh(service, clientId, token)), invalid);
    assert.deepEqual(service.rows('select * from oauth_records'), []);
  }
});

test('what is stored for a second use holds no token in clear', async (t) => {
  const service = await openOauthService(t);
  const { clientId, refresh: token } = await tokensOf(service);
  const { body } = await refresh(service, clientId, token);
  const rows = service.rows('select * from oauth_records') as { payload: string }[];
  assert.equal(rows.filter(({ payload }) => 'sealed' in JSON.parse(payload)).length, 1);
  const stored = JSON.stringify(rows);
  for (const secret of [token, body.refresh_token!, body.access_token!, body.access_token!.split('.')[2]!])
    assert.ok(!stored.includes(secret));
});
