import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allow, browserOf, type ClientMemory } from '../../support/oauth.ts';
import { authorizationUrl, codeOf, errorOf, exchange, refresh, tokensOf } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';

test('a code is of no use without its verifier, to another client, or with another address [TRUST-54]', async (t) => {
  const service = await openOauthService(t);
  const { body: other } = await service.register();
  const granted = await codeOf(service);
  for (const changes of [
    { code_verifier: '' },
    { code_verifier: 'another-verifier-that-is-long-enough-for-it-000000' },
    { code_verifier: 'I6VJnq_ZE6Iew5Be1Pyh2Sfjknj0ULteaeVXZI-T6B8' },
    { client_id: String(other.client_id) },
    { redirect_uri: 'http://127.0.0.1:33419/callback' },
    { redirect_uri: 'http://localhost:33418/callback' },
    { redirect_uri: 'http://127.0.0.1:33418/callback?' },
    { code: `${granted.code}x` },
    { code: granted.code.slice(1) },
  ])
    assert.deepEqual(
      errorOf(await exchange(service, granted, changes)),
      [400, 'invalid_grant'],
      JSON.stringify(changes),
    );
  for (const [changes, error] of [
    [{ code_verifier: 'short' }, [400, 'invalid_request']],
    [{ client_id: 'unknown' }, [401, 'invalid_client']],
    [{ client_id: '' }, [400, 'invalid_request']],
    [{ code: '' }, [400, 'invalid_request']],
    [{ grant_type: 'password' }, [400, 'unsupported_grant_type']],
    [{ grant_type: 'client_credentials' }, [400, 'unsupported_grant_type']],
    [{ grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, [400, 'unsupported_grant_type']],
    [{ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' }, [400, 'unsupported_grant_type']],
  ] as const)
    assert.deepEqual(errorOf(await exchange(service, granted, changes)), error, JSON.stringify(changes));
  // None of these has used it up.
  assert.equal((await exchange(service, granted)).status, 200);
});

test('a code that is used twice ends the tokens and the refresh token that the first use got [TRUST-54]', async (t) => {
  const service = await openOauthService(t);
  const granted = await codeOf(service);
  const { body } = await exchange(service, granted);
  assert.equal(await service.get('/candidate', body.access_token!), 200);
  assert.deepEqual(errorOf(await exchange(service, granted)), [400, 'invalid_grant']);
  await service.opened().tokens.refresh();
  assert.equal(await service.get('/candidate', body.access_token!), 401);
  assert.equal((await service.callTool(body.access_token!, 'get_candidate')).status, 401);
  assert.deepEqual(errorOf(await refresh(service, granted.clientId, body.refresh_token!)), [400, 'invalid_grant']);
});

test('a refresh token is of no use to another client, even one of the same visitor', async (t) => {
  const service = await openOauthService(t);
  const first = await tokensOf(service);
  const second = await tokensOf(service);
  assert.deepEqual(errorOf(await refresh(service, second.clientId, first.refresh)), [400, 'invalid_grant']);
  assert.equal((await refresh(service, first.clientId, first.refresh)).status, 200);
});

test('a client refuses an answer that another issuer could have sent: its check of iss fails', async (t) => {
  const service = await openOauthService(t);
  for (const issuer of ['https://evil.example', null]) {
    const answer = async (url: URL) => {
      const back = await allow(browserOf(service.fetch, service.baseUrl), url);
      assert.equal(back.searchParams.get('iss'), service.baseUrl);
      if (issuer === null) back.searchParams.delete('iss');
      else back.searchParams.set('iss', issuer);
      return back;
    };
    const memory: ClientMemory = {};
    await assert.rejects(service.connect(memory, { answer }), { name: 'IssuerMismatchError' });
    assert.equal(memory.tokens, undefined);
  }
});

test('every answer to a client names the issuer, which is that of the metadata and of the tokens', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const browser = browserOf(service.fetch, service.baseUrl);
  const page = await browser.open(authorizationUrl(service, String(body.client_id)));
  const { url: denied } = await browser.send(page, { step: 'deny' });
  const { issuer } = (await (
    await service.fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`)
  ).json()) as { issuer: string };
  const { access } = await tokensOf(service);
  const { iss } = JSON.parse(Buffer.from(access.split('.')[1]!, 'base64url').toString()) as { iss: string };
  assert.deepEqual([denied.searchParams.get('iss'), issuer, iss], Array(3).fill('http://127.0.0.1:3000'));
});
