import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, type TestContext, test } from 'node:test';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { type DurableStore, openStore } from '../../../src/adapters/store/store.ts';
import { type Keys, openKeys } from '../../../src/adapters/tokens/keys.ts';
import { openTokens } from '../../../src/adapters/tokens/tokens.ts';
import { createDatabase } from '../../support/database.ts';
import { forgerOf, hmac, malleated } from '../../support/forger.ts';

const current = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: '1JnX14l2eV-Itv8c_Mqnttr6SrnP2wKAt7Ol2q4rqZU',
  x: 'dKHeMgp2dCXtFAgAtiV6nvzSJbFvw2a04lnZYH_UnN8',
};
const former = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: '_jFKf43Xckh8pbSnSAkCu8zhy1XblzwuGt7bV-uY5Gg',
  x: 'oDV9CtpGEPezUWQy3xsee-eD8rA3d4iov2DPm27sTGw',
};
const keysOf = (...set: (typeof current)[]) => openKeys({ signingKey: JSON.stringify({ keys: set }), dataDir: '' });
const keys = await keysOf(current);
const formerKeys = await keysOf(former);

const baseUrl = 'https://profile.example';
const subject = 'ada@example.org';
const start = Date.parse('2026-11-21T10:00:00.400Z');
const startSecond = 1795255200;

const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
const stores: DurableStore[] = [];
after(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true });
});

async function openEmptyStore(): Promise<DurableStore> {
  const dialect = openSqlite(await createDatabase(join(folder, `${stores.length}.db`)));
  const store = await openStore(dialect);
  stores.push(store);
  return store;
}
const storeWithoutRevocations = await openEmptyStore();

let clock: number;
beforeEach(() => {
  clock = start;
});

type Options = Parameters<typeof openTokens>[0];

const open = (changes: Partial<Options> = {}) =>
  openTokens({
    keys,
    baseUrl,
    ttlSeconds: 3600,
    store: storeWithoutRevocations,
    now: () => new Date(clock),
    ...changes,
  });
type Opened = Awaited<ReturnType<typeof open>>;
const issue = async (tokens: Opened, to = subject) => tokens.sign(await tokens.prepare(to));

/** Keys that count the signature checks. */
function counted() {
  const counter = { checks: 0 };
  class Counting extends Map<string, CryptoKey> {
    override get(kid: string) {
      counter.checks += 1;
      return super.get(kid);
    }
  }
  return { counter, keys: { ...keys, verifying: new Counting(keys.verifying) } };
}

test('verifying an issued token returns its record', async () => {
  const tokens = await open();
  const token = await tokens.prepare(subject);
  assert.match(token.jti, /^[0-9a-f]{32}$/);
  assert.deepEqual(token, {
    jti: token.jti,
    subject: 'ada@example.org',
    issuedAt: new Date('2026-11-21T10:00:00Z'),
    expiresAt: new Date('2026-11-21T11:00:00Z'),
  });
  const text = await tokens.sign(token);
  assert.deepEqual(await tokens.verify(text), token);
  assert.deepEqual(await tokens.verify(text), token);
});

test('anybody can verify a token with the published keys', async () => {
  const tokens = await open();
  const token = await tokens.prepare(subject);
  const verified = await jwtVerify(await tokens.sign(token), createLocalJWKSet(keys.jwks), {
    currentDate: new Date(clock),
  });
  assert.deepEqual(verified.protectedHeader, {
    alg: 'EdDSA',
    typ: 'at+jwt',
    kid: 'jRO3pRED2JNIiVvipFE010KfKLBcKIFAG6W92d4f4no',
  });
  assert.deepEqual(verified.payload, {
    iss: 'https://profile.example',
    aud: 'https://profile.example',
    sub: 'ada@example.org',
    client_id: 'auth-token',
    scope: 'profile',
    iat: 1795255200,
    exp: 1795258800,
    jti: token.jti,
  });
});

// Forged tokens: each differs from the valid one, which is checked first, only in what its title says.

const known = { jwk: current, published: { kid: keys.signing.kid }, baseUrl };
const { header: soundHeader, claims: soundClaims, forge, withHeader, withClaims } = forgerOf(known, startSecond);

const sound = forge(soundHeader, soundClaims);
const [header = '', payload = '', signature = ''] = sound.split('.');

/** A valid token of that many characters. */
function ofLength(length: number): string {
  const missing = Math.floor(((length - sound.length) * 3) / 4);
  const { sub } = soundClaims;
  const near = [-1, 0, 1, 2].map((more) => withClaims({ sub: sub.padEnd(sub.length + missing + more, 'x') }));
  return near.find((text) => text.length === length)!;
}

const forged: Record<string, string> = {
  'alg none without a signature': withHeader({ alg: 'none' }, () => ''),
  'alg none with a signature': withHeader({ alg: 'none' }),
  'alg None': withHeader({ alg: 'None' }),
  'alg Ed25519': withHeader({ alg: 'Ed25519' }),
  'alg HS256 keyed with the public key': withHeader(
    { alg: 'HS256' },
    hmac('sha256', Buffer.from(current.x, 'base64url')),
  ),
  'alg HS256 keyed with the published key': withHeader(
    { alg: 'HS256' },
    hmac('sha256', JSON.stringify(keys.jwks.keys[0])),
  ),
  'an empty signature': `${header}.${payload}.`,
  'a signature of zeros': `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
  'a signature raised by the group order': `${header}.${payload}.${malleated(Buffer.from(signature, 'base64url')).toString('base64url')}`,
  'a signature of another token': `${header}.${payload}.${withClaims({ jti: 'other' }).split('.')[2]}`,
  'an unknown kid': withHeader({ kid: formerKeys.signing.kid }),
  'no kid': withHeader({ kid: undefined }),
  'a kid that is a list': withHeader({ kid: [keys.signing.kid] }),
  'kid __proto__': withHeader({ kid: '__proto__' }),
  'typ JWT': withHeader({ typ: 'JWT' }),
  'typ application/at+jwt': withHeader({ typ: 'application/at+jwt' }),
  'no typ': withHeader({ typ: undefined }),
  'a jku': withHeader({ jku: 'https://evil.example/jwks.json' }),
  'a jwk': withHeader({ jwk: { kty: 'OKP', crv: 'Ed25519', x: current.x } }),
  'an x5u': withHeader({ x5u: 'https://evil.example/cert.pem' }),
  'a crit': withHeader({ crit: ['exp'] }),
  'a b64': withHeader({ b64: true }),
  'a cty': withHeader({ cty: 'JWT' }),
  'a header that is a list': forge([soundHeader], soundClaims),
  'a header that is not JSON': forge('{"alg":"EdDSA"', soundClaims),
  'an empty header': `.${payload}.${signature}`,
  'an empty payload': forge(soundHeader, ''),
  'a payload that is not JSON': forge(soundHeader, 'ada@example.org'),
  'a payload that is null': forge(soundHeader, 'null'),
  'another issuer': withClaims({ iss: 'https://evil.example' }),
  'an issuer with a trailing slash': withClaims({ iss: `${baseUrl}/` }),
  'another audience': withClaims({ aud: 'https://evil.example' }),
  'a list of audiences': withClaims({ aud: [baseUrl] }),
  'another scope': withClaims({ scope: 'desk' }),
  'a subject that is a number': withClaims({ sub: 7 }),
  'a jti that is a number': withClaims({ jti: 7 }),
  'an exp of this moment': withClaims({ exp: startSecond }),
  'an exp in the past': withClaims({ iat: startSecond - 3600, exp: startSecond - 1 }),
  'an iat 61 seconds ahead': withClaims({ iat: startSecond + 61 }),
  'an nbf 61 seconds ahead': withClaims({ nbf: startSecond + 61 }),
  'an iat 61 seconds ahead of its nbf': withClaims({ iat: startSecond + 61, nbf: startSecond }),
  'an exp that is a string': withClaims({ exp: '2026-11-21T11:00:00Z' }),
  'an exp that is digits in a string': withClaims({ exp: String(startSecond + 3600) }),
  'an iat that is a string': withClaims({ iat: '2026-11-21T10:00:00Z' }),
  'an nbf that is a string': withClaims({ nbf: '2026-11-21T10:00:00Z' }),
  'an nbf that is null': withClaims({ nbf: null }),
  'an exp that is not a whole number': withClaims({ exp: startSecond + 0.5 }),
  'an infinite exp': forge(soundHeader, JSON.stringify(soundClaims).replace(/"exp":\d+/, '"exp":1e999')),
  ...Object.fromEntries(Object.keys(soundClaims).map((claim) => [`no ${claim}`, withClaims({ [claim]: undefined })])),
  'two parts': `${header}.${payload}`,
  'four parts': `${sound}.`,
  'five parts': `${sound}..`,
  'one part': header,
  'no text': '',
  'dots alone': '..',
  'padding after the header': `${header}=.${payload}.${signature}`,
  'padding after the payload': `${header}.${payload}=.${signature}`,
  'padding at the end': `${sound}=`,
  'double padding at the end': `${sound}==`,
  'a space before': ` ${sound}`,
  'a space after': `${sound} `,
  'a newline after': `${sound}\n`,
  'a tab inside': `${header}.${payload.slice(0, 9)}\t${payload.slice(9)}.${signature}`,
  'a NUL after': `${sound}\0`,
  'characters of plain base64': sound.replaceAll('-', '+').replaceAll('_', '/'),
  'a character outside ASCII': `${sound}é`,
  '4097 characters': ofLength(4097),
};

test('the valid token that the forgeries start from verifies, also with 4096 characters and clocks a minute apart', async () => {
  const tokens = await open();
  assert.equal((await tokens.verify(sound))?.jti, '0123456789abcdef0123456789abcdef');
  assert.ok(await tokens.verify(withClaims({ iat: startSecond + 60, nbf: startSecond + 60 })));
  assert.ok(await tokens.verify(ofLength(4096)));
});

for (const [what, text] of Object.entries(forged)) {
  test(`a token with ${what} is refused [TRUST-1] [TRUST-2] [TRUST-3]`, async () => {
    assert.notEqual(text, sound);
    assert.equal(await (await open()).verify(text), null);
  });
}

test('the service learns why a token was refused', async () => {
  const reasons: string[] = [];
  const onRefused = (reason: string) => void reasons.push(reason);
  const tokens = await open({ onRefused, store: await openEmptyStore() });
  await tokens.revoke({ kind: 'jti', jti: 'ended' });
  const refused = {
    malformed: [forged['no text'], forged['four parts'], forged['padding at the end'], forged['alg None']],
    'unknown key': [forged['an unknown kid']],
    'bad signature': [forged['a signature of zeros'], forged['a payload that is not JSON']],
    'wrong claims': [forged['another issuer']],
    'not valid yet': [forged['an iat 61 seconds ahead']],
    expired: [forged['an exp of this moment']],
    revoked: [withClaims({ jti: 'ended' })],
  };
  for (const [reason, texts] of Object.entries(refused))
    for (const text of texts) {
      assert.equal(await tokens.verify(text!), null);
      assert.equal(reasons.pop(), reason);
    }
  assert.ok(await tokens.verify(sound));
  assert.deepEqual(reasons, []);
});

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a token with any one character changed is refused [TRUST-2]', async () => {
  const tokens = await open();
  assert.ok(await tokens.verify(sound));
  for (const [at, character] of [...sound].entries()) {
    const other = character === '.' ? 'A' : alphabet[(alphabet.indexOf(character) + 1) % 64];
    assert.equal(await tokens.verify(sound.slice(0, at) + other + sound.slice(at + 1)), null, `at ${at}`);
    assert.equal(await tokens.verify(sound.slice(0, at) + sound.slice(at + 1)), null, `without ${at}`);
  }
});

test('each part of a token has only one base64url spelling', async () => {
  const tokens = await open();
  for (const end of [header.length, header.length + 1 + payload.length, sound.length]) {
    for (const other of alphabet.replace(sound[end - 1]!, '')) {
      assert.equal(await tokens.verify(sound.slice(0, end - 1) + other + sound.slice(end)), null, `${other} at ${end}`);
    }
  }
});

test('a token of the former key verifies until the key is removed', async () => {
  const text = await issue(await open({ keys: formerKeys }));
  assert.ok(await (await open({ keys: await keysOf(current, former) })).verify(text));
  assert.equal(await (await open()).verify(text), null);
});

// Keys that change while tokens are cached.

/** Keys in a file that can be replaced while they are open. */
async function openLiveKeys(t: TestContext, ...set: (typeof current)[]) {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const write = (...jwks: (typeof current)[]) =>
    writeFileSync(join(dataDir, 'signing-key.json'), JSON.stringify({ keys: jwks }), { mode: 0o600 });
  write(...set);
  const live = await openKeys({ dataDir, now: () => new Date(clock) });
  return {
    live,
    async change(...jwks: (typeof current)[]) {
      write(...jwks);
      await live.refresh();
    },
  };
}

test('a cached token verifies after a rotation and until its key is removed; new tokens are signed by the new key', async (t) => {
  const { live, change } = await openLiveKeys(t, former);
  const tokens = await open({ keys: live });
  const text = await issue(tokens);
  assert.ok(await tokens.verify(text));
  await change(current, former);
  assert.ok(await tokens.verify(text));
  const next = await issue(tokens);
  assert.equal(decodeProtectedHeader(next).kid, keys.signing.kid);
  assert.ok(await tokens.verify(next));
  await change(current);
  assert.equal(await tokens.verify(text), null);
  assert.ok(await tokens.verify(next));
});

test('a token is not cached if its key is removed while its signature is checked', async () => {
  let replaceable = formerKeys;
  const live: Keys = {
    get signing() {
      return replaceable.signing;
    },
    get verifying() {
      return replaceable.verifying;
    },
    get jwks() {
      return replaceable.jwks;
    },
    secretsFor: (purpose) => replaceable.secretsFor(purpose),
  };
  const tokens = await open({ keys: live });
  const text = await issue(tokens);
  const checking = tokens.verify(text);
  replaceable = keys;
  assert.ok(await tokens.verify(sound));
  await checking;
  assert.equal(await tokens.verify(text), null);
});

test('a revocation of an address before or after a rotation ends its tokens, cached or not', async (t) => {
  const { live, change } = await openLiveKeys(t, former);
  const tokens = await open({ keys: live, store: await openEmptyStore() });
  const [text, other] = [await issue(tokens), await issue(tokens, 'bob@example.org')];
  assert.ok(await tokens.verify(text));
  assert.ok(await tokens.verify(other));
  await tokens.revoke({ kind: 'subject', subject });
  await change(current, former);
  assert.equal(await tokens.verify(text), null);
  assert.ok(await tokens.verify(other));
  await tokens.revoke({ kind: 'subject', subject: 'bob@example.org' });
  assert.equal(await tokens.verify(other), null);
});

test('a revocation hashed with a key that this process has not read yet applies once it has read it', async (t) => {
  const { live, change } = await openLiveKeys(t, former);
  const store = await openEmptyStore();
  const here = await open({ keys: live, store });
  const text = await issue(here);
  assert.ok(await here.verify(text));
  await (await open({ keys: await keysOf(current, former), store })).revoke({ kind: 'subject', subject });
  await here.refresh();
  await change(current, former);
  assert.equal(await here.verify(text), null);
});

// Revocations.

test('a revoked token is refused although it is cached; another of the same address is not', async () => {
  const tokens = await open({ store: await openEmptyStore() });
  const token = await tokens.prepare(subject);
  const [text, other] = [await tokens.sign(token), await issue(tokens)];
  assert.ok(await tokens.verify(text));
  await tokens.revoke({ kind: 'jti', jti: token.jti });
  assert.equal(await tokens.verify(text), null);
  assert.ok(await tokens.verify(other));
});

test('isRevoked is true after each of the three kinds of revocation, and false before', async () => {
  for (const kind of ['jti', 'subject', 'all'] as const) {
    const tokens = await open({ store: await openEmptyStore() });
    const token = await tokens.prepare(subject);
    assert.equal(tokens.isRevoked(token), false);
    await tokens.revoke({ kind, subject, jti: token.jti });
    assert.equal(tokens.isRevoked(token), true, kind);
  }
});

test('revoking an address ends its cached tokens; other addresses keep theirs', async () => {
  const tokens = await open({ store: await openEmptyStore() });
  const [text, other] = [await issue(tokens), await issue(tokens, 'bob@example.org')];
  assert.ok(await tokens.verify(text));
  await tokens.revoke({ kind: 'subject', subject });
  assert.equal(await tokens.verify(text), null);
  assert.ok(await tokens.verify(other));
});

test('revoking all ends every token, cached or not', async () => {
  const tokens = await open({ store: await openEmptyStore() });
  const [text, other] = [await issue(tokens), await issue(tokens, 'bob@example.org')];
  assert.ok(await tokens.verify(text));
  await tokens.revoke({ kind: 'all' });
  assert.equal(await tokens.verify(text), null);
  assert.equal(await tokens.verify(other), null);
});

for (const target of [{ kind: 'subject', subject } as const, { kind: 'all' } as const]) {
  test(`a token requested right after revoking ${target.kind} is valid and can be revoked in turn`, async () => {
    const tokens = await open({ store: await openEmptyStore() });
    await tokens.revoke(target);
    const again = await issue(tokens);
    assert.ok(await tokens.verify(again));
    await tokens.revoke(target);
    assert.equal(await tokens.verify(again), null);
    assert.ok(await tokens.verify(await issue(tokens)));
  });
}

test('revoking all also ends a token issued right after its address was revoked', async () => {
  const tokens = await open({ store: await openEmptyStore() });
  await tokens.revoke({ kind: 'subject', subject });
  const again = await issue(tokens);
  await tokens.revoke({ kind: 'all' });
  assert.equal(await tokens.verify(again), null);
  assert.ok(await tokens.verify(await issue(tokens)));
});

test('a revocation by another process applies after a refresh, and at once after a start', async () => {
  const store = await openEmptyStore();
  const [here, there] = [await open({ store }), await open({ store })];
  const text = await issue(here);
  assert.ok(await here.verify(text));
  await there.revoke({ kind: 'subject', subject });
  await here.refresh();
  assert.equal(await here.verify(text), null);
  assert.equal(await (await open({ store })).verify(text), null);
});

test('a refresh reads only the revocations stored since the last one', async () => {
  const store = await openEmptyStore();
  const readAfter: number[] = [];
  const revocationsAfter = (sequence: number) => {
    readAfter.push(sequence);
    return store.revocationsAfter(sequence);
  };
  for (const jti of ['j1', 'j2']) await store.revoke({ kind: 'jti', value: jti, revokedAt: new Date(clock) });
  const tokens = await open({ store: { ...store, revocationsAfter } });
  await tokens.refresh();
  assert.deepEqual(readAfter, [0, 2]);
});

test('a new token is issued later than a revocation that another process has just stored', async () => {
  const store = await openEmptyStore();
  const [here, there] = [await open({ store }), await open({ store })];
  await there.revoke({ kind: 'subject', subject });
  assert.ok(await there.verify(await issue(here)));
});

test('a revocation by a process whose clock is behind does not undo an earlier one', async () => {
  const store = await openEmptyStore();
  const tokens = await open({ store });
  const text = await issue(tokens);
  await tokens.revoke({ kind: 'all' });
  await store.revoke({ kind: 'all', value: '', revokedAt: new Date(clock - 5000) });
  await tokens.refresh();
  assert.equal(await tokens.verify(text), null);
});

test('an address stays revoked when the keys rotate', async () => {
  const store = await openEmptyStore();
  const before = await open({ store, keys: formerKeys });
  const text = await issue(before);
  await before.revoke({ kind: 'subject', subject });
  assert.equal(await (await open({ store, keys: await keysOf(current, former) })).verify(text), null);
});

test('an address that an earlier version revoked as typed stays revoked, and can get a new token', async () => {
  const store = await openEmptyStore();
  const typed = 'Zoe\u0308@bu\u0308cher.example';
  const hashAsTyped = '304Og8w-ty4gHHSexP2M-fjothYJ7Mh06l3zQ2NLBNw';
  const tokens = await open({ store });
  const text = await issue(tokens, typed);
  await store.revoke({ kind: 'subject', value: hashAsTyped, revokedAt: new Date(clock) });
  await tokens.refresh();
  assert.equal(await tokens.verify(text), null);
  assert.ok(tokens.subjectHashes(typed).includes(hashAsTyped));
  assert.ok(await tokens.verify(await issue(tokens, typed)));
});

test('revoking one spelling of an address ends the tokens of all of them [TRUST-43]', async () => {
  const store = await openEmptyStore();
  const [here, there] = [await open({ store }), await open({ store })];
  const spellings = ['zoë@bücher.example', 'Zoe\u0308@bu\u0308cher.example', 'ZOË@xn--bcher-kva.example'];
  const issued = await Promise.all(spellings.map((spelling) => issue(here, spelling)));
  await there.revoke({ kind: 'subject', subject: spellings[1]! });
  await here.refresh();
  for (const text of issued) assert.equal(await here.verify(text), null);
  for (const spelling of spellings) assert.ok(await here.verify(await issue(here, spelling)));
});

test('the store keeps only a keyed hash of a revoked address', async () => {
  const store = await openEmptyStore();
  await (await open({ store })).revoke({ kind: 'subject', subject });
  assert.deepEqual(await store.revocationsAfter(0), [
    {
      sequence: 1,
      kind: 'subject',
      value: 'LsbdWTUzrzfCdQIdEhj_CcDm39M-wYEhKQvpWLm5pzY',
      revokedAt: new Date('2026-11-21T10:00:00Z'),
    },
  ]);
});

test('a verified token is valid until it expires, is revoked or its key is removed [TRUST-5]', async () => {
  const verified = async (changes: Parameters<typeof open>[0] = {}) => {
    const tokens = await open({ store: await openEmptyStore(), ...changes });
    const token = (await tokens.verify(await issue(tokens)))!;
    assert.equal(tokens.isValid(token), true);
    return { tokens, token };
  };
  for (const kind of ['jti', 'subject', 'all'] as const) {
    const { tokens, token } = await verified();
    await tokens.revoke({ kind, subject, jti: token.jti });
    assert.equal(tokens.isValid(token), false, kind);
  }

  const changing = { ...formerKeys };
  const signed = await verified({ keys: changing });
  Object.assign(changing, await keysOf(current, former));
  assert.equal(signed.tokens.isValid(signed.token), true);
  Object.assign(changing, keys);
  assert.equal(signed.tokens.isValid(signed.token), false);

  const { tokens, token } = await verified();
  clock = (startSecond + 3600) * 1000 - 1;
  assert.equal(tokens.isValid(token), true);
  clock += 1;
  assert.equal(tokens.isValid(token), false);
});

test('a revocation is stored in the format that every version reads', async () => {
  const store = await openEmptyStore();
  const tokens = await open({ store });
  await tokens.revoke({ kind: 'jti', jti: 'j1' });
  await tokens.revoke({ kind: 'all' });
  assert.deepEqual(await store.revocationsAfter(0), [
    { sequence: 1, kind: 'jti', value: 'j1', revokedAt: new Date(clock) },
    { sequence: 2, kind: 'all', value: '', revokedAt: new Date('2026-11-21T10:00:00Z') },
  ]);
});

// The cache of verified tokens.

test('a signature is checked once, then the token is cached', async () => {
  const { counter, keys } = counted();
  const tokens = await open({ keys });
  for (let time = 0; time < 3; time += 1) assert.ok(await tokens.verify(sound));
  assert.equal(counter.checks, 1);
});

test('a cached token is refused from the second of its expiry', async () => {
  const tokens = await open();
  assert.ok(await tokens.verify(sound));
  clock = (startSecond + 3600) * 1000 - 1;
  assert.ok(await tokens.verify(sound));
  clock += 1;
  assert.equal(await tokens.verify(sound), null);
});

test('the cache of tokens is bounded, and the oldest is evicted first', async () => {
  const { counter, keys } = counted();
  const tokens = await open({ keys, cacheSize: 2 });
  const [a, b, c] = [await issue(tokens), await issue(tokens), await issue(tokens)];
  for (const text of [a, b, c, b, c]) assert.ok(await tokens.verify(text));
  assert.equal(counter.checks, 3);
  assert.ok(await tokens.verify(a));
  assert.equal(counter.checks, 4);
});

test('a revoked token is evicted from the cache', async () => {
  const { counter, keys } = counted();
  const tokens = await open({ keys, store: await openEmptyStore(), cacheSize: 2 });
  const [a, b, c] = [await issue(tokens), withClaims({ jti: 'ended' }), await issue(tokens)];
  for (const text of [a, b]) assert.ok(await tokens.verify(text));
  await tokens.revoke({ kind: 'jti', jti: 'ended' });
  assert.equal(await tokens.verify(b), null);
  for (const text of [c, a]) assert.ok(await tokens.verify(text));
  assert.equal(counter.checks, 3);
});

test('a refused token is never cached', async () => {
  const { counter, keys } = counted();
  const tokens = await open({ keys });
  const bad = withClaims({ aud: 'https://evil.example' });
  for (let time = 0; time < 2; time += 1) assert.equal(await tokens.verify(bad), null);
  assert.equal(counter.checks, 2);
});
