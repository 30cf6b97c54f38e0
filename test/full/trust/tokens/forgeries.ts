import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { isFull } from '../../../support/figures.ts';
import { encode, forgerOf, hmac, type Known, malleated, type Signature, signed, toText } from '../../../support/forger.ts'; // biome-ignore format: one line

/** A request without a valid token: raw header fields, name and value in turn, and the query. */
export interface Forgery {
  readonly family: string;
  readonly headers: readonly string[];
  readonly query: string;
  /** Whether a bearer token is sent at all: the challenge in the response depends on it (RFC 6750, section 3). */
  readonly isBearer: boolean;
}

const unsigned: Signature = () => '';

/** Yields every forgery, family by family. Each letter of the token is changed into one other, in the full run into each other. */
export function* forgeriesOf(known: Known): Generator<Forgery> {
  const sound = forgerOf(known).withHeader({});
  for (const [family, tokens] of Object.entries({ ...tokensOf(known), ...alterationsOf(sound) }))
    for (const token of tokens)
      if (token !== sound) yield { family, headers: ['Authorization', `Bearer ${token}`], query: '', isBearer: true };
  yield* detoursOf(sound);
}

/** Tokens with a wrong header, wrong claims or a wrong signature. */
function tokensOf(known: Known): Record<string, Iterable<string>> {
  const { second, header, claims, own, forge, withHeader, withClaims } = forgerOf(known);
  const { jwk, published } = known;
  const publicKey = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  const guesses = [
    ...[Buffer.from(jwk.x, 'base64url'), jwk.x, JSON.stringify(published), JSON.stringify({ keys: [published] }), pem],
    ...[pem.toString().trim(), publicKey.export({ type: 'spki', format: 'der' }), published.kid, ''],
  ];
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const stranger = generateKeyPairSync('ed25519');
  const strangers = signed(null, stranger.privateKey);
  const strangersJwk = stranger.publicKey.export({ format: 'jwk' });
  const noNumbers = ['', 'soon', '2099-01-01T00:00:00Z', String(second + 3600), null, [second], {}, true, second + 0.5];
  const noTexts = [null, 7, true, [], {}];
  const twice = (given: object, key: string, last: unknown) =>
    `${JSON.stringify(given).slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(last)}}`;

  return {
    'alg none': ['none', 'None', 'NONE', 'nOnE', 'none ', '', null, undefined].flatMap((alg) =>
      [unsigned, own, hmac('sha256', '')].map((signature) => withHeader({ alg }, signature)),
    ),
    'alg in other spellings': ['eddsa', 'EDDSA', 'EdDSA ', 'Ed25519', 'Ed448', ['EdDSA'], 7, {}].map((alg) =>
      withHeader({ alg }),
    ),
    'HMAC with what is published': [256, 384, 512].flatMap((bits) =>
      guesses.map((secret) => withHeader({ alg: `HS${bits}` }, hmac(`sha${bits}`, secret))),
    ),
    'HMAC called EdDSA': guesses.map((secret) => withHeader({}, hmac('sha256', secret))),
    'RSA and elliptic curves': [
      ...['RS256', 'PS256', 'EdDSA'].map((alg) => withHeader({ alg }, signed('sha256', rsa.privateKey))),
      ...['ES256', 'ES256K', 'EdDSA'].map((alg) => withHeader({ alg }, signed('sha256', ec.privateKey))),
    ],
    'kid of another kind': [
      ...['', 'unknown', known.published.kid.toLowerCase(), `${known.published.kid}\0`, '__proto__', 'constructor'],
      ...['../../../../dev/null', '/dev/null', 'file:///dev/null', 'https://evil.example/key', '*', '0'],
      ...["' or '1'='1", "x' union select 'secret' --", '$(id)', '| id'],
      ...[undefined, null, 0, true, {}, [], [known.published.kid], { $ne: null }],
    ].flatMap((kid) => [withHeader({ kid }), withHeader({ kid, alg: 'HS256' }, hmac('sha256', ''))]),
    'a key in the header': [own, strangers].flatMap((signature) =>
      [
        { jwk: strangersJwk },
        { jwk: strangersJwk, kid: undefined },
        { jku: 'https://evil.example/jwks.json' },
        { jku: `${known.baseUrl}/.well-known/jwks.json` },
        { x5u: 'https://evil.example/certificate.pem' },
        { x5c: ['MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'] },
        { x5t: 'dGVzdA' },
      ].map((changes) => withHeader(changes, signature)),
    ),
    'headers that ask for more': [
      ...[{ crit: ['exp'] }, { crit: [] }, { crit: ['b64'], b64: false }, { b64: true }, { b64: false }],
      ...[{ cty: 'JWT' }, { zip: 'DEF' }, { enc: 'A256GCM' }, { p2c: 1e9 }, { epk: {} }, { nonce: '' }],
    ].map((changes) => withHeader(changes)),
    'payload left unencoded': [
      `${encode({ ...header, crit: ['b64'], b64: false })}.${toText(claims)}.${own(toText(claims))}`,
    ],
    'typ of another kind': ['JWT', 'AT+JWT', 'at+JWT', 'application/at+jwt', 'dpop+jwt', '', null, ['at+jwt']].map(
      (typ) => withHeader({ typ }),
    ),
    'no header at all': ['', '{', 'null', '[]', '"EdDSA"', '7', [header], `${toText(header)}x`].map((head) =>
      forge(head, claims),
    ),
    'no claims at all': ['', '{', 'null', '[]', '7', 'visitor@example.org', [claims], `\ufeff${toText(claims)}`].map(
      (body) => forge(header, body),
    ),
    'a claim missing': Object.keys(claims).map((claim) => withClaims({ [claim]: undefined })),
    'a claim of another type': ['iss', 'aud', 'sub', 'client_id', 'scope', 'jti'].flatMap((claim) =>
      noTexts.map((value) => withClaims({ [claim]: value })),
    ),
    'another issuer, audience or scope': ['iss', 'aud'].flatMap((claim) =>
      [`${known.baseUrl}/`, known.baseUrl.toUpperCase(), `${known.baseUrl}.evil.example`, 'https://evil.example'].map(
        (value) => withClaims({ [claim]: value }),
      ),
    ),
    'a list of audiences': [[known.baseUrl], [known.baseUrl, 'https://evil.example']].map((aud) => withClaims({ aud })),
    'another scope': ['', 'desk', 'profile desk', 'Profile', '*'].map((scope) => withClaims({ scope })),
    expired: [1, 60, 3600, second].map((ago) => withClaims({ iat: second - ago - 1, exp: second - ago })),
    'not yet valid': [120, 3600, 1e9].flatMap((ahead) => [
      withClaims({ nbf: second + ahead }),
      withClaims({ iat: second + ahead, exp: second + ahead + 3600 }),
    ]),
    'dates that are not whole numbers': ['exp', 'iat', 'nbf'].flatMap((claim) => [
      ...noNumbers.map((value) => withClaims({ [claim]: value })),
      forge(header, `${toText({ ...claims, [claim]: undefined }).slice(0, -1)},"${claim}":1e999}`),
    ]),
    'a key given twice, the last one bad': [
      forge(twice(header, 'alg', 'none'), claims),
      forge(twice(header, 'alg', 'none'), claims, unsigned),
      forge(twice(header, 'kid', 'unknown'), claims),
      forge(twice(header, 'typ', 'JWT'), claims),
      ...(['iss', 'aud', 'scope', 'exp'] as const).map((claim) => forge(header, twice(claims, claim, ''))),
    ],
    'signed by another key': [withHeader({}, strangers)],
    'over 4 KB': [2_800, 5_000, 9_000].map((length) => withClaims({ sub: 'x'.repeat(length) })),
    'encrypted, or of another form': [
      `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAAAAAAAAAAAAAA.${encode(claims)}.AAAAAAAAAAAAAAAAAAAAAA`,
      `${encode({ alg: 'ECDH-ES', enc: 'A256GCM', epk: strangersJwk })}..AAAA.AAAA.AAAA`,
      toText({ payload: encode(claims), protected: encode(header), signature: own('') }),
      `v4.public.${encode(claims)}`,
    ],
  };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A valid token, altered. */
function alterationsOf(sound: string): Record<string, Iterable<string>> {
  const [header = '', payload = '', signature = ''] = sound.split('.');
  const letters = [...sound];
  const replaced = (at: number, count: number, by: string) => sound.slice(0, at) + by + sound.slice(at + count);
  const ends = [header.length, header.length + 1 + payload.length, sound.length];
  const others = (letter: string, at: number) => {
    const all = [...alphabet, '.'].filter((other) => other !== letter);
    return isFull ? all : [all[at % all.length]!];
  };
  return {
    'a letter changed': letters.flatMap((letter, at) => others(letter, at).map((other) => replaced(at, 1, other))),
    'a letter left out': letters.map((_, at) => replaced(at, 1, '')),
    'cut off': letters.map((_, at) => sound.slice(0, at + 1)),
    'a last letter in each other spelling': ends.flatMap((end) =>
      [...alphabet].map((letter) => replaced(end - 1, 1, letter)),
    ),
    padded: ends.flatMap((end) => ['=', '==', '%3D', 'A', 'AA', '-'].map((more) => replaced(end, 0, more))),
    'white space and other characters': ends.flatMap((end) =>
      [' ', '\t', '+', '/', '~', '*', '\u00a0', '\u00e9', '\u00ff', ','].map((more) => replaced(end - 1, 0, more)),
    ),
    'the alphabet of plain base64': [
      sound.replaceAll('-', '+').replaceAll('_', '/'),
      [header, payload, signature].map((part) => Buffer.from(part, 'base64url').toString('base64')).join('.'),
      Buffer.from(sound).toString('base64'),
      Buffer.from(sound).toString('hex'),
    ],
    'other numbers of parts': [
      ...['.', '..', '...', header, `${header}.${payload}`, `${header}.${payload}.`, `.${payload}.${signature}`],
      ...[`${header}..${signature}`, `${sound}.`, `.${sound}`, `${sound}..`, `${sound}.${signature}`, `${sound}.a.b`],
    ],
    'parts in another place': [`${payload}.${header}.${signature}`, `${header}.${payload}.${payload}`],
    'another signature': [
      ...[0, 1, 255].map((byte) => Buffer.alloc(64, byte)),
      ...[0, 1, 32, 63, 65, 128].map((length) => Buffer.alloc(length)),
      malleated(Buffer.from(signature, 'base64url')),
      Buffer.from(signature, 'base64url').reverse(),
    ].map((bytes) => `${header}.${payload}.${bytes.toString('base64url')}`),
  };
}

/** A valid token in the wrong place, or under another scheme. */
function* detoursOf(sound: string): Generator<Forgery> {
  const bearer = `Bearer ${sound}`;
  const utf8 = (text: string) => Buffer.from(text).toString('latin1');
  const sent = (family: string, isBearer: boolean, ...headers: string[]) => ({ family, headers, query: '', isBearer });

  yield sent('no token', false);
  for (const more of [bearer, 'Bearer x', 'Basic dTpw'])
    yield sent('two Authorization headers', true, 'Authorization', bearer, 'Authorization', more);
  yield sent('two Authorization headers', false, 'Authorization', 'Basic dTpw', 'Authorization', bearer);
  const decorated = ['BEARER, BEARER', 'Bearer BEARER', 'Bearer "TOKEN"', 'Bearer <TOKEN>', 'Bearer token=TOKEN'];
  for (const value of [...decorated, 'Bearer access_token="TOKEN"', 'Bearer TOKEN;', 'Bearer \tTOKEN'])
    yield sent(
      'a decorated token',
      true,
      'Authorization',
      value.replaceAll('BEARER', bearer).replaceAll('TOKEN', sound),
    );
  for (const scheme of ['', 'Bearer: ', 'Bearer= ', 'BearerBearer ', 'Token ', 'JWT ', 'DPoP ', 'Bearer', 'Bearer\t'])
    yield sent('another scheme', false, 'Authorization', scheme + sound);
  for (const value of [`Basic ${Buffer.from(`:${sound}`).toString('base64')}`, `Basic ${sound}`, 'Bearer'])
    yield sent('another scheme', false, 'Authorization', value);
  for (const scheme of ['Ｂｅａｒｅｒ', 'Веаrer', 'Bearer\u00a0', '\ufeffBearer', 'Bearer\u200b', 'BEARER\u0301'])
    yield sent('a scheme that looks alike', false, 'Authorization', utf8(`${scheme} ${sound}`));
  for (const name of ['Proxy-Authorization', 'X-Authorization', 'X-Access-Token', 'X-Forwarded-Authorization'])
    yield sent('another header', false, name, bearer);
  for (const cookie of ['access_token', 'token', 'jwt']) yield sent('a cookie', false, 'Cookie', `${cookie}=${sound}`);
  for (const name of ['access_token', 'token', 'bearer_token', 'authorization', 'jwt', 'key'])
    yield { ...sent('the query', false), query: `?${name}=${sound}` };
}
