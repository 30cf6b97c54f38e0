import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { forgerOf, hmac, malleated } from '../../support/forger.ts';
import {
  baseUrl,
  clock,
  current,
  former,
  formerKeys,
  issue,
  keys,
  keysOf,
  openEmptyStore,
  openLiveKeys,
  openTestTokens,
  resetClock,
  startSecond,
  subject,
} from '../../support/tokens.ts';

beforeEach(resetClock);

test('verifying an issued token returns its record', async () => {
  const tokens = await openTestTokens();
  const token = await tokens.prepare(subject);
  assert.match(token.jti, /^[0-9a-f]{32}$/);
  assert.deepEqual(token, {
    jti: token.jti,
    subject,
    issuedAt: new Date('2026-11-21T10:00:00Z'),
    expiresAt: new Date('2026-11-21T11:00:00Z'),
  });
  const text = await tokens.sign(token);
  assert.deepEqual(await tokens.verify(text), token);
  assert.deepEqual(await tokens.verify(text), token);
});

test('anybody can verify a token with the published keys', async () => {
  const tokens = await openTestTokens();
  const token = await tokens.prepare(subject);
  const verified = await jwtVerify(await tokens.sign(token), createLocalJWKSet(keys.jwks), {
    currentDate: new Date(clock.milliseconds),
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
  'kid __proto__': withHeader({ kid: '__proto__' }),
  'typ JWT': withHeader({ typ: 'JWT' }),
  'no typ': withHeader({ typ: undefined }),
  'a jku': withHeader({ jku: 'https://evil.example/jwks.json' }),
  'a jwk': withHeader({ jwk: { kty: 'OKP', crv: 'Ed25519', x: current.x } }),
  'an x5u': withHeader({ x5u: 'https://evil.example/cert.pem' }),
  'a crit': withHeader({ crit: ['exp'] }),
  'a header that is not JSON': forge('{"alg":"EdDSA"', soundClaims),
  'an empty header': `.${payload}.${signature}`,
  'an empty payload': forge(soundHeader, ''),
  'a payload that is not JSON': forge(soundHeader, 'ada@example.org'),
  'another issuer': withClaims({ iss: 'https://evil.example' }),
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
  'an exp that is not a whole number': withClaims({ exp: startSecond + 0.5 }),
  'an infinite exp': forge(soundHeader, JSON.stringify(soundClaims).replace(/"exp":\d+/, '"exp":1e999')),
  ...Object.fromEntries(Object.keys(soundClaims).map((claim) => [`no ${claim}`, withClaims({ [claim]: undefined })])),
  'two parts': `${header}.${payload}`,
  'four parts': `${sound}.`,
  'no text': '',
  'padding after the header': `${header}=.${payload}.${signature}`,
  'padding after the payload': `${header}.${payload}=.${signature}`,
  'padding at the end': `${sound}=`,
  'a space before': ` ${sound}`,
  'a space after': `${sound} `,
  'a newline after': `${sound}\n`,
  'characters of plain base64': sound.replaceAll('-', '+').replaceAll('_', '/'),
  'a character outside ASCII': `${sound}é`,
  '4097 characters': ofLength(4097),
};

test('the valid token that forgeries start from verifies, also with 4096 characters and shifted clocks', async () => {
  const tokens = await openTestTokens();
  assert.equal((await tokens.verify(sound))?.jti, '0123456789abcdef0123456789abcdef');
  assert.ok(await tokens.verify(withClaims({ iat: startSecond + 60, nbf: startSecond + 60 })));
  assert.ok(await tokens.verify(ofLength(4096)));
});

test('a token that is forged in any way is refused [TRUST-1] [TRUST-2] [TRUST-3]', async () => {
  const tokens = await openTestTokens();
  for (const [what, text] of Object.entries(forged)) {
    assert.notEqual(text, sound, what);
    assert.equal(await tokens.verify(text), null, what);
  }
});

test('the service learns why a token was refused', async () => {
  const reasons: string[] = [];
  const onRefused = (reason: string) => void reasons.push(reason);
  const tokens = await openTestTokens({ onRefused, store: await openEmptyStore() });
  await tokens.revoke({ kind: 'jti', jti: 'ended' });
  const refused = {
    malformed: [forged['no text'], forged['four parts'], forged['padding at the end'], forged['typ JWT']],
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
  const tokens = await openTestTokens();
  assert.ok(await tokens.verify(sound));
  for (const [at, character] of [...sound].entries()) {
    const other = character === '.' ? 'A' : alphabet[(alphabet.indexOf(character) + 1) % 64];
    assert.equal(await tokens.verify(sound.slice(0, at) + other + sound.slice(at + 1)), null, `at ${at}`);
    assert.equal(await tokens.verify(sound.slice(0, at) + sound.slice(at + 1)), null, `without ${at}`);
  }
});

// Keys that change while tokens are cached.

test('a cached token verifies until its key is removed; new tokens are signed by the new key', async (t) => {
  const { live, change } = await openLiveKeys(t, former);
  const tokens = await openTestTokens({ keys: live });
  const text = await issue(tokens);
  assert.ok(await tokens.verify(text));
  await change(current, former);
  await tokens.refresh();
  assert.ok(await tokens.verify(text));
  const next = await issue(tokens);
  assert.equal(decodeProtectedHeader(next).kid, keys.signing.kid);
  assert.ok(await tokens.verify(next));
  await change(current);
  await tokens.refresh();
  assert.equal(await tokens.verify(text), null);
  assert.ok(await tokens.verify(next));
});

test('a token is not cached if its key is removed while its signature is checked', async () => {
  const live = { ...formerKeys };
  const tokens = await openTestTokens({ keys: live });
  const text = await issue(tokens);
  const checking = tokens.verify(text);
  Object.assign(live, keys);
  await tokens.refresh();
  assert.ok(await tokens.verify(sound));
  await checking;
  assert.equal(await tokens.verify(text), null);
});

test('a verified token is valid, and recalled, until it expires, is revoked or its key is removed [TRUST-5]', async () => {
  const verified = async (changes: Parameters<typeof openTestTokens>[0] = {}) => {
    const tokens = await openTestTokens({ store: await openEmptyStore(), ...changes });
    const text = await issue(tokens);
    assert.equal(tokens.recall(text), null);
    const token = (await tokens.verify(text))!;
    const found = () => [tokens.isValid(token), tokens.recall(text) === token];
    assert.deepEqual(found(), [true, true]);
    return { tokens, token, found };
  };
  for (const kind of ['jti', 'subject', 'all'] as const) {
    const { tokens, token, found } = await verified();
    await tokens.revoke({ kind, subject, jti: token.jti });
    assert.deepEqual(found(), [false, false], kind);
  }

  const changing = { ...formerKeys };
  const { tokens, found } = await verified({ keys: changing });
  Object.assign(changing, await keysOf(current, former));
  await tokens.refresh();
  assert.deepEqual(found(), [true, false]); // to be verified anew with the new keys
  assert.ok(await tokens.verify(await issue(tokens)));
  assert.deepEqual(found(), [true, false]);
  Object.assign(changing, keys);
  await tokens.refresh();
  assert.deepEqual(found(), [false, false]);

  const lasting = await verified();
  clock.milliseconds = (startSecond + 3600) * 1000 - 1;
  assert.deepEqual(lasting.found(), [true, true]);
  clock.milliseconds += 1;
  assert.deepEqual(lasting.found(), [false, false]);
});

// The cache of verified tokens.
