import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { openKeys } from '../../src/adapters/keys.ts';

// RFC 8037, appendix A, with its thumbprint; and the second key of RFC 8032, section 7.1.
const first = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const firstKid = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const second = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs',
  x: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
};

const parent = await mkdtemp(join(tmpdir(), 'keys-'));
after(() => rm(parent, { recursive: true }));

let dataDir: string;
let file: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(parent, 'data-'));
  file = join(dataDir, 'signing-key.json');
});

const open = (value: unknown) =>
  openKeys({ signingKey: typeof value === 'string' ? value : JSON.stringify(value), dataDir });

test('a given key is known by its RFC 7638 thumbprint, whatever kid it carries, and nothing is written', async () => {
  const keys = await open({ ...first, kid: 'mine', alg: 'EdDSA', use: 'sig', key_ops: ['sign'] });
  assert.equal(keys.signing.kid, firstKid);
  assert.deepEqual([...keys.verifying.keys()], [firstKid]);
  assert.deepEqual(await readdir(dataDir), []);
});

test('the first key of a set signs, all of them verify', async () => {
  const keys = await open({ keys: [second, first] });
  assert.notEqual(keys.signing.kid, firstKid);
  assert.deepEqual([...keys.verifying.keys()], [keys.signing.kid, firstKid]);
});

test('the published set shows the public parts and nothing else', async () => {
  const { jwks } = await open(first);
  assert.deepEqual(jwks, {
    keys: [{ kty: 'OKP', crv: 'Ed25519', x: first.x, kid: firstKid, use: 'sig', alg: 'EdDSA' }],
  });
});

test('secrets come one a key, the signing key first, stay the same, and differ by purpose', async () => {
  const both = await open({ keys: [first, second] });
  const [alone] = (await open(first)).secretsFor('revocation');
  assert.equal(both.secretsFor('revocation').length, 2);
  assert.deepEqual(both.secretsFor('revocation')[0], alone);
  assert.deepEqual((await open({ keys: [second, first] })).secretsFor('revocation')[1], alone);
  assert.notDeepEqual(both.secretsFor('pdf-link')[0], alone);
  assert.equal(alone?.toString('hex'), '20ad3406822473b4ebf8e25767a1bb83e99341a81d3ed6c38ab883aee4478456');
});

const wrong: Record<string, unknown> = {
  'no JSON': '{"kty":"OKP","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  'empty text': '',
  'a public key': { ...first, d: undefined },
  'a key without its public part': { ...first, x: undefined },
  'another curve': { ...first, crv: 'X25519' },
  'another type': { kty: 'oct', k: first.d },
  'a short key': { ...first, d: first.d.slice(0, 20) },
  'the public part of another key': { ...first, x: second.x },
  'a second spelling of the public part': { ...first, x: `${first.x.slice(0, -1)}p` },
  'an empty set': { keys: [] },
  'a set with one wrong key': { keys: [first, { ...second, crv: 'P-256' }] },
};

for (const [what, value] of Object.entries(wrong)) {
  test(`${what} is refused in one line that names the setting and never shows the key`, async () => {
    await assert.rejects(open(value), (error: Error) => {
      assert.equal(error.message, 'SIGNING_KEY: must hold an Ed25519 private key as a JWK, or a JWK Set of such keys');
      assert.equal(error.cause, undefined);
      return true;
    });
  });
}

test('without a given key one is made once, kept for its owner alone, and found again', async () => {
  const made = await openKeys({ dataDir });
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dataDir), ['signing-key.json']);
  assert.equal(JSON.parse(await readFile(file, 'utf8')).keys.length, 1);
  assert.equal((await openKeys({ dataDir })).signing.kid, made.signing.kid);
});

test('processes that start together on an empty folder agree on one key and leave nothing else', async () => {
  const opened = await Promise.all(Array.from({ length: 8 }, () => openKeys({ dataDir })));
  assert.equal(new Set(opened.map(({ signing }) => signing.kid)).size, 1);
  assert.deepEqual(await readdir(dataDir), ['signing-key.json']);
});

test('a process that was slower to make a key takes the one that another has left meanwhile', async () => {
  const opening = openKeys({ dataDir });
  writeFileSync(file, JSON.stringify(first), { mode: 0o600 });
  assert.equal((await opening).signing.kid, firstKid);
  assert.deepEqual(await readdir(dataDir), ['signing-key.json']);
});

test('a key file that others may read stops the start', async () => {
  await writeFile(file, JSON.stringify(first));
  await chmod(file, 0o604);
  await assert.rejects(openKeys({ dataDir }), {
    message: `${file}: is open to other users of this machine, chmod 600 it`,
  });
  await chmod(file, 0o600);
  assert.equal((await openKeys({ dataDir })).signing.kid, firstKid);
});

test('a broken key file is named, never shown or replaced', async () => {
  await writeFile(file, first.d, { mode: 0o600 });
  await assert.rejects(openKeys({ dataDir }), {
    message: `${file}: must hold an Ed25519 private key as a JWK, or a JWK Set of such keys`,
  });
  assert.equal(await readFile(file, 'utf8'), first.d);
});
