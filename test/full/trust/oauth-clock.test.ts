import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Cleanup, newFolder } from '../../support/files.ts';
import { browserOf } from '../../support/oauth.ts';
import { authorizationUrl, callsOf, codeOf, errorOf, exchange, refresh, tokensOf } from '../../support/oauth-flow.ts';
import { eventually, runCommand, startProcess } from '../../support/process.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Starts the service with a clock that can be set off, by seconds. */
async function openWithClock(t: Cleanup) {
  const file = join(newFolder(t), 'offset');
  const setOff = (seconds: number) => {
    writeFileSync(`${file}.new`, String(seconds));
    renameSync(`${file}.new`, file);
  };
  setOff(0);
  const started = await startProcess(t, {
    NODE_OPTIONS: `--import=${new URL('../../support/shifted-clock.ts', import.meta.url)}`,
    CLOCK_OFFSET_FILE: file,
    TOKEN_TTL: '30d',
  });
  return { ...started, setOff, service: callsOf(started.baseUrl, (url, init) => fetch(url, init)) };
}

test('for 30 s a refresh token gets the same tokens, also after a key rotation; later it ends the grant [TRUST-60]', async (t) => {
  const { service, folder, url, setOff } = await openWithClock(t);
  const { clientId, refresh: token } = await tokensOf(service);
  const { body: first } = await refresh(service, clientId, token);
  const browser = browserOf(service.fetch, url);
  const page = await browser.open(authorizationUrl(service, clientId));
  const { code, stdout } = await runCommand(t, ['keys', 'rotate', '--json'], {}, folder);
  assert.equal(code, 0);
  await eventually(async () => {
    const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
    return keys[0]!.kid === (JSON.parse(stdout) as { kid: string }).kid;
  });
  // A request under way goes on, too.
  const consent = await browser.send(page, { email: 'eve@example.org', step: 'address' });
  assert.ok((await browser.send(consent, { step: 'allow' })).url.searchParams.get('code'));
  setOff(20);
  const { status, body: again } = await refresh(service, clientId, token);
  assert.equal(status, 200);
  const { expires_in: left, ...same } = again;
  const { expires_in: _, ...expected } = first;
  assert.deepEqual(same, expected);
  assert.ok(Number(left) <= 3_580 && Number(left) > 3_500, left);
  assert.equal(await service.get('/candidate', again.access_token!), 200);
  setOff(31);
  assert.deepEqual(errorOf(await refresh(service, clientId, token)), [400, 'invalid_grant']);
  assert.deepEqual(errorOf(await refresh(service, clientId, again.refresh_token!)), [400, 'invalid_grant']);
  await eventually(async () => (await service.get('/candidate', again.access_token!)) === 401);
});

test('a code ends after 1 minute, a request after 30, an access token after 60, a grant after TOKEN_TTL', async (t) => {
  const { service, baseUrl, setOff } = await openWithClock(t);
  const [early, late] = [await codeOf(service), await codeOf(service)];
  const tokens = await tokensOf(service);
  const { body } = await service.register();
  const browsers = [browserOf(service.fetch, baseUrl), browserOf(service.fetch, baseUrl)] as const;
  const pages = await Promise.all(
    browsers.map((browser) => browser.open(authorizationUrl(service, String(body.client_id)))),
  );

  setOff(minute - 10);
  assert.equal((await exchange(service, early)).status, 200);
  setOff(minute + 1);
  assert.deepEqual(errorOf(await exchange(service, late)), [400, 'invalid_grant']);

  const consent = async (index: 0 | 1) =>
    (await browsers[index].send(pages[index]!, { email: 'ada@example.org', step: 'address' })).response.status;
  setOff(30 * minute - 10);
  assert.equal(await consent(0), 200);
  setOff(30 * minute + 10);
  assert.equal(await consent(1), 404);

  setOff(hour - 30);
  assert.equal(await service.get('/candidate', tokens.access), 200);
  setOff(hour + 10);
  assert.equal(await service.get('/candidate', tokens.access), 401);

  const { clientId } = tokens;
  setOff(29 * day);
  const { body: renewed } = await refresh(service, clientId, tokens.refresh);
  assert.equal(await service.get('/candidate', renewed.access_token!), 200);
  // A use prolongs it.
  setOff(58 * day);
  const { body: again } = await refresh(service, clientId, renewed.refresh_token!);
  setOff(88 * day + 10);
  assert.deepEqual(errorOf(await refresh(service, clientId, again.refresh_token!)), [400, 'invalid_grant']);
  assert.equal(await service.get('/candidate', again.access_token!), 401);
});
