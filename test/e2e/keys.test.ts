import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { calculateJwkThumbprint, decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose';
import { type Cleanup, newFolder } from '../support/files.ts';
import { eventually, runCommand, startService } from '../support/process.ts';

type Service = Awaited<ReturnType<typeof startService>>;
const off = { LIMITS: 'off' };
const dayMs = 86_400_000;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const statusOf = async ({ url }: Service, token: string, path = '/candidate') =>
  (await fetch(url + path, { headers: bearer(token) })).status;
const published = async ({ url }: Service) =>
  ((await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: JWK[] }).keys.map(({ kid }) => kid!);
const pdfLink = async ({ url }: Service, token: string) =>
  ((await (await fetch(`${url}/resume?format=pdf`, { headers: bearer(token) })).json()) as { url: string }).url;

/** Asks for the status alone, because rendering the PDF takes a while. */
async function statusOfLink(link: string): Promise<number> {
  const response = await fetch(link, { method: 'HEAD' });
  return response.status;
}

const keyFileOf = ({ folder }: Service) => join(folder, 'data/signing-key.json');
const readKeys = (service: Service) =>
  (JSON.parse(readFileSync(keyFileOf(service), 'utf8')) as { keys: (JWK & { exp?: number })[] }).keys;

/** Rotates beside a service, and waits until the service publishes the new key. */
async function rotate(t: Cleanup, service: Service, ...options: string[]) {
  const { code, stdout, stderr } = await runCommand(t, ['keys', 'rotate', '--json', ...options], off, service.folder);
  assert.equal(code, 0, stderr);
  const rotated = JSON.parse(stdout) as { kid: string; verifying: { kid: string; until: string }[] };
  await eventually(async () => (await published(service))[0] === rotated.kid);
  return { ...rotated, stderr };
}

suite('Rotating the keys', { concurrency: 2 }, () => {
  test('after a rotation what was signed before stays valid, and the new key signs what comes after', async (t) => {
    const service = await startService(t, { ...off, TOKEN_TTL: '40d' });
    const before = await service.token();
    const link = await pdfLink(service, before);
    const [old] = await published(service);
    const startedAt = Date.now();
    const { kid, verifying, stderr } = await rotate(t, service);
    const [{ until = '' } = {}] = verifying;
    assert.deepEqual(verifying, [{ kid: old, until }]);
    // As long as the issued token is valid: the command itself runs with another TOKEN_TTL.
    assert.ok(
      Date.parse(until) >= startedAt + 40 * dayMs - 60_000 && Date.parse(until) < Date.now() + 40.1 * dayMs,
      until,
    );
    assert.equal(
      stderr,
      [
        'The new key signs; a running service uses it within 2 seconds, without a restart.',
        `The old key ${old} verifies until ${until}.`,
        '',
      ].join('\n'),
    );
    assert.deepEqual(await published(service), [kid, old]);
    assert.deepEqual([await statusOf(service, before), await statusOfLink(link)], [200, 200]);
    const after = await service.token();
    assert.deepEqual([decodeProtectedHeader(before).kid, decodeProtectedHeader(after).kid], [old, kid]);
    assert.equal(await statusOf(service, after), 200);
    assert.notEqual(await pdfLink(service, after), link);
    assert.equal(await statusOfLink(await pdfLink(service, after)), 200);
    assert.equal(statSync(keyFileOf(service)).mode & 0o777, 0o600);
    assert.deepEqual(
      readdirSync(join(service.folder, 'data')).filter((name) => name.startsWith('signing-key')),
      ['signing-key.json'],
    );
  });

  test('dropping a key ends every token and link at once, also those that a thief signs with it later [TRUST-5]', async (t) => {
    const service = await startService(t, off);
    const token = await service.token();
    const link = await pdfLink(service, token);
    assert.deepEqual([await statusOf(service, token), await statusOfLink(link)], [200, 200]);
    const [leaked] = readKeys(service);
    const { kid, verifying } = await rotate(t, service, '--drop-old');
    assert.deepEqual(verifying, []);
    assert.deepEqual(await published(service), [kid]);
    assert.deepEqual([await statusOf(service, token), await statusOf(service, token, '/mcp')], [401, 401]);
    assert.equal(await statusOfLink(link), 404);
    const now = Math.floor(Date.now() / 1000);
    const stolen = await new SignJWT({ client_id: 'auth-token', scope: 'profile' })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: await calculateJwkThumbprint(leaked!) })
      .setIssuer(service.baseUrl)
      .setAudience(service.baseUrl)
      .setSubject('thief@example.org')
      .setJti('0123456789abcdef0123456789abcdef')
      // Later than every revocation.
      .setIssuedAt(now + 30)
      .setExpirationTime(now + 3600)
      .sign(await importJWK(leaked!, 'EdDSA'));
    assert.equal(await statusOf(service, stolen), 401);
    assert.equal(await statusOf(service, await service.token()), 200);
    const { stdout } = await runCommand(t, ['tokens', 'list', '--json'], off, service.folder);
    assert.deepEqual(
      (JSON.parse(stdout) as { revoked: boolean }[]).map(({ revoked }) => revoked),
      [false, true],
    );
  });

  test('with SIGNING_KEY nothing is written: the printed set accepts tokens that were issued before', async (t) => {
    const service = await startService(t, off);
    const SIGNING_KEY = JSON.stringify(readKeys(service)[0]);
    const token = await service.token();
    const folder = newFolder(t);
    const printed = await runCommand(t, ['keys', 'rotate'], { ...off, SIGNING_KEY }, folder);
    assert.equal(printed.code, 0);
    assert.match(printed.stderr, /^Nothing was written, because SIGNING_KEY is set\. .+\n$/);
    assert.doesNotMatch(printed.stderr, /"d"/);
    assert.deepEqual(
      readdirSync(join(folder, 'data')).filter((name) => name.startsWith('signing-key')),
      [],
    );
    const next = await startService(t, { ...off, SIGNING_KEY: printed.stdout.trim(), BASE_URL: service.baseUrl });
    assert.equal(await statusOf(next, token), 200);
    assert.notEqual(decodeProtectedHeader(await next.token()).kid, decodeProtectedHeader(token).kid);
    const dropped = await runCommand(t, ['keys', 'rotate', '--drop-old'], { ...off, SIGNING_KEY }, folder);
    assert.equal((JSON.parse(dropped.stdout) as { keys: JWK[] }).keys.length, 1);
  });
});
