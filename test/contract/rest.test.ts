import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { CallRecord } from '../../src/model/log-entry.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { restOf } from '../../src/surfaces/rest/rest.ts';
import { openTestService } from '../support/in-process.ts';
import { challenge } from '../support/oauth-setting.ts';
import { postJson } from '../support/post-json.ts';

// What each operation answers over REST is in parity.test.ts; here is how requests are spelled, allowed and refused.

let service: Awaited<ReturnType<typeof openTestService>>;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const bearer = () => ({ authorization: `Bearer ${service.token}` });

const unauthorized = '{"error":{"code":"UNAUTHORIZED","message":"A valid bearer token is required"}}';
const notFound = '{"error":{"code":"NOT_FOUND","message":"The requested resource could not be found."}}';
const badRequest = (message: string) => JSON.stringify({ error: { code: 'BAD_REQUEST', message } });

/** Checks the status and the whole body of a response. */
async function assertAnswer(asked: Promise<Response>, status: number, body: string, what?: string): Promise<void> {
  const response = await asked;
  assert.deepEqual([response.status, await response.text()], [status, body], what);
}

/** Sends a text as the body of a token request. */
const askToken = (body: BodyInit, headers: Record<string, string> = {}) =>
  service.ask('/auth/token', { ...postJson({}, headers), body });

const address = '{"email":"ada@example.org"}';

test('a read with a trailing slash, with unknown parameters, and by HEAD without a body', async () => {
  const text = async (path: string) => (await service.get(path)).text();
  assert.equal(await text('/candidate/'), await text('/candidate'));
  assert.equal(await text('/experience/exp_past/'), await text('/experience/exp_past'));
  assert.equal(await text('/experience?colour=blue&current=false'), await text('/experience?current=false'));
  const head = await service.ask('/candidate', { method: 'HEAD', headers: bearer() });
  assert.deepEqual([head.status, await head.text()], [200, '']);
  assert.equal(head.headers.get('etag'), (await service.get('/candidate')).headers.get('etag'));
});

test('paths carry no version segment [VERSION-2]', async () => {
  assert.equal((await service.get('/v1/candidate')).status, 404);
});

describe('authorization', () => {
  const unoffered = ['get_background', 'find_evidence'];

  test('401 without a token, on every endpoint but POST /auth/token [SERVICE-2] [AUTH-3]', async () => {
    // A profile without their keys has no such paths.
    const offered = operations.filter(
      ({ access, name }: Operation) => access === 'bearer' && !unoffered.includes(name),
    );
    for (const { method, path, alias } of offered.map(({ rest }: Operation) => rest))
      for (const one of [path, alias ?? path]) {
        const response = await service.ask(one.replace('{id}', 'exp_past'), { method });
        assert.deepEqual([response.status, await response.text()], [401, unauthorized], one);
        assert.equal(
          response.headers.get('www-authenticate'),
          challenge('Bearer realm="candidate-profile"', '/.well-known/oauth-protected-resource'),
        );
      }
    assert.equal(offered.length, operations.length - unoffered.length - 1);
  });

  test('401 with an altered or invalid token [AUTH-4] [TRUST-2]', async () => {
    const { token } = service;
    const [head, payload, signature] = token.split('.');
    const flipped = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`;
    const parts = [`${head}.${payload}`, `${head}.${payload}.`, `${head}..${signature}`];
    for (const other of ['x', flipped, `${token}=`, `${token} x`, ...parts]) {
      const response = await service.ask('/candidate', { headers: { authorization: `Bearer ${other}` } });
      assert.deepEqual([response.status, await response.text()], [401, unauthorized], other);
      assert.equal(
        response.headers.get('www-authenticate'),
        challenge('Bearer realm="candidate-profile", error="invalid_token"', '/.well-known/oauth-protected-resource'),
      );
    }
  });

  test('a token is read after Bearer in any case and spaces, and from nowhere else [AUTH-1] [TRUST-4]', async () => {
    const { token } = service;
    const statusFor = async (authorization: string) =>
      (await service.ask('/candidate', { headers: { authorization } })).status;
    for (const scheme of ['bearer', 'Bearer ']) assert.equal(await statusFor(`${scheme} ${token}`), 200, scheme);
    for (const other of [`NotBearer ${token}`, `Basic ${token}`, `Basic Bearer ${token}`, `Bearer${token}`, token])
      assert.equal(await statusFor(other), 401, other);
    assert.equal((await service.ask(`/candidate?access_token=${token}`)).status, 401);
    assert.equal((await service.ask('/candidate', { headers: { cookie: `access_token=${token}` } })).status, 401);
  });

  test('401 wins over 400, 404, 405 and 415', async () => {
    for (const [path, init] of [
      ['/experience?current=maybe', {}],
      ['/experience/none', {}],
      ['/candidate', { method: 'DELETE' }],
      ['/contact', { method: 'POST', body: 'x' }],
    ] as const)
      assert.equal((await service.ask(path, init)).status, 401, path);
  });
});

describe('a token request', () => {
  test('with an address: a signed bearer token [AUTH-1] [AUTH-2] [TOKEN-1] [TOKEN-2] [REST-3]', async () => {
    const response = await service.ask('/auth/token', postJson({ email: ' Ada@Example.ORG ', extra: 1 }));
    assert.equal(response.status, 200);
    const { access_token: token, ...rest } = (await response.json()) as { access_token: string };
    assert.deepEqual(rest, { token_type: 'Bearer' });
    const { alg, typ } = decodeProtectedHeader(token);
    assert.deepEqual([alg, typ], ['EdDSA', 'at+jwt']);
    const { sub, iss, aud, exp, iat } = decodeJwt(token);
    assert.deepEqual([sub, iss, aud], ['Ada@example.org', service.baseUrl, service.baseUrl]);
    assert.equal(exp! - iat!, 2_592_000);
    const opened = await service.ask('/candidate', { headers: { authorization: `Bearer ${token}` } });
    assert.equal(opened.status, 200);
  });

  test('without an address: email is required [ERROR-1] [ERROR-2] [ERROR-3]', async () => {
    for (const body of ['', 'null', '{}', '{"email":null}', '{"email":""}', '{"email":"  "}'])
      await assertAnswer(askToken(body), 400, badRequest('email is required'), body);
    await assertAnswer(service.ask('/auth/token', { method: 'POST' }), 400, badRequest('email is required'));
  });

  test('an unknown field is ignored, as in the OpenAPI description', async () => {
    const request = { email: 'ada@example.org', nickname: 'Ada' };
    assert.equal((await service.ask('/auth/token', postJson(request))).status, 200);
    const { paths, components } = JSON.parse(await (await service.ask('/openapi.json')).text());
    const { schema } = paths['/auth/token'].post.requestBody.content['application/json'];
    const ajv = new Ajv2020({ strict: false }).addFormat('email', true);
    assert.equal(ajv.validate({ ...schema, components }, request), true, ajv.errorsText());
  });

  test('with an invalid address: email must be a valid email address [ERROR-4] [TRUST-7]', async () => {
    const others = [
      ...[1, true, [], {}, 'x', 'a@b', 'a@x.org,b@x.org', 'A <a@x.org>', 'a(c)@x.org', '"<a@x.org>"@y.org'],
      ...['"a\\b"@x.org', 'a@[127.0.0.1]', 'a\u200b@x.org', 'a\u202e@x.org'],
      ...[`${'a'.repeat(65)}@x.org`, `a@${'b.'.repeat(130)}org`],
    ];
    const numbers = ['1e999', '-1e999', '9'.repeat(300)];
    for (const value of [...others.map((email) => JSON.stringify(email)), ...numbers])
      await assertAnswer(askToken(`{"email":${value}}`), 400, badRequest('email must be a valid email address'), value);
  });
});

describe('a contact request', () => {
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello,\n\tyou?\r\nAda' };
  const long = (count: number) => 'x'.repeat(count);

  test('is received and stored [REST-12] [CONTACT-1] [CONTACT-2]', async () => {
    const response = await service.post('/contact', { ...contact, extra: 1 });
    assert.equal(response.status, 201);
    const { id, ...rest } = (await response.json()) as { id: string };
    assert.match(id, /^contact_[0-9a-f]{32}$/);
    assert.deepEqual(rest, { status: 'received' });
  });

  test('the first wrong field is named [ERROR-7] [TRUST-8]', async () => {
    await assertAnswer(service.post('/contact', null), 400, badRequest('name is required'));
    for (const [changes, message] of [
      [{ name: undefined }, 'name is required'],
      [{ name: null, email: 'x' }, 'name is required'],
      [{ name: ' ' }, 'name is required'],
      [{ name: 1 }, 'name must be a string'],
      [{ name: long(201) }, 'name must be at most 200 characters'],
      [{ name: 'a\nb' }, 'name must not contain control characters'],
      [{ name: 'a\u2028b' }, 'name must not contain control characters'],
      [{ email: undefined }, 'email is required'],
      [{ email: [] }, 'email must be a string'],
      [{ email: 'x' }, 'email must be a valid email address'],
      [{ email: `${long(250)}@x.org` }, 'email must be at most 254 characters'],
      [{ company: '' }, 'company is required'],
      [{ company: 'a\u0000' }, 'company must not contain control characters'],
      [{ message: long(10_001) }, 'message must be at most 10000 characters'],
      [{ message: 'a\u0007' }, 'message must not contain control characters'],
      [{ message: 'a\rb' }, 'message must not contain control characters'],
    ] as const)
      await assertAnswer(service.post('/contact', { ...contact, ...changes }), 400, badRequest(message), message);
  });

  test('length is counted in code points, not UTF-16 units', async () => {
    assert.equal((await service.post('/contact', { ...contact, name: '🙂'.repeat(200) })).status, 201);
    assert.equal((await service.post('/contact', { ...contact, name: '🙂'.repeat(201) })).status, 400);
  });
});

describe('invalid requests', () => {
  test('current must be true or false, once, and format json or pdf [ERROR-5] [ERROR-6] [TRUST-24]', async () => {
    for (const [path, message, queries] of [
      [
        '/experience?current',
        'current must be true or false',
        ['=TRUE', '=1', '=yes', '=', '', '=true&current=true', '[]=true'],
      ],
      ['/resume?format', 'format must be json or pdf', ['=PDF', '=xml', '=', '=json&format=json', '[]=pdf']],
    ] as const)
      for (const query of queries) await assertAnswer(service.get(path + query), 400, badRequest(message), query);
  });

  test('only boolean fields convert the texts true and false', async () => {
    assert.equal((await service.get('/experience/true')).status, 404);
    assert.equal((await askToken('{"email":"true"}')).status, 400);
  });

  test('an unknown id is not found [REST-7] [ERROR-8] [TRUST-18]', async () => {
    const ids = ['none', '%zz', '..%2f', '%00', 'x'.repeat(8_000)].map((id) => `/experience/${id}`);
    for (const path of [...ids, '/projects/none', '/projects/__proto__'])
      await assertAnswer(service.get(path), 404, notFound, path);
  });

  test('an unknown path is not found, with a token and without', async () => {
    for (const path of ['/nothing', '/experience/exp_past/roles', '/Candidate']) {
      await assertAnswer(service.get(path), 404, notFound, path);
      await assertAnswer(service.ask(path, { method: 'DELETE' }), 404, notFound, path);
    }
  });

  test('a wrong method is answered with the allowed ones [TRUST-23]', async () => {
    for (const [path, method, allow] of [
      ['/candidate', 'DELETE', 'GET, HEAD, OPTIONS'],
      ['/contact', 'GET', 'POST, OPTIONS'],
      ['/contact', 'PUT', 'POST, OPTIONS'],
      ['/auth/token', 'GET', 'POST, OPTIONS'],
      ['/openapi.json', 'POST', 'GET, HEAD, OPTIONS'],
      ['/me', 'POST', 'GET, HEAD, DELETE, OPTIONS'],
    ] as const) {
      const response = await service.ask(path, { method, headers: bearer() });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, allow], `${method} ${path}`);
      assert.equal(
        await response.text(),
        '{"error":{"code":"METHOD_NOT_ALLOWED","message":"This method is not allowed here."}}',
      );
    }
  });

  test('a wrong method is recorded once, under the operation of the path', async () => {
    const calls: CallRecord[] = [];
    const rest = restOf(operations, { ...service.opened.services, record: (call) => void calls.push(call) });
    const { jti } = decodeJwt(service.token);
    for (const [method, path, headers] of [
      ['DELETE', '/candidate', bearer()],
      ['QUERY', `/experience/${'x'.repeat(100)}`, bearer()],
      ['DELETE', '/candidate', {}],
      ['GET', '/auth/token', {}],
      ['POST', '/contact', {}],
      ['PUT', '/projects', {}],
    ] as const)
      await rest.fetch(new Request(service.baseUrl + path, { method, headers }), {
        address: '192.0.2.1',
        requestId: `${method} ${path.slice(0, 13)}`,
      });
    assert.deepEqual(
      calls.map(({ milliseconds: _, ...call }) => Object.values(call)),
      [
        ['get_candidate', 'rest', jti, 'METHOD_NOT_ALLOWED', 'DELETE /candidate'],
        ['get_experience', 'rest', jti, 'METHOD_NOT_ALLOWED', 'QUERY /experience/x'],
        ['get_candidate', 'rest', 'anonymous', 'UNAUTHORIZED', 'DELETE /candidate'],
        ['create_auth_token', 'rest', 'anonymous', 'METHOD_NOT_ALLOWED', 'GET /auth/token'],
        ['create_contact', 'rest', 'anonymous', 'UNAUTHORIZED', 'POST /contact'],
        ['list_projects', 'rest', 'anonymous', 'UNAUTHORIZED', 'PUT /projects'],
      ],
    );
  });

  test('a path with one public method does not show a client without a token its other methods', async () => {
    const [open, read] = ['create_auth_token', 'get_candidate'].map(
      (name) => operations.find((one) => one.name === name)!,
    );
    const rest = restOf([open!, { ...read!, rest: { method: 'GET', path: '/auth/token' } }], service.opened.services);
    const request = new Request(`${service.baseUrl}/auth/token`, { method: 'DELETE' });
    assert.equal((await rest.fetch(request, { address: null, requestId: null })).status, 401);
  });

  test('an unexpected error is not answered as an expected failure', async () => {
    const { services } = service.opened;
    const verify = () => Promise.reject(new Error('disk I/O error'));
    const rest = restOf(operations, { ...services, tokens: { ...services.tokens, verify } });
    const faults: string[] = [];
    rest.onError(({ message }) => {
      faults.push(message);
      return new Response();
    });
    const request = new Request(`${service.baseUrl}/candidate`, { headers: bearer() });
    await rest.fetch(request, { address: null, requestId: null });
    assert.deepEqual(faults, ['disk I/O error']);
  });

  test('a body that is not a JSON object [TRUST-14] [TRUST-17]', async () => {
    const nested = `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`;
    for (const [message, bodies] of [
      [
        'Request body must be valid JSON',
        [
          ...['{', new Uint8Array([0x22, 0xff, 0x22]), '{"email":"\\ud800@x.org"}'],
          ...['{"email":"ada@example.org","\\udc00":1}', '{"email":"ada@example.org","a":{"\\ud800":1}}'],
        ],
      ],
      ['Request body must be a JSON object', ['true', '[]', '"x"', '1']],
      ['Request body is nested too deeply', [nested]],
    ] as const)
      for (const body of bodies) await assertAnswer(askToken(body), 400, badRequest(message), String(body));
    const atTheLimit = `{"email":"ada@example.org","a":${'['.repeat(15)}1${']'.repeat(15)}}`;
    assert.equal((await askToken(atTheLimit)).status, 200);
  });

  test('another content type or charset, none, or any content encoding [TRUST-15] [TRUST-16]', async () => {
    const message = 'Request body must be application/json in UTF-8';
    const answerTo = async (headers: Record<string, string>, body: BodyInit = address) => {
      const response = await service.ask('/auth/token', { method: 'POST', headers, body });
      const { error } = (await response.json()) as { error?: object };
      return [response.status, error];
    };
    const refusal = [415, { code: 'UNSUPPORTED_MEDIA_TYPE', message }];
    const json = 'application/json';
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])
      assert.equal((await answerTo({ 'content-type': type }))[0], 415, type);
    for (const encoding of ['gzip', 'identity'])
      assert.equal((await answerTo({ 'content-type': json, 'content-encoding': encoding }))[0], 415, encoding);
    const utf16 = Buffer.from(address, 'utf16le');
    for (const charset of ['utf-16', '"UTF-16LE"', ' iso-8859-1', 'utf-7'])
      assert.deepEqual(await answerTo({ 'content-type': `${json}; v=1; charset=${charset}` }, utf16), refusal);
    for (const charset of ['charset=utf-8', 'CHARSET="UTF-8"', 'charset=utf8', 'charset=us-ascii', 'v=1'])
      assert.equal((await answerTo({ 'content-type': `Application/JSON; ${charset}` }))[0], 200, charset);
  });

  test('a body over 64 KiB [TRUST-13]', async () => {
    const sized = (bytes: number) => askToken(`{"email":"ada@example.org","x":"${'x'.repeat(bytes - 34)}"}`);
    assert.equal((await sized(65_536)).status, 200);
    const response = await sized(65_537);
    const { error } = (await response.json()) as { error: { code: string } };
    assert.deepEqual([response.status, error.code], [413, 'PAYLOAD_TOO_LARGE']);
  });

  test('inherited keys are ignored, and of duplicate keys the last one counts [TRUST-17]', async () => {
    await assertAnswer(askToken(`{"__proto__":${address}}`), 400, badRequest('email is required'));
    const twice = '{"email":"ada@example.org","email":"x"}';
    await assertAnswer(askToken(twice), 400, badRequest('email must be a valid email address'));
  });
});
