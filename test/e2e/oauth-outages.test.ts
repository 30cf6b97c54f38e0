import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { damageTable } from '../support/database.ts';
import { browserOf } from '../support/oauth.ts';
import { authorizationUrl, codeOf, errorOf, exchange, refresh } from '../support/oauth-flow.ts';
import { openOauthService } from '../support/oauth-service.ts';

test('a visitor who opens the page of a request while the database cannot be read is told to try again', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const browser = browserOf(service.fetch, service.baseUrl);
  const page = await browser.open(authorizationUrl(service, String(body.client_id)));
  assert.equal(page.response.status, 200);
  await service.restart();
  damageTable(join(service.folder, 'candidate-profile.db'), 'oauth_records');
  const { response, text } = await browser.open(page.url);
  assert.equal(response.status, 503);
  assert.match(text, /<h1>Nothing can be stored at the moment<\/h1>/);
});

test('a code or refresh token that got no tokens, because they could not be stored, gets them later', async (t) => {
  const service = await openOauthService(t);
  const rename = (from: string, to: string) => service.rows(`alter table ${from} rename to ${to}`);
  const granted = await codeOf(service);
  rename('issued_tokens', 'hidden');
  assert.deepEqual(errorOf(await exchange(service, granted)), [500, 'server_error']);
  rename('hidden', 'issued_tokens');
  const { status, body } = await exchange(service, granted);
  assert.equal(status, 200);

  rename('issued_tokens', 'hidden');
  assert.deepEqual(errorOf(await refresh(service, granted.clientId, body.refresh_token!)), [500, 'server_error']);
  rename('hidden', 'issued_tokens');
  assert.equal((await refresh(service, granted.clientId, body.refresh_token!)).status, 200);
});
