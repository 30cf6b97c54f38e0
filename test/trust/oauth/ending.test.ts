import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/adapters/store/store.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import { eraseVisitor } from '../../../src/operations/owner/visitors.ts';
import { openDatabase } from '../../support/database.ts';
import { allow, browserOf } from '../../support/oauth.ts';
import { authorizationUrl, codeOf, errorOf, exchange, refresh, tokensOf } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';

type Service = Awaited<ReturnType<typeof openOauthService>>;

const ada = 'ada@example.org';

/** How what a visitor allowed comes to an end. */
const ends: Record<string, (service: Service) => Promise<unknown>> = {
  'revoking the address': ({ opened }) =>
    opened().tokens.revoke({ kind: 'subject', subject: byAddress('ADA@Example.ORG') }),
  'revoking all tokens': ({ opened }) => opened().tokens.revoke({ kind: 'all' }),
  'erasing the visitor': ({ opened }) => invokerFor(opened().owner)(eraseVisitor, { visitor: byAddress(ada) }),
};

for (const [title, end] of Object.entries(ends)) {
  test(`${title} ends codes, requests under way, access and refresh tokens, in one transaction`, async (t) => {
    const service = await openOauthService(t);
    const granted = await codeOf(service, {}, ada);
    const tokens = await tokensOf(service, {}, ada);
    const browser = browserOf(service.fetch, service.baseUrl);
    const { body } = await service.register();
    const page = await browser.open(authorizationUrl(service, String(body.client_id)));
    const consent = await browser.send(page, { email: ada, step: 'address' });
    await end(service);
    assert.deepEqual(service.rows('select id from oauth_records'), []);
    assert.deepEqual(await service.opened().store.oauth.grants.listUnexpired(new Date()), []);
    assert.equal(await service.get('/candidate', tokens.access), 401);
    assert.deepEqual(errorOf(await exchange(service, granted)), [400, 'invalid_grant']);
    assert.deepEqual(errorOf(await refresh(service, tokens.clientId, tokens.refresh)), [400, 'invalid_grant']);
    assert.equal((await browser.send(consent, { step: 'allow' })).response.status, 404);
  });

  test(`${title} while codes are exchanged and tokens renewed leaves none that works`, async (t) => {
    const service = await openOauthService(t);
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(service, {}, ada)));
    const tokens = await Promise.all([1, 2, 3].map(() => tokensOf(service, {}, ada)));
    const [answers] = await Promise.all([
      Promise.all([
        ...codes.map((granted) => exchange(service, granted)),
        ...tokens.map(({ clientId, refresh: token }) => refresh(service, clientId, token)),
      ]),
      end(service),
    ]);
    await service.opened().tokens.refresh();
    const clients = [...codes, ...tokens].map(({ clientId }) => clientId);
    for (const [index, { status, body }] of answers.entries()) {
      assert.ok(status === 200 || body.error === 'invalid_grant', JSON.stringify(body));
      if (status !== 200) continue;
      assert.equal(await service.get('/candidate', body.access_token!), 401);
      assert.deepEqual(errorOf(await refresh(service, clients[index]!, body.refresh_token!)), [400, 'invalid_grant']);
    }
    assert.deepEqual(service.rows('select id from oauth_records where grant_id is not null'), []);
  });
}

test('ending one grant leaves the others of the visitor, and of other visitors, as they are', async (t) => {
  const service = await openOauthService(t);
  const ended = await tokensOf(service, {}, ada);
  const own = await tokensOf(service, {}, ada);
  const other = await tokensOf(service, {}, 'grace@example.org');
  const [row] = service.rows(`select id from oauth_grants where client_id = '${ended.clientId}'`);
  await service.opened().store.oauth.grants.end(String(row!.id), new Date());
  await service.opened().tokens.refresh();
  assert.equal(await service.get('/candidate', ended.access), 401);
  assert.deepEqual(errorOf(await refresh(service, ended.clientId, ended.refresh)), [400, 'invalid_grant']);
  for (const { access, clientId, refresh: token } of [own, other]) {
    assert.equal(await service.get('/candidate', access), 200);
    assert.equal((await refresh(service, clientId, token)).status, 200);
  }
});

test('a visitor who allows a client again after a revocation gets tokens that work', async (t) => {
  const service = await openOauthService(t);
  await tokensOf(service, {}, ada);
  await service.opened().tokens.revoke({ kind: 'subject', subject: byAddress(ada) });
  const { access, clientId, refresh: token } = await tokensOf(service, {}, ada);
  assert.equal(await service.get('/candidate', access), 200);
  assert.equal((await refresh(service, clientId, token)).status, 200);
});

test('of uses of a refresh token at once, through two processes that share the database, one succeeds', async (t) => {
  const service = await openOauthService(t);
  const path = join(service.folder, 'candidate-profile.db');
  const handles = [await openStore(openDatabase(path)), await openStore(openDatabase(path))];
  t.after(() => Promise.all(handles.map((handle) => handle.close())));
  await tokensOf(service);
  const [row] = service.rows('select id, grant_id from oauth_records where consumed_at is null');
  const source = { recordId: String(row!.id), grantId: String(row!.grant_id), records: [] };
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 3_600_000);
  const used = await Promise.all(
    [...handles, ...handles].map((handle, index) => {
      const token = { jti: `token ${index}`, subject: byAddress(ada), issuedAt: now, expiresAt };
      return handle.oauth.grants.addToken(token, source, expiresAt, now);
    }),
  );
  assert.deepEqual(used.sort(), ['added', 'used before', 'used before', 'used before']);
});

test('a refresh token that is used again after its successor ends the grant in all processes that share the database', async (t) => {
  const service = await openOauthService(t);
  const { clientId, refresh: first } = await tokensOf(service);
  const { body: second } = await refresh(service, clientId, first);
  const { body: third } = await refresh(service, clientId, second.refresh_token!);
  await service.restart();
  assert.deepEqual(errorOf(await refresh(service, clientId, first)), [400, 'invalid_grant']);
  await service.restart();
  assert.equal(await service.get('/candidate', third.access_token!), 401);
  assert.deepEqual(errorOf(await refresh(service, clientId, third.refresh_token!)), [400, 'invalid_grant']);
});

test('a visitor erased between allowing a client and the exchange is not stored again', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const clientId = String(body.client_id);
  const back = await allow(browserOf(service.fetch, service.baseUrl), authorizationUrl(service, clientId), ada);
  await invokerFor(service.opened().owner)(eraseVisitor, { visitor: byAddress(ada) });
  const code = back.searchParams.get('code')!;
  assert.deepEqual(errorOf(await exchange(service, { clientId, code })), [400, 'invalid_grant']);
  for (const table of ['oauth_grants', 'oauth_records', 'issued_tokens', 'outbox'])
    assert.deepEqual(service.rows(`select * from ${table}`), [], table);
});
