import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { keyFileIn, openKeys, replaceKeyFile } from '../../../src/adapters/tokens/keys.ts';
import { readKeySet, rotate } from '../../../src/adapters/tokens/private-jwks.ts';

const first = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: '1JnX14l2eV-Itv8c_Mqnttr6SrnP2wKAt7Ol2q4rqZU',
  x: 'dKHeMgp2dCXtFAgAtiV6nvzSJbFvw2a04lnZYH_UnN8',
};
const firstKid = 'jRO3pRED2JNIiVvipFE010KfKLBcKIFAG6W92d4f4no';
const second = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: '_jFKf43Xckh8pbSnSAkCu8zhy1XblzwuGt7bV-uY5Gg',
  x: 'oDV9CtpGEPezUWQy3xsee-eD8rA3d4iov2DPm27sTGw',
};

const secondKid = 'yJeQbW7bU-N9eHTgwlIfAQnY09pLgM3w4ABOtPYf6M8';

const parent = await mkdtemp(join(tmpdir(), 'keys-'));
after(() => rm(parent, { recursive: true }));

let dataDir: string;
let file: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(parent, 'data-'));
  file = keyFileIn(dataDir);
});

const open = (value: unknown) =>
  openKeys({ signingKey: typeof value === 'string' ? value : JSON.stringify(value), dataDir });

test('the kid of a given key is its RFC 7638 thumbprint, whatever kid the JWK has, and no file is written', async () => {
  const keys = await open({ ...first, kid: 'mine', alg: 'EdDSA', use: 'sig', key_ops: ['sign'] });
  assert.equal(keys.signing.kid, firstKid);
  assert.deepEqual([...keys.verifying.keys()], [firstKid]);
  assert.deepEqual(await readdir(dataDir), []);
});

test('the published key set contains public keys only', async () => {
  const { jwks } = await open(first);
  assert.deepEqual(jwks, {
    keys: [{ kty: 'OKP', crv: 'Ed25519', x: first.x, kid: firstKid, use: 'sig', alg: 'EdDSA' }],
  });
});

test('each key has one secret per purpose, the signing key first, and always the same', async () => {
  const both = await open({ keys: [first, second] });
  const [alone] = (await open(first)).secretsFor('revocation');
  assert.equal(both.secretsFor('revocation').length, 2);
  assert.deepEqual(both.secretsFor('revocation')[0], alone);
  assert.deepEqual((await open({ keys: [second, first] })).secretsFor('revocation')[1], alone);
  assert.notDeepEqual(both.secretsFor('pdf-link')[0], alone);
  assert.equal(alone?.toString('hex'), '8e1a3c0e2e186bd54496efb53f8b490cc8b60b17475e5186eeb9299545490623');
});

const wrong: Record<string, unknown> = {
  'text that is not JSON': '{"kty":"OKP","d":"1JnX14l2eV-Itv8c_Mqnttr6SrnP2wKAt7Ol2q4rqZU',
  'empty text': '',
  'a public key': { ...first, d: undefined },
  'a key without its public part': { ...first, x: undefined },
  'another curve': { ...first, crv: 'X25519' },
  'another type': { kty: 'oct', k: first.d },
  'a short key': { ...first, d: first.d.slice(0, 20) },
  'the public part of another key': { ...first, x: second.x },
  'a public part in non-canonical base64url': { ...first, x: `${first.x.slice(0, -1)}p` },
  'an empty set': { keys: [] },
  'a set with one wrong key': { keys: [first, { ...second, crv: 'P-256' }] },
  'a public part after a space': { ...first, x: ` ${first.x}` },
  'a padded private part': { ...first, d: `${first.d}=` },
  'an exp that is not a number': { keys: [first, { ...second, exp: '2026-11-21' }] },
  'a set with a key of links alone': { keys: [{ kty: 'oct', alg: 'HS256', k: first.d }] },
};

test('a key that is not one is refused with one line that names the setting and does not contain the key', async () => {
  const says = (message: string) => (error: Error) => {
    assert.deepEqual([error.message, error.cause], [message, undefined]);
    return true;
  };
  const message = 'SIGNING_KEY: must hold an Ed25519 private key as a JWK, or a JWK Set of such keys';
  for (const [what, value] of Object.entries(wrong)) await assert.rejects(open(value), says(message), what);
  const malformed = () => readKeySet('{"kty":"OKP","d":"1JnX14l2eV-Itv8c');
  assert.throws(malformed, says('is neither a JWK nor a JWK Set of Ed25519 private keys'));
});

const compromised = [
  ['nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'], // RFC 8037, A
  ['TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs', 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw'], // RFC 8032, 7.1
  ['xaqN9D-fg3vtt0QvMdy3sWbThTUHbwlLhc46LgtEWPc', '_FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU'],
  ['9eV2fPFTMZUXYw8iaHa4bIFgzFg7wBN0TGvyVfXMDuU', 'J4EX_BRMcjQPZ9DyMW6Dhs7_vyskKMnFH-98WX8dQm4'],
  ['gz_mJAkje51i7HdYdSCRHpp1nOwdGXVbfakBuW3KPUI', '7Bcrk61eVjv0kyxw4SRQNMNUZ-8u_U1k6_gZaDRn4r8'],
  ['AwUzTjga948UHLZm9hmfV7w0lTNaJWqVvSpVv1RmY_Y', '38lCXk-Wj38MKfAlnPX5rtaFHCu0rYv7hgz-4KskgpI'], // RFC 8032, 7.2
  ['q5woU84pfdq4XJk7OuFLytObLGgr6rwn1tTrIHEdZWA', 'Dx0SdJQ7kUFYiRUuiT2A6TJ1ofwLZf1xtLDdoQrX13I'],
  ['1O5y2_kTWErVttjx92n4rTr-fCjL8dT74Jeoj0R1WEI', 'Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE'], // RFC 8410, 10.3
  ['n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU', 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'], // RFC 9421
  ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik'], // zeros
  ['ABEiM0RVZneImaq7zN3uAAARIjNEVWZ3iJmqu8zd7gA', 'dOOcojr9xIK9P7Hyto4ildD_GSgL3OKNVzwk4FEqp_g'], // 15 bytes
  ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8', 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg'], // 0 to 31
].map(([d, x]) => ({ kty: 'OKP', crv: 'Ed25519', d, x }));

test('the service does not start with a key that is not secret, even if it is not the first [TRUST-27]', async () => {
  const message = 'contains a key that is not secret (a published example, or not random): use another key';
  for (const weak of compromised) {
    await assert.rejects(open(weak), { message: `SIGNING_KEY: ${message}` }, weak.x);
    await writeFile(file, JSON.stringify({ keys: [first, weak] }), { mode: 0o600 });
    await assert.rejects(openKeys({ dataDir }), { message: `${file}: ${message}` }, weak.x);
  }
});

test('without a given key, one is generated once, readable by its user only, and used again', async () => {
  const made = await openKeys({ dataDir });
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dataDir), ['signing-key.json']);
  assert.equal(JSON.parse(await readFile(file, 'utf8')).keys.length, 1);
  assert.equal(made.linkSecret, null);
  assert.equal((await openKeys({ dataDir })).signing.kid, made.signing.kid);
});

test('if another process creates the key file first, its key is used', async () => {
  const opening = openKeys({ dataDir });
  writeFileSync(file, JSON.stringify(first), { mode: 0o600 });
  assert.equal((await opening).signing.kid, firstKid);
  assert.deepEqual(await readdir(dataDir), ['signing-key.json']);
});

test('the service does not start with a key file that others can read or the group can write [TRUST-27]', async () => {
  await writeFile(file, JSON.stringify(first));
  for (const mode of [0o604, 0o602, 0o660]) {
    await chmod(file, mode);
    await assert.rejects(openKeys({ dataDir }), {
      message: `${file}: is open to other users of this machine, chmod 600 it`,
    });
  }
  for (const mode of [0o440, 0o600]) {
    await chmod(file, mode);
    assert.equal((await openKeys({ dataDir })).signing.kid, firstKid);
  }
});

test('an invalid key file is named in the error, neither printed nor replaced', async () => {
  await writeFile(file, first.d, { mode: 0o600 });
  await assert.rejects(openKeys({ dataDir }), {
    message: `${file}: must hold an Ed25519 private key as a JWK, or a JWK Set of such keys`,
  });
  assert.equal(await readFile(file, 'utf8'), first.d);
});

// Keys that change while they are open.

const startSecond = 1795255200;
const start = startSecond * 1000;

/** Replaces the key file as a rotation does. */
const put = async (...keys: object[]) => {
  await writeFile(`${file}.draft`, JSON.stringify({ keys }), { mode: 0o600 });
  await rename(`${file}.draft`, file);
};

test('a refresh reads a changed key file: signing key, verifying keys, published set and secrets', async () => {
  await put(first);
  const keys = await openKeys({ dataDir });
  const [secret] = keys.secretsFor('revocation');
  await put(second, { ...first, exp: 4102444800 });
  assert.equal(keys.signing.kid, firstKid);
  await keys.refresh();
  assert.equal(keys.signing.kid, secondKid);
  assert.deepEqual([...keys.verifying.keys()], [secondKid, firstKid]);
  assert.deepEqual(
    keys.jwks.keys.map((jwk) => [jwk.kid, Object.keys(jwk).sort().join()]),
    [
      [secondKid, 'alg,crv,kid,kty,use,x'],
      [firstKid, 'alg,crv,kid,kty,use,x'],
    ],
  );
  assert.deepEqual(keys.secretsFor('revocation')[1], secret);
});

test('a former key verifies until its exp, and the signing key never expires', async () => {
  let clock = start;
  const now = () => new Date(clock);
  const set = JSON.stringify({
    keys: [
      { ...first, exp: startSecond - 1 },
      { ...second, exp: startSecond + 5 },
    ],
  });
  const keys = await openKeys({ signingKey: set, dataDir, now });
  clock += 4_999;
  await keys.refresh();
  assert.deepEqual([...keys.verifying.keys()], [firstKid, secondKid]);
  assert.deepEqual([keys.jwks.keys.length, keys.secretsFor('revocation').length], [2, 2]);
  clock += 1;
  await keys.refresh();
  assert.deepEqual([...keys.verifying.keys()], [firstKid]);
  assert.deepEqual([keys.jwks.keys.length, keys.secretsFor('revocation').length], [1, 1]);
  assert.deepEqual([...(await openKeys({ signingKey: set, dataDir, now })).verifying.keys()], [firstKid]);
});

test('a key with an nbf verifies at once and signs after it; the oldest secret stays the last one', async () => {
  let clock = start;
  const now = () => new Date(clock);
  const set = JSON.stringify({ keys: [{ ...second, nbf: startSecond + 5 }, first] });
  const [oldest] = (await openKeys({ signingKey: JSON.stringify(first), dataDir })).secretsFor('visitors');
  const keys = await openKeys({ signingKey: set, dataDir, now });
  assert.deepEqual([...keys.verifying.keys()].sort(), [firstKid, secondKid].sort());
  assert.equal(keys.signing.kid, firstKid);
  assert.deepEqual([keys.secretsFor('visitors')[0], keys.secretsFor('visitors').at(-1)], [oldest, oldest]);
  clock += 4_999;
  await keys.refresh();
  assert.equal(keys.signing.kid, firstKid);
  clock += 1;
  await keys.refresh();
  assert.equal(keys.signing.kid, secondKid);
  assert.notDeepEqual(keys.secretsFor('visitors')[0], oldest);
  assert.deepEqual(keys.secretsFor('visitors').at(-1), oldest);
  assert.deepEqual(Object.keys(keys.jwks.keys[0]!).sort().join(), 'alg,crv,kid,kty,use,x');
});

const spoilings: Record<string, () => Promise<void>> = {
  truncated: () => writeFile(file, JSON.stringify({ keys: [second] }).slice(0, 60)),
  empty: () => writeFile(file, ''),
  'a published key': () => put(compromised[0]!),
  'readable by others': () => chmod(file, 0o644),
  missing: () => rm(file),
};

for (const [what, spoil] of Object.entries(spoilings)) {
  test(`if the key file becomes ${what}, the current keys stay in use, and refresh throws once`, async () => {
    let clock = start;
    await put(first, { ...second, exp: startSecond + 5 });
    const keys = await openKeys({ dataDir, now: () => new Date(clock) });
    await spoil();
    await assert.rejects(
      keys.refresh(),
      (error: Error) => error.message.includes(file) && !error.message.includes('\n'),
    );
    await keys.refresh();
    assert.deepEqual([...keys.verifying.keys()], [firstKid, secondKid]);
    clock += 5_000;
    await keys.refresh();
    assert.deepEqual([...keys.verifying.keys()], [firstKid]);
    await put(second);
    await keys.refresh();
    assert.equal(keys.signing.kid, secondKid);
    await spoil();
    await assert.rejects(keys.refresh());
  });
}

// Rotation.

const later = new Date(start + 60_000);

test('a rotation adds a first key; the former verifies until the given time, older until their exp', async () => {
  const { signing: jwks } = readKeySet(
    JSON.stringify({
      keys: [
        { ...first, exp: startSecond - 7 },
        { ...second, exp: startSecond + 1 },
        { ...second, exp: startSecond },
        second,
      ],
    }),
  );
  const [made, ...former] = await rotate(jwks, later, new Date(start));
  assert.deepEqual(former, [
    { ...first, exp: startSecond + 60 },
    { ...second, exp: startSecond + 1 },
    { ...second, exp: startSecond + 60 },
  ]);
  assert.equal(made?.exp, undefined);
  assert.equal((await open(made)).verifying.size, 1);
  assert.notEqual((await rotate(jwks, later, new Date(start)))[0]?.x, made?.x);
});

test('the key file is replaced atomically, keeps its mode and owner, and no other file is left', async () => {
  await put(first);
  await chmod(file, 0o440);
  if (process.getuid?.() === 0) await chown(file, 65534, 65534);
  const { uid, gid } = await stat(file);
  assert.equal(await replaceKeyFile(file, async (text) => `${text} `), `${JSON.stringify({ keys: [first] })} `);
  const after = await stat(file);
  assert.deepEqual([after.mode & 0o777, after.uid, after.gid], [0o440, uid, gid]);
  assert.equal(await readFile(file, 'utf8'), `${JSON.stringify({ keys: [first] })} `);
  assert.deepEqual(await readdir(dataDir), ['signing-key.json']);
});

test('if a rotation fails, the key file is unchanged and no other file is left', async () => {
  await put(first);
  await assert.rejects(
    replaceKeyFile(file, () => Promise.reject(new Error('no space'))),
    { message: 'no space' },
  );
  assert.deepEqual(await readdir(dataDir), ['signing-key.json']);
  assert.equal((await openKeys({ dataDir })).signing.kid, firstKid);
});

test('of two concurrent rotations the second is refused, so that neither loses the key of the other', async () => {
  await put(first);
  const { promise: wait, resolve: go } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const one = replaceKeyFile(file, async () => {
    enter();
    await wait;
    return JSON.stringify(second);
  });
  await entered;
  await assert.rejects(
    replaceKeyFile(file, async (text) => text),
    {
      message: `${file}.new: exists already: another rotation is in progress, or was interrupted; in that case remove the file`,
    },
  );
  go();
  await one;
  assert.equal((await openKeys({ dataDir })).signing.kid, secondKid);
});

test('keys are stale if their file has changed or could not be read, until it is read', async () => {
  await put(first);
  const keys = await openKeys({ dataDir });
  assert.equal(keys.isStale(), false);
  await replaceKeyFile(file, async () => JSON.stringify(second));
  assert.equal(keys.isStale(), true);
  await keys.refresh();
  assert.deepEqual([keys.isStale(), keys.signing.kid], [false, secondKid]);
  await chmod(file, 0o644);
  await assert.rejects(keys.refresh());
  assert.equal(keys.isStale(), true);
});

test('keys are stale from the second at which one begins or ceases to be valid', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: start });
  const set = {
    keys: [
      { ...second, nbf: startSecond + 10 },
      { ...first, exp: startSecond + 20 },
    ],
  };
  const keys = await openKeys({ signingKey: JSON.stringify(set), dataDir: '' });
  for (const at of [startSecond + 10, startSecond + 20]) {
    t.mock.timers.setTime(at * 1_000 - 1);
    assert.equal(keys.isStale(), false);
    t.mock.timers.setTime(at * 1_000);
    assert.equal(keys.isStale(), true);
    await keys.refresh();
    assert.equal(keys.isStale(), false);
  }
});

// The key of the codes of links.

const linkKey = { kty: 'oct', alg: 'HS256', k: Buffer.alloc(32, 7).toString('base64url') };

test('a key file gets a key of links with the first link, and does not publish it', async () => {
  await put(first);
  const [keys, other] = [await openKeys({ dataDir }), await openKeys({ dataDir })];
  const inFile = async () => JSON.parse(await readFile(file, 'utf8')).keys as { kty: string; k?: string }[];
  assert.deepEqual([await inFile(), keys.linkSecret], [[first], null]);
  const made = await keys.makeLinkSecret();
  const [signing, link] = await inFile();
  assert.deepEqual([signing?.kty, link?.kty, link?.k], ['OKP', 'oct', made.toString('base64url')]);
  assert.equal(made.length, 32);
  assert.deepEqual(
    keys.jwks.keys.map(({ kty }) => kty),
    ['OKP'],
  );
  assert.deepEqual(await other.makeLinkSecret(), made);
  await other.refresh();
  assert.equal(other.signing.kid, firstKid);
  assert.deepEqual((await readdir(dataDir)).length, 1);
});

test('SIGNING_KEY without a key of links says how to get one', async () => {
  const keys = await open(first);
  await assert.rejects(keys.makeLinkSecret(), { code: 'UNAVAILABLE', message: /^SIGNING_KEY has no key for links\./ });
  const both = await open({ keys: [first, linkKey] });
  assert.deepEqual(await both.makeLinkSecret(), Buffer.alloc(32, 7));
});
