import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Random } from '../../../support/random.ts';
import type { Draft } from './endpoints.ts';

/** A serialized request; header values and the target are Latin-1. */
export interface Wire {
  readonly endpoint: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
  readonly isChunked: boolean;
}

/** JSON that JSON.stringify does not produce: each placeholder is replaced by its text. */
const rawJson: Record<string, string> = {
  '@deep@': '['.repeat(20_000) + ']'.repeat(20_000),
  '@deeper@': `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`,
  '@17 levels@': `${'['.repeat(17)}${']'.repeat(17)}`,
  '@infinity@': '1e999',
  '@digits@': '9'.repeat(10_000),
  '@minus zero@': '-0',
  '@key twice@': '{"a":1,"a":2}',
  '@proto@': '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
  '@surrogate key@': '{"\\udc00":1}',
  '@lone surrogate@': '\\ud800',
};

const values: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', ' ', '\t\n', [], {}, [[]], [null], ['a', 'b'], { a: 1 }],
  ...Object.keys(rawJson),
  ...[201, 255, 66_000].map((length) => 'x'.repeat(length)),
  ...['é'.repeat(10_001), '😀'.repeat(200), 'a\u0301'.repeat(500)],
  ...['\0', 'a\0b', '\u0007', '\x1b[31m', '\u0085', '\u2028', '\r\nBcc: eve@example.org', 'line\nline', 'tab\ttab'],
  ...[
    '\u202eevil',
    '\u2066a\u2069',
    'zero\u200bwidth',
    '\ufeff',
    '\u{e0041}',
    '\ud800',
    '\udc00a',
    'a\ud83d',
    '\uffff',
  ],
  ...['__proto__', 'constructor', 'toString', 'undefined', 'NaN', 'true', '0', '[object Object]'],
  ...[
    "'; drop table contacts; --",
    '" or 1=1 --',
    '#{7*7}',
    '{{7*7}}',
    '$(id)',
    '<script>',
    '../../etc/passwd',
    '%s%n',
  ],
  ...['a@b', '@', 'a@b.co, c@d.co', '<a@b.co>', 'A <a@b.co>', 'a@[127.0.0.1]', '"a b"@c.de', 'a(b)@c.de', 'a@b.co\n'],
  ...[`${'a'.repeat(65)}@b.co`, `a@${'b.'.repeat(130)}co`, 'ä@bücher.de', 'a@xn--a.de', 'ａ@b.co', 'a\u202e@b.co'],
];

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', '', ' ', 'id', 'toJSON'];

const headers: Record<string, readonly string[]> = {
  authorization: ['', 'Bearer', 'Bearer x', 'Bearer a.b.c', 'Basic dTpw', `Bearer ${'x'.repeat(5_000)}`, '\xff'],
  'content-type': [
    ...['', ';', '\xff', 'json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
    ...['application/json; charset=utf-16', 'application/problem+json', 'APPLICATION/JSON', 'application/json;'],
  ],
  'content-encoding': ['gzip', 'br', 'deflate', 'identity', 'zstd', '', 'gzip, gzip'],
  accept: ['', '*/*', 'text/html', 'application/xml', 'text/event-stream', 'application/json;q=0', 'x', ','],
  'accept-encoding': ['br', 'gzip;q=0, *;q=0', 'identity;q=0', ''],
  'accept-language': ['*', 'xx-XX', '\xe9'],
  'if-none-match': ['*', '""', '"x"', 'W/"x"', '"x", "y"', ','.repeat(4_000), '\xff', `"${'x'.repeat(8_000)}"`],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'soon'],
  'if-range': ['"x"', 'soon'],
  range: ['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'bytes=0-', 'bytes=999999999-', 'bytes=0-0,2-3', 'bytes=', 'lines=1-2'],
  origin: ['null', 'https://evil.example', 'http://localhost:1', 'x', '', 'file://', 'http://[::1'],
  host: ['evil.example', 'localhost', 'a b', '', '[::1', '127.0.0.1:99999', 'x'.repeat(300), 'a@b', '\xff', '..'],
  'idempotency-key': ['', 'one', '"one"', 'x'.repeat(300), '\xff', ' ', 'one, two'],
  'x-http-method-override': ['DELETE'],
  'x-forwarded-for': ['127.0.0.1', '1, 2, ::1', '\xff', ','.repeat(1_000)],
  'x-forwarded-host': ['evil.example'],
  forwarded: ['for=127.0.0.1;host=evil.example'],
  expect: ['100-continue', 'the unexpected'],
  connection: ['close', 'upgrade', 'authorization'],
  upgrade: ['websocket', 'h2c'],
  cookie: ['a=b', ';;;=', '\xff'],
  te: ['trailers'],
  'access-control-request-method': ['DELETE', 'x'],
  'mcp-protocol-version': ['2026-07-28', '2025-11-25', '2024-11-05', '1', '', '\xff'],
  'mcp-method': ['tools/call', 'resources/read', 'x', '\xff'],
  'mcp-name': ['get_candidate', '=?base64?w6k=?=', '=?base64?*?=', '\xff'],
  'mcp-session-id': ['x', '\xff'],
  'last-event-id': ['1', 'x'],
  'x-long': ['x'.repeat(9_000), 'x'.repeat(17_000)],
};

const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY PROPFIND PURGE BREW'.split(' ');

const segments = [
  ...['..', '.', '%2e%2e', '..%2f..%2fetc%2fpasswd', '%2f', '%5c', '\\', '%00', 'a%00b', '%zz', '%', '%f', '%u0041'],
  ...['%c0%ae', '%ff', '%ed%a0%80', '\xff', '%0d%0a', '%20', '+', '*', '~', ';a=b', '@', ':', '#', '?', '//', 'null'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'undefined',
    '0',
    '-1',
    '{id}',
    ':id',
    'x'.repeat(10_000),
    '%F0%9F%98%80',
  ],
];

const targets = '* // /% /../candidate //candidate http://evil.example/candidate candidate /\xff ?'.split(' ');

const current = ['TRUE', '1', 'yes', '', 'null', '%00', '%zz', '\xff', 'true%20', 'x'.repeat(5_000)];
const format = ['JSON', 'xml', '', 'json%00', '__proto__'];
const unknown = ['current[]', 'current[a]', 'format[]', '__proto__', 'constructor', '', '[', '%5B%5D'];
const queries: [string, string][] = [
  ...current.map((value): [string, string] => ['current', value]),
  ...format.map((value): [string, string] => ['format', value]),
  ...[...unknown, 'id', 'expires', 'signature'].map((name): [string, string] => [name, 'true']),
];

/** A place within a value: the object that contains it, and its name there. */
type Place = readonly [holder: Record<string, unknown>, name: string];

function* placesIn(holder: Record<string, unknown>): Generator<Place> {
  for (const [name, value] of Object.entries(holder)) {
    yield [holder, name];
    if (typeof value === 'object' && value !== null) yield* placesIn(value as Record<string, unknown>);
  }
}

type Change = (draft: Draft, random: Random) => void;

/** Changes one value in the body. */
const changeBody: Change = (draft, random) => {
  const root = { body: draft.body };
  const [holder, name] = random.pick([...placesIn(root)]);
  // The body as a whole is changed in one of eight cases only.
  if (holder === root && draft.body !== undefined && !random.isOneIn(8)) return changeBody(draft, random);
  const put = (key: string, value: unknown) =>
    Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  const value = structuredClone(random.pick(values));
  const ways = [
    () => put(name, value),
    () => put(name, value),
    () => put(name, [holder[name]]),
    () => typeof holder[name] === 'string' && typeof value === 'string' && put(name, holder[name] + value),
    () => put(random.pick(names), value),
    () => put(random.pick([name.toUpperCase(), ` ${name}`, `${name}[]`]), holder[name]),
    () => delete holder[name],
  ];
  random.pick(ways)();
  draft.body = root.body;
};

const changeHeader: Change = ({ headers: given }, random) => {
  const name = random.pick(Object.keys(headers));
  if (random.isOneIn(8)) delete given[name];
  else given[name] = random.pick(headers[name]!);
};

const changePath: Change = (draft, random) => {
  const parts = draft.path.split('/');
  const at = 1 + random.below(parts.length);
  random.pick([
    () => parts.splice(at, 1, random.pick(segments)),
    () => parts.splice(at, 0, random.pick(segments)),
    () => parts.splice(at, 1),
    () => parts.push(''),
    () => parts.splice(1, 1, 'CANDIDATE'),
  ])();
  draft.path = random.isOneIn(10) ? random.pick(targets) : parts.join('/');
};

const changeQuery: Change = ({ query }, random) => {
  if (random.isOneIn(4)) query.length = 0;
  const times = random.pick([1, 1, 1, 2, 500]);
  for (let time = 0; time < times; time += 1) query.push(random.pick(queries));
};

const changeMethod: Change = (draft, random) => {
  draft.method = random.pick(methods);
};

const changesOf = ({ body }: Draft): readonly Change[] =>
  body === undefined
    ? [changeHeader, changeHeader, changePath, changeQuery, changeQuery, changeMethod]
    : [...Array(4).fill(changeBody), changeHeader, changeHeader, changePath, changeQuery, changeMethod];

/** Serializes a request: one of ten unchanged, the others with up to six changes. */
export function mutate(draft: Draft, random: Random): Wire {
  for (let left = random.pick([0, 1, 1, 2, 2, 3, 3, 4, 5, 6]); left > 0; left -= 1)
    random.pick(changesOf(draft))(draft, random);
  const { endpoint, method, path, query } = draft;
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  const target = path + (search === '' ? '' : `?${search}`);
  const text = toText(draft.body);
  const isGarbled = text !== undefined && random.isOneIn(10);
  const body = isGarbled ? garbled(Buffer.from(text), random) : encoded(text, draft.headers, random);
  return { endpoint, method, target, headers: draft.headers, body, isChunked: random.isOneIn(4) };
}

function toText(body: unknown): string | undefined {
  let text = JSON.stringify(body) as string | undefined;
  for (const [placeholder, raw] of Object.entries(rawJson))
    text = text?.replaceAll(placeholder === '@lone surrogate@' ? placeholder : `"${placeholder}"`, () => raw);
  return text;
}

/** Encodes the body as Content-Encoding says, or does not. */
function encoded(text: string | undefined, { 'content-encoding': encoding }: Draft['headers'], random: Random) {
  if (text === undefined) return undefined;
  if (encoding === 'gzip' && random.isOneIn(2)) return gzipSync(text);
  if (encoding === 'br' && random.isOneIn(2)) return brotliCompressSync(text);
  return Buffer.from(text);
}

/** Changes the bytes of a body, most often to invalid JSON. */
function garbled(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const inserted = (...more: (string | number[])[]) =>
    Buffer.concat([before, ...more.map((part) => Buffer.from(part as string)), after]);
  return random.pick([
    () => before,
    () => after,
    () => inserted([random.below(256)]),
    () => inserted([0xff, 0xfe]),
    () => inserted([0xc0, 0xaf]),
    () => inserted([0xed, 0xa0, 0x80]),
    () => inserted('\0'),
    () => inserted('{"email":"eve@example.org"},'),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.from(bytes.toString(), 'utf16le'),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.from(bytes.toString().replaceAll('"', "'")),
    () => Buffer.from(bytes.toString().replace('{', '{"email":"eve@example.org","name":null,"id":1,')),
    () => Buffer.from(bytes.toString().replace('}', '/* nothing */}')),
    () => Buffer.from(bytes.toString().replace(/:"[^"]*"/, ':NaN')),
    () => Buffer.alloc(0),
    () => Buffer.from(' \r\n\t'),
    () => Buffer.alloc(70_000, ' '),
    () => Buffer.alloc(2_000_000, '['),
  ])();
}
