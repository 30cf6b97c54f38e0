import { head } from '../../../support/dial.ts';

/** Bytes sent to a service, and its responses if no proxy changes them. */
export interface RawCase {
  readonly name: string;
  readonly text: string;
  /** One for each response, such as `200` or `400 BAD_REQUEST`. */
  readonly answers: readonly string[];
  /** Whether the next request on the connection gets a response, too. */
  readonly goesOn: boolean;
  /** Whether what follows the request is a request of its own, which the service must serve, and not smuggled. */
  readonly isPipelined: boolean;
}

const host = 'Host: 127.0.0.1';
const json = 'Content-Type: application/json';
const body = '{"email":"sender@example.org"}';
const length = `Content-Length: ${body.length}`;
const size = body.length.toString(16);
const chunked = 'Transfer-Encoding: chunked';
const chunks = `${size}\r\n${body}\r\n0\r\n\r\n`;
const bad = '400 BAD_REQUEST';

const get = (...lines: readonly string[]) => head('GET /healthz HTTP/1.1', host, ...lines);
const post = (...lines: readonly string[]) => head('POST /auth/token HTTP/1.1', host, json, ...lines);

/** A request for a token for an address that is used only here: if the token is issued, the request was smuggled. */
export const requestFor = (email: string): string => {
  const text = JSON.stringify({ email });
  return `${post('X-Request-Id: smuggled', `Content-Length: ${text.length}`)}${text}`;
};

type Row = readonly [name: string, text: string, ...answers: string[]];

/** Requests that are refused and close the connection. */
const refused = (smuggled: string): Row[] => [
  ['a length and chunks', `${post(`Content-Length: ${5 + smuggled.length}`, chunked)}0\r\n\r\n${smuggled}`, bad],
  [
    'chunks and a length',
    `${post(chunked, 'Content-Length: 4')}${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    bad,
  ],
  ['a length and no chunks', `${post(length, 'Transfer-Encoding: identity')}${body}${smuggled}`, bad],
  ['a length and chunks of nothing', `${post(length, 'Transfer-Encoding:')}${body}${smuggled}`, bad],
  ['two lengths', `${post(length, 'Content-Length: 0')}${body}${smuggled}`, bad],
  ['a length twice', `${post(length, length)}${body}${smuggled}`, bad],
  ['a list of lengths', `${post(`${length}, ${body.length}`)}${body}${smuggled}`, bad],
  ['a length with a plus', `${post(`Content-Length: +${body.length}`)}${body}${smuggled}`, bad],
  ['a negative length', `${post('Content-Length: -1')}${smuggled}`, bad],
  ['a hexadecimal length', `${post(`Content-Length: 0x${size}`)}${body}${smuggled}`, bad],
  ['a length with a fraction', `${post(`${length}.0`)}${body}${smuggled}`, bad],
  ['a length with a space', `${post('Content-Length: 3 0')}${body}${smuggled}`, bad],
  ['an empty length', `${post('Content-Length:')}${smuggled}`, bad],
  ['a length over 64 bits', `${post(`Content-Length: 184467440737095516${16 + body.length}`)}${body}${smuggled}`, bad],
  ['a length over two lines', `${post('Content-Length:', ` ${body.length}`)}${body}${smuggled}`, bad],

  ['an unknown coding', `${post('Transfer-Encoding: xchunked')}${chunks}${smuggled}`, bad],
  ['the identity coding', `${post('Transfer-Encoding: identity')}${chunks}${smuggled}`, bad],
  ['a coding without a name', `${post('Transfer-Encoding:')}${chunks}${smuggled}`, bad],
  ['a compressed body', `${post('Transfer-Encoding: gzip, chunked')}${chunks}${smuggled}`, bad],
  ['chunks of chunks', `${post('Transfer-Encoding: chunked, chunked')}${chunks}${smuggled}`, bad],
  ['chunked before identity', `${post('Transfer-Encoding: chunked, identity')}${chunks}${smuggled}`, bad],
  ['two codings', `${post(chunked, 'Transfer-Encoding: identity')}${chunks}${smuggled}`, bad],
  ['chunks twice', `${post(chunked, chunked)}${chunks}${smuggled}`, bad],
  ['chunks in quotes', `${post('Transfer-Encoding: "chunked"')}${chunks}${smuggled}`, bad],
  ['chunks and a comma', `${post(`${chunked},`)}${chunks}${smuggled}`, bad],
  ['chunks with a parameter', `${post(`${chunked};q=1`)}${chunks}${smuggled}`, bad],
  ['chunks behind a vertical tab', `${post('Transfer-Encoding: \vchunked')}${chunks}${smuggled}`, bad],
  ['chunks before a hard space', `${post(`${chunked}\xa0`)}${chunks}${smuggled}`, bad],
  ['chunks over two lines', `${post('Transfer-Encoding:', ' chunked')}${chunks}${smuggled}`, bad],
  ['chunks with a space before the colon', `${post('Transfer-Encoding : chunked', length)}${body}${smuggled}`, bad],
  [
    'chunks in HTTP/1.0',
    `${head('POST /auth/token HTTP/1.0', host, json, chunked, 'Connection: keep-alive')}${chunks}${smuggled}`,
    bad,
  ],

  ['a chunk size with a prefix', `${post(chunked)}0x${chunks}${smuggled}`, bad],
  ['a chunk size with a plus', `${post(chunked)}+${chunks}${smuggled}`, bad],
  ['a negative chunk size', `${post(chunked)}-1\r\n${body}\r\n0\r\n\r\n${smuggled}`, bad],
  ['a space before a chunk size', `${post(chunked)} ${chunks}${smuggled}`, bad],
  ['a space behind a chunk size', `${post(chunked)}${size} \r\n${body}\r\n0\r\n\r\n${smuggled}`, bad],
  ['a chunk size with a space', `${post(chunked)}${size} ${size}\r\n${body}\r\n0\r\n\r\n${smuggled}`, bad],
  ['a chunk size with an underscore', `${post(chunked)}0_${chunks}${smuggled}`, bad],
  ['a chunk without a size', `${post(chunked)};size\r\n${body}\r\n0\r\n\r\n${smuggled}`, bad],
  ['a chunk size over 64 bits', `${post(chunked)}100000000000000${size}\r\n${body}\r\n0\r\n\r\n${smuggled}`, bad],
  ['a chunk longer than its size', `${post(chunked)}1\r\n${body}\r\n0\r\n\r\n${smuggled}`, bad],
  ['a chunk whose end is something else', `${post(chunked)}${size}\r\n${body}XX0\r\n\r\n${smuggled}`, bad],
  ['chunks in lines without a carriage return', `${post(chunked)}${chunks.replaceAll('\r', '')}${smuggled}`, bad],
  ['a chunk extension with a line feed', `${post(chunked)}${size};\n${body}\r\n0\r\n\r\n${smuggled}`, bad],
  ['a chunk extension with a carriage return', `${post(chunked)}${size};a\rb\r\n${body}\r\n0\r\n\r\n${smuggled}`, bad],
  [
    'a chunk extension of 20 KB',
    `${post(chunked)}${size};${'a'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n${smuggled}`,
    bad,
  ],
  ['a length in a trailer', `${post(chunked)}${size}\r\n${body}\r\n0\r\nContent-Length: 5\r\n\r\n${smuggled}`, bad],
  ['chunks in a trailer', `${post(chunked)}${size}\r\n${body}\r\n0\r\n${chunked}\r\n\r\n${smuggled}`, bad],
  ['a trailer over two lines', `${post(chunked)}${size}\r\n${body}\r\n0\r\nX-A: a\r\n b\r\n\r\n${smuggled}`, bad],

  ['lines without a carriage return', get().replaceAll('\r', '') + smuggled, bad],
  ['one line without a carriage return', `GET /healthz HTTP/1.1\r\n${host}\nX-A: a\r\n\r\n${smuggled}`, bad],
  ['an end without a carriage return', `GET /healthz HTTP/1.1\r\n${host}\r\n\n${smuggled}`, bad],
  ['lines without a line feed', get().replaceAll('\n', '') + smuggled, bad],
  ['a carriage return in a header', get('X-A: a\rContent-Length: 0') + smuggled, bad],
  ['a header over two lines', get('X-A: a', ' b') + smuggled, bad],
  ['a space before the first header', `GET /healthz HTTP/1.1\r\n X-A: a\r\n${host}\r\n\r\n${smuggled}`, bad],
  ['a NUL in a header', get('X-A: a\0b') + smuggled, bad],
  ['a NUL in the name of a header', get('X-A\0: a') + smuggled, bad],
  ['a header without a colon', get('Content-Length') + smuggled, bad],
  ['a header without a name', get(': 0') + smuggled, bad],
  [
    '2,000 headers',
    get(...Array.from({ length: 2000 }, (_, index) => `a${index}: a`)) + smuggled,
    '431 HEADERS_TOO_LARGE',
  ],
  ['a target of 20 KB', head(`GET /${'a'.repeat(20_000)} HTTP/1.1`, host) + smuggled, '431 HEADERS_TOO_LARGE'],
  ['a tab for a space', head('GET\t/healthz HTTP/1.1', host) + smuggled, bad],
  ['a space in the target', head('GET /healthz /healthz HTTP/1.1', host) + smuggled, bad],
  ['a target that is not ASCII', head('GET /healthz\xff\xfe HTTP/1.1', host) + smuggled, bad],
  ['a NUL in the target', head('GET /healthz\0 HTTP/1.1', host) + smuggled, bad],
  ['a target that is an authority', head('GET 127.0.0.1:80 HTTP/1.1', host) + smuggled, bad],
  ['a target with credentials', head('GET http://a:b@127.0.0.1/healthz HTTP/1.1', host) + smuggled, bad],
  ['a method in small letters', head('get /healthz HTTP/1.1', host) + smuggled, bad],
  ['a protocol in small letters', head('GET /healthz http/1.1', host) + smuggled, bad],
  ['HTTP/0.9', `GET /healthz\r\n${smuggled}`, bad],
  ['HTTP/1.2', head('GET /healthz HTTP/1.2', host) + smuggled, bad],
  ['HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled}`, bad],
  ['no Host', head('GET /healthz HTTP/1.1') + smuggled, bad],
  ['no Host, and one in the target', head('GET http://127.0.0.1/healthz HTTP/1.1') + smuggled, bad],
  ['two Hosts', get('Host: other.example') + smuggled, bad],
  ['two Hosts, and one in the target', head('GET http://127.0.0.1/healthz HTTP/1.1', host, host) + smuggled, bad],
  ['an unknown expectation', `${post(length, 'Expect: 200-ok')}${body}${smuggled}`, bad],

  // Served, as the last request of the connection.
  ['a body longer than its length', `${post(length)}${body}XX${smuggled}`, '200'],
  ['bytes after Connection: close', get('Connection: close') + smuggled, '200'],
  ['bytes after an HTTP/1.0 request', head('GET /healthz HTTP/1.0', host) + smuggled, '200'],
  ['an upgrade to a web socket', get('Connection: Upgrade', 'Upgrade: websocket') + smuggled, '200'],
  ['an upgrade with a body', `${post('Connection: Upgrade', 'Upgrade: websocket', length)}${body}${smuggled}`, '200'],
  [
    'an upgrade to HTTP/2',
    `${get('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA')}PRI * HTTP/2.0\r\n\r\n${smuggled}`,
    '200',
  ],
  ['a tunnel', head('CONNECT 127.0.0.1:25 HTTP/1.1', host) + smuggled, '405 METHOD_NOT_ALLOWED'],
];

/** Requests that are served, or refused, and leave the connection open. */
const understood = (smuggled: string, token: string): Row[] => [
  ['a length with zeros in front', `${post(`Content-Length: 000${body.length}`)}${body}`, '200'],
  ['a body that looks like a request', `${post(`Content-Length: ${smuggled.length}`)}${smuggled}`, bad],
  [
    'a chunk that looks like a request',
    `${post(chunked)}${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    bad,
  ],
  ['a read with a body', `${get(`Content-Length: ${smuggled.length}`)}${smuggled}`, '200'],
  ['a read with chunks', `${get(chunked)}${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`, '200'],
  [
    'a length in another spelling',
    `${get(`Content_Length: ${smuggled.length}`, `Content-Length: ${smuggled.length}`)}${smuggled}`,
    '200',
  ],
  ['chunks in another spelling', `${post('Transfer_Encoding: chunked', length)}${body}`, '200'],
  ['chunks in capitals', `${post('TRANSFER-ENCODING: CHUNKED')}${chunks}`, '200'],
  ['chunks behind a tab', `${post('Transfer-Encoding:\tchunked')}${chunks}`, '200'],
  ['Transfer-Encoding in Connection', `${post('Connection: Transfer-Encoding', chunked)}${chunks}`, '200'],
  ['a chunk extension', `${post(chunked)}${size};a=b\r\n${body}\r\n0\r\n\r\n`, '200'],
  ['a chunk size with zeros in front', `${post(chunked)}000${size}\r\n${body}\r\n000\r\n\r\n`, '200'],
  ['a trailer', `${post(chunked)}${size}\r\n${body}\r\n0\r\nX-A: a\r\nHost: other.example\r\n\r\n`, '200'],
  ['an expectation', `${post(length, 'Expect: 100-continue')}${body}`, '100', '200'],
  ['HTTP/1.0 that keeps the connection', head('GET /healthz HTTP/1.0', host, 'Connection: keep-alive'), '200'],
  ['empty lines before a request', `\r\n\r\n${get()}`, '200'],
  ['two spaces before the target', head('GET  /healthz HTTP/1.1', host), '200'],
  ['the whole URL of another host', head('GET http://other.example/healthz HTTP/1.1', host), '200'],
  ['OPTIONS *', head('OPTIONS * HTTP/1.1', host), bad],
  ['a Host that is a path', head('GET /healthz HTTP/1.1', 'Host: a/b'), bad],
  ['a Host with a name before it', head('GET /healthz HTTP/1.1', 'Host: a@b'), bad],
  [
    'invalid UTF-8 in the target',
    head('GET /experience/%ff%c0%ae HTTP/1.1', host, `Authorization: ${token}`),
    '404 NOT_FOUND',
  ],
  [
    'a token twice',
    get()
      .replace('/healthz', '/candidate')
      .replace('\r\n\r\n', `\r\nAuthorization: ${token}\r\nAuthorization: ${token}\r\n\r\n`),
    '401 UNAUTHORIZED',
  ],
  [
    'a token and an empty Authorization',
    head('GET /candidate HTTP/1.1', host, `Authorization: ${token}`, 'Authorization:'),
    '401 UNAUTHORIZED',
  ],
  [
    'an empty Authorization and a token',
    head('GET /candidate HTTP/1.1', host, 'Authorization:', `Authorization: ${token}`),
    '401 UNAUTHORIZED',
  ],
];

/** Requests that are pipelined. */
const pipelined = (next: string): Row[] => [
  ['three requests at once', get() + get() + next, '200', '200', '200'],
  ['a request behind a body', `${post(length)}${body}${next}`, '200', '200'],
  ['a request behind chunks', `${post(chunked)}${chunks}${next}`, '200', '200'],
];

/** Returns every case; `smuggledInto` returns the request to smuggle in a case, `token` is the value of an Authorization header. */
export function rawCases(smuggledInto: (name: string) => string, token: string): RawCase[] {
  const toCases = (rowsOf: (smuggled: string) => Row[], goesOn: boolean, isPipelined: boolean) =>
    rowsOf('').map(([name], index): RawCase => {
      const [, text, ...answers] = rowsOf(smuggledInto(name))[index]!;
      return { name, text, answers, goesOn, isPipelined };
    });
  return [
    ...toCases(refused, false, false),
    ...toCases((smuggled) => understood(smuggled, token), true, false),
    ...toCases(pipelined, true, true),
  ];
}
