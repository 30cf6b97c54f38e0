import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { CallRecord } from '../../src/model/log-entry.ts';
import { operations } from '../../src/operations/index.ts';
import { restOf } from '../../src/surfaces/rest/rest.ts';
import { candidate, current, past, resume } from '../support/fixture-answers.ts';
import { openTestService } from '../support/in-process.ts';
import { challenge } from '../support/oauth-setting.ts';
import { postJson } from '../support/post-json.ts';

let service: Awaited<ReturnType<typeof openTestService>>;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const read = async (path: string) => {
  const response = await service.get(path);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json');
  return response.json();
};

/** The part of the OpenAPI description with the body of a token request. */
interface OpenApi {
  paths: { '/auth/token': { post: { requestBody: { content: { 'application/json': { schema: object } } } } } };
  components: object;
}

const unauthorized = '{"error":{"code":"UNAUTHORIZED","message":"A valid bearer token is required"}}';
const notFound = '{"error":{"code":"NOT_FOUND","message":"The requested resource could not be found."}}';
const badRequest = (message: string) => JSON.stringify({ error: { code: 'BAD_REQUEST', message } });

describe('what a visitor reads', () => {
  test('the candidate [SERVICE-1] [REST-1] [REST-10] [CANDIDATE-1]', async () => {
    assert.deepEqual(await read('/candidate'), candidate);
  });

  test('all experience, ongoing first, null while current [REST-6] [EXPERIENCE-1] [EXPERIENCE-3] [ROLE-1] [DATE-1]', async () => {
    assert.deepEqual(await read('/experience'), [current, past]);
  });

  test('current experience only [REST-4] [STATE-1]', async () => {
    assert.deepEqual(await read('/experience?current=true'), [current]);
  });

  test('past experience only [REST-5] [STATE-1]', async () => {
    assert.deepEqual(await read('/experience?current=false'), [past]);
  });

  test('one experience entry by an id of the list [EXPERIENCE-2]', async () => {
    assert.deepEqual(await read('/experience/exp_past'), past);
  });

  test('project summaries, without tags and links [REST-11] [PROJECT-1]', async () => {
    assert.deepEqual(await read('/projects'), [
      { id: 'proj_linked', name: 'Linked', summary: 'A project with links.' },
      { id: 'proj_plain', name: 'Plain', summary: 'A project without links.' },
    ]);
  });

  test('one project with tags and links, or with none [REST-11] [PROJECT-2]', async () => {
    assert.deepEqual(await read('/projects/proj_linked'), {
      id: 'proj_linked',
      name: 'Linked',
      summary: 'A project with links.',
      tags: ['go', 'raft'],
      links: { github: 'https://github.com/example/linked', live: 'https://linked.example.org' },
    });
    assert.deepEqual(await read('/projects/proj_plain'), {
      id: 'proj_plain',
      name: 'Plain',
      summary: 'A project without links.',
      links: {},
    });
  });

  test('the availability, at both its paths [REST-9] [AVAILABILITY-1]', async () => {
    assert.deepEqual(await read('/contact/availability'), { status: 'open to opportunities' });
    assert.deepEqual(await read('/availability'), { status: 'open to opportunities' });
  });

  test('the resume as JSON, by default too, without what only the PDF shows [REST-2] [REST-8] [RESUME-1] [RESUME-2]', async () => {
    assert.deepEqual(await read('/resume?format=json'), resume);
    assert.deepEqual(await read('/resume'), resume);
  });

  test('the resume as a link that needs no token [RESUME-3]', async () => {
    const { url, ...nothingElse } = (await read('/resume?format=pdf')) as { url: string };
    assert.deepEqual(nothingElse, {});
    assert.match(url, /^http:\/\/127\.0\.0\.1:3000\/files\/resume\.pdf\?expires=\d+&signature=[\w-]{43}$/);
    const pdf = await service.send(new Request(url));
    assert.equal(pdf.status, 200);
    assert.equal(pdf.headers.get('content-type'), 'application/pdf');
    assert.equal(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    );
  });

  test('with a trailing slash, with unknown parameters, and by HEAD without a body', async () => {
    assert.deepEqual(await read('/candidate/'), await read('/candidate'));
    assert.deepEqual(await read('/experience/exp_past/'), past);
    assert.deepEqual(await read('/experience?colour=blue&current=false'), [past]);
    const head = await service.send(
      new Request(`${service.baseUrl}/candidate`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${service.token}` },
      }),
    );
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
    assert.equal(head.headers.get('etag'), (await service.get('/candidate')).headers.get('etag'));
  });

  test('paths carry no version segment [VERSION-2]', async () => {
    assert.equal((await service.get('/v1/candidate')).status, 404);
  });
});

describe('headers for caches and browsers', () => {
  test('reads have a strong entity tag and are revalidated', async () => {
    const { headers } = await service.get('/candidate');
    assert.match(headers.get('etag') ?? '', /^"[\w-]{22}"$/);
    assert.equal(headers.get('cache-control'), 'private, no-cache');
    assert.equal(headers.get('vary'), 'Authorization');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('access-control-allow-credentials'), null);
  });

  test('304 for a client that has the answer already, still only with a token', async () => {
    const etag = (await service.get('/candidate')).headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await service.get('/candidate', { 'if-none-match': known });
      assert.equal(response.status, 304);
      assert.equal(await response.text(), '');
      assert.equal(response.headers.get('etag'), etag);
    }
    assert.equal((await service.get('/candidate', { 'if-none-match': '"other"' })).status, 200);
    assert.equal((await service.ask('/candidate', { headers: { 'if-none-match': etag } })).status, 401);
  });

  test('tokens and errors are never cached', async () => {
    const issued = await service.ask('/auth/token', postJson({ email: 'ada@example.org' }));
    assert.equal(issued.headers.get('cache-control'), 'no-store');
    assert.equal((await service.get('/experience/none')).headers.get('cache-control'), 'no-store');
  });

  test('a web page reads with a token and nothing without one, on loopback too [TRUST-44]', async () => {
    const page = { origin: 'https://page.example' };
    assert.equal(service.baseUrl, 'http://127.0.0.1:3000');
    const refused = await service.ask('/candidate', { headers: page });
    assert.equal(refused.status, 401);
    assert.equal(await refused.text(), unauthorized);
    const read = await service.get('/candidate', page);
    assert.equal(read.status, 200);
    assert.equal(read.headers.get('access-control-allow-origin'), '*');
  });

  test('a preflight is answered without a token', async () => {
    const response = await service.ask('/contact', { method: 'OPTIONS' });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(
      response.headers.get('access-control-allow-headers'),
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range, X-Request-Id, MCP-Protocol-Version',
    );
    assert.equal((await service.ask('/candidate', { method: 'OPTIONS' })).headers.get('allow'), 'GET, HEAD, OPTIONS');
  });

  test('a web page may fetch the resume by its link, and ask whether the service is well', async () => {
    const page = { origin: 'https://page.example' };
    const { url } = (await (await service.get('/resume?format=pdf', page)).json()) as { url: string };
    const path = url.slice(service.baseUrl.length);
    const etag = (await service.ask(path)).headers.get('etag')!;
    for (const [headers, status] of [
      [{}, 200],
      [{ range: 'bytes=0-9' }, 206],
      [{ 'if-none-match': etag }, 304],
      [{ range: 'bytes=99999999-' }, 416],
    ] as [Record<string, string>, number][]) {
      const file = await service.ask(path, { headers: { ...page, ...headers } });
      assert.deepEqual([file.status, file.headers.get('access-control-allow-origin')], [status, '*']);
    }
    assert.match((await service.ask(path)).headers.get('access-control-expose-headers')!, /Content-Disposition/);
    for (const probe of ['/healthz', '/readyz'])
      assert.equal((await service.ask(probe, { headers: page })).headers.get('access-control-allow-origin'), '*');
  });

  test('a web page that asks for an unknown path reads that it is unknown', async () => {
    const page = { origin: 'https://page.example' };
    const asked = {
      ...page,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    };
    const preflight = await service.ask('/nowhere', { method: 'OPTIONS', headers: asked });
    assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, '*']);
    assert.match(preflight.headers.get('access-control-allow-headers')!, /^Authorization,/);
    const unknown = await service.get('/nowhere', page);
    assert.deepEqual([unknown.status, unknown.headers.get('access-control-allow-origin')], [404, '*']);
    assert.equal((await service.ask('/nowhere', { method: 'OPTIONS' })).status, 404);
    const desk = await service.ask('/desk/nowhere', { method: 'OPTIONS', headers: asked });
    assert.deepEqual([desk.status >= 400, desk.headers.get('access-control-allow-methods')], [true, null]);
  });
});

describe('authorization', () => {
  const protectedPaths = [
    '/candidate',
    '/experience',
    '/experience/exp_past',
    '/projects',
    '/projects/proj_plain',
    '/resume',
    '/contact/availability',
    '/availability',
  ];

  test('401 without a token, on every endpoint but POST /auth/token [SERVICE-2] [AUTH-3]', async () => {
    for (const path of protectedPaths) {
      const response = await service.ask(path);
      assert.equal(response.status, 401, path);
      assert.equal(await response.text(), unauthorized);
      assert.equal(
        response.headers.get('www-authenticate'),
        challenge('Bearer realm="candidate-profile"', '/.well-known/oauth-protected-resource'),
      );
    }
    assert.equal((await service.ask('/contact', postJson({}))).status, 401);
  });

  test('401 with an altered or invalid token [AUTH-4] [TRUST-2]', async () => {
    const { token } = service;
    const [head, payload, signature] = token.split('.');
    const flipped = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`;
    const others = [
      'x',
      flipped,
      `${token}=`,
      `${token} x`,
      `${head}.${payload}`,
      `${head}.${payload}.`,
      `${head}..${signature}`,
    ];
    for (const other of others) {
      const response = await service.ask('/candidate', { headers: { authorization: `Bearer ${other}` } });
      assert.equal(response.status, 401, other);
      assert.equal(await response.text(), unauthorized);
      assert.equal(
        response.headers.get('www-authenticate'),
        challenge('Bearer realm="candidate-profile", error="invalid_token"', '/.well-known/oauth-protected-resource'),
      );
    }
  });

  test('401 with another scheme, or a token in the query or a cookie [TRUST-4]', async () => {
    const basic = await service.ask('/candidate', { headers: { authorization: `Basic ${service.token}` } });
    assert.equal(basic.status, 401);
    assert.equal((await service.ask(`/candidate?access_token=${service.token}`)).status, 401);
    assert.equal(
      (await service.ask('/candidate', { headers: { cookie: `access_token=${service.token}` } })).status,
      401,
    );
  });

  test('the scheme is case-insensitive [AUTH-1]', async () => {
    const { token } = service;
    assert.equal((await service.ask('/candidate', { headers: { authorization: `bearer ${token}` } })).status, 200);
  });

  test('401 wins over 400, 404, 405 and 415', async () => {
    assert.equal((await service.ask('/experience?current=maybe')).status, 401);
    assert.equal((await service.ask('/experience/none')).status, 401);
    assert.equal((await service.ask('/candidate', { method: 'DELETE' })).status, 401);
    assert.equal((await service.ask('/contact', { method: 'POST', body: 'x' })).status, 401);
  });
});

describe('a token request', () => {
  test('with an address: a signed bearer token that every other endpoint accepts [AUTH-1] [AUTH-2] [TOKEN-1] [TOKEN-2] [REST-3]', async () => {
    const response = await service.ask('/auth/token', postJson({ email: ' Ada@Example.ORG ', extra: 1 }));
    assert.equal(response.status, 200);
    const body = (await response.json()) as Record<string, string>;
    assert.deepEqual(Object.keys(body), ['access_token', 'token_type']);
    assert.equal(body.token_type, 'Bearer');
    const [head, payload] = body
      .access_token!.split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(String(Buffer.from(part, 'base64url'))));
    assert.equal(head.alg, 'EdDSA');
    assert.equal(head.typ, 'at+jwt');
    assert.equal(payload.sub, 'Ada@example.org');
    assert.equal(payload.iss, 'http://127.0.0.1:3000');
    assert.equal(payload.aud, 'http://127.0.0.1:3000');
    assert.equal(payload.exp - payload.iat, 2_592_000);
    const opened = await service.ask('/candidate', { headers: { authorization: `Bearer ${body.access_token}` } });
    assert.equal(opened.status, 200);
  });

  test('without an address: email is required [ERROR-1] [ERROR-2] [ERROR-3]', async () => {
    const bodies = ['', 'null', '{}', '{"email":null}', '{"email":""}', '{"email":"  "}'];
    for (const body of bodies) {
      const response = await service.ask('/auth/token', { ...postJson({}), body });
      assert.equal(response.status, 400, body);
      assert.equal(await response.text(), badRequest('email is required'));
    }
    const absent = await service.ask('/auth/token', { method: 'POST' });
    assert.equal(await absent.text(), badRequest('email is required'));
  });

  test('an unknown field is ignored, as in the OpenAPI description', async () => {
    const request = { email: 'ada@example.org', nickname: 'Ada' };
    assert.equal((await service.ask('/auth/token', postJson(request))).status, 200);
    const { paths, components } = (await (await service.ask('/openapi.json')).json()) as OpenApi;
    const { schema } = paths['/auth/token'].post.requestBody.content['application/json'];
    const ajv = new Ajv2020({ strict: false }).addFormat('email', true);
    assert.equal(ajv.validate({ ...schema, components }, request), true, ajv.errorsText());
  });

  test('with an invalid address: email must be a valid email address [ERROR-4] [TRUST-7]', async () => {
    const others = [
      1,
      true,
      [],
      {},
      'x',
      'a@b',
      'a@x.org,b@x.org',
      'A <a@x.org>',
      'a(c)@x.org',
      '"<a@x.org>"@y.org',
      '"a\\b"@x.org',
      'a@[127.0.0.1]',
      'a\u200b@x.org',
      'a\u202e@x.org',
      `${'a'.repeat(65)}@x.org`,
      `a@${'b.'.repeat(130)}org`,
    ];
    for (const email of others) {
      const response = await service.ask('/auth/token', postJson({ email }));
      assert.equal(response.status, 400, JSON.stringify(email));
      assert.equal(await response.text(), badRequest('email must be a valid email address'));
    }
    for (const number of ['1e999', '-1e999', '9'.repeat(300)]) {
      const response = await service.ask('/auth/token', { ...postJson({}), body: `{"email":${number}}` });
      assert.equal(response.status, 400, number);
      assert.equal(await response.text(), badRequest('email must be a valid email address'));
    }
  });
});

describe('a contact request', () => {
  const request = {
    name: 'Ada',
    email: 'ada@example.org',
    company: 'Engines',
    message: 'Hello,\n\tcan we talk?\r\nAda',
  };

  test('is received and stored [REST-12] [CONTACT-1] [CONTACT-2]', async () => {
    const response = await service.post('/contact', { ...request, extra: 1 });
    assert.equal(response.status, 201);
    const body = (await response.json()) as Record<string, string>;
    assert.deepEqual(Object.keys(body), ['id', 'status']);
    assert.match(body.id!, /^contact_[0-9a-f]{32}$/);
    assert.equal(body.status, 'received');
  });

  test('the first wrong field is named [ERROR-7] [TRUST-8]', async () => {
    const long = (count: number) => 'x'.repeat(count);
    const cases: [unknown, string][] = [
      [null, 'name is required'],
      [{}, 'name is required'],
      [{ ...request, name: null, email: 'x' }, 'name is required'],
      [{ ...request, name: ' ' }, 'name is required'],
      [{ ...request, name: 1 }, 'name must be a string'],
      [{ ...request, name: long(201) }, 'name must be at most 200 characters'],
      [{ ...request, name: 'a\nb' }, 'name must not contain control characters'],
      [{ ...request, name: 'a\u2028b' }, 'name must not contain control characters'],
      [{ ...request, email: undefined }, 'email is required'],
      [{ ...request, email: [] }, 'email must be a string'],
      [{ ...request, email: 'x' }, 'email must be a valid email address'],
      [{ ...request, email: `${long(250)}@x.org` }, 'email must be at most 254 characters'],
      [{ ...request, company: '' }, 'company is required'],
      [{ ...request, company: 'a\u0000' }, 'company must not contain control characters'],
      [{ ...request, message: long(10_001) }, 'message must be at most 10000 characters'],
      [{ ...request, message: 'a\u0007' }, 'message must not contain control characters'],
      [{ ...request, message: 'a\rb' }, 'message must not contain control characters'],
    ];
    for (const [body, message] of cases) {
      const response = await service.post('/contact', body);
      assert.equal(response.status, 400, message);
      assert.equal(await response.text(), badRequest(message));
    }
  });

  test('length is counted in code points, not UTF-16 units', async () => {
    assert.equal((await service.post('/contact', { ...request, name: '🙂'.repeat(200) })).status, 201);
    assert.equal((await service.post('/contact', { ...request, name: '🙂'.repeat(201) })).status, 400);
  });
});

describe('invalid requests', () => {
  test('current must be true or false, once [ERROR-5] [TRUST-24]', async () => {
    for (const query of [
      'current=TRUE',
      'current=1',
      'current=yes',
      'current=',
      'current',
      'current=true&current=true',
      'current[]=true',
    ]) {
      const response = await service.get(`/experience?${query}`);
      assert.equal(response.status, 400, query);
      assert.equal(await response.text(), badRequest('current must be true or false'));
    }
  });

  test('format must be json or pdf, once [ERROR-6]', async () => {
    for (const query of ['format=PDF', 'format=xml', 'format=', 'format=json&format=json', 'format[]=pdf']) {
      const response = await service.get(`/resume?${query}`);
      assert.equal(response.status, 400, query);
      assert.equal(await response.text(), badRequest('format must be json or pdf'));
    }
  });

  test('an unknown id is not found [REST-7] [ERROR-8] [TRUST-18]', async () => {
    for (const path of [
      '/experience/none',
      '/projects/none',
      '/experience/%zz',
      '/experience/..%2f',
      '/experience/%00',
      '/projects/__proto__',
      `/experience/${'x'.repeat(8000)}`,
    ]) {
      const response = await service.get(path);
      assert.equal(response.status, 404, path);
      assert.equal(await response.text(), notFound);
    }
  });

  test('an unknown path is not found, with a token and without', async () => {
    for (const path of ['/nothing', '/experience/exp_past/roles', '/Candidate']) {
      assert.equal(await (await service.get(path)).text(), notFound);
      const response = await service.ask(path, { method: 'DELETE' });
      assert.equal(response.status, 404);
      assert.equal(await response.text(), notFound);
    }
  });

  test('a wrong method is answered with the allowed ones [TRUST-23]', async () => {
    const cases = [
      ['/candidate', 'DELETE', 'GET, HEAD, OPTIONS'],
      ['/contact', 'GET', 'POST, OPTIONS'],
      ['/contact', 'PUT', 'POST, OPTIONS'],
      ['/auth/token', 'GET', 'POST, OPTIONS'],
      ['/openapi.json', 'POST', 'GET, HEAD, OPTIONS'],
    ] as const;
    for (const [path, method, allow] of cases) {
      const response = await service.ask(path, { method, headers: { authorization: `Bearer ${service.token}` } });
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.equal(response.headers.get('allow'), allow);
      assert.equal(
        await response.text(),
        '{"error":{"code":"METHOD_NOT_ALLOWED","message":"This method is not allowed here."}}',
      );
    }
  });

  test('a wrong method is recorded once, under the operation of the path', async () => {
    const calls: CallRecord[] = [];
    const rest = restOf(operations, { ...service.opened.services, record: (call) => void calls.push(call) });
    const authorization = `Bearer ${service.token}`;
    const { jti } = JSON.parse(String(Buffer.from(service.token.split('.')[1]!, 'base64url')));
    for (const [method, path, headers] of [
      ['DELETE', '/candidate', { authorization }],
      ['QUERY', `/experience/${'x'.repeat(100)}`, { authorization }],
      ['DELETE', '/candidate', {}],
      ['GET', '/auth/token', {}],
      ['POST', '/contact', {}],
    ] as const)
      await rest.fetch(new Request(service.baseUrl + path, { method, headers }), {
        address: '192.0.2.1',
        requestId: `${method} ${path.slice(0, 13)}`,
      });
    await rest.fetch(new Request(`${service.baseUrl}/projects`, { method: 'PUT' }), { address: null, requestId: null });
    assert.deepEqual(
      calls.map(({ milliseconds: _, ...call }) => Object.values(call)),
      [
        ['get_candidate', 'rest', jti, 'METHOD_NOT_ALLOWED', 'DELETE /candidate'],
        ['get_experience', 'rest', jti, 'METHOD_NOT_ALLOWED', 'QUERY /experience/x'],
        ['get_candidate', 'rest', 'anonymous', 'UNAUTHORIZED', 'DELETE /candidate'],
        ['create_auth_token', 'rest', 'anonymous', 'METHOD_NOT_ALLOWED', 'GET /auth/token'],
        ['create_contact', 'rest', 'anonymous', 'UNAUTHORIZED', 'POST /contact'],
        ['list_projects', 'rest', 'anonymous', 'UNAUTHORIZED'],
      ],
    );
  });

  test('a path with one public method does not show a client without a token its other methods', async () => {
    const [open, read] = ['create_auth_token', 'get_candidate'].map(
      (name) => operations.find((one) => one.name === name)!,
    );
    const rest = restOf([open!, { ...read!, rest: { method: 'GET', path: '/auth/token' } }], service.opened.services);
    const response = await rest.fetch(new Request(`${service.baseUrl}/auth/token`, { method: 'DELETE' }), {
      address: null,
      requestId: null,
    });
    assert.equal(response.status, 401);
  });

  test('an unexpected error is not answered as an expected failure', async () => {
    const { services } = service.opened;
    const verify = () => Promise.reject(new Error('disk I/O error'));
    const rest = restOf(operations, { ...services, tokens: { ...services.tokens, verify } });
    const faults: Error[] = [];
    rest.onError((error) => {
      faults.push(error);
      return new Response();
    });
    const headers = { authorization: `Bearer ${service.token}` };
    await rest.fetch(new Request(`${service.baseUrl}/candidate`, { headers }), { address: null, requestId: null });
    assert.deepEqual(
      faults.map(({ message }) => message),
      ['disk I/O error'],
    );
  });

  test('a body that is not a JSON object [TRUST-14] [TRUST-17]', async () => {
    const nested = `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`;
    const cases: [BodyInit, string][] = [
      ['{', 'Request body must be valid JSON'],
      ['true', 'Request body must be a JSON object'],
      [new Uint8Array([0x22, 0xff, 0x22]), 'Request body must be valid JSON'],
      ['{"email":"\\ud800@x.org"}', 'Request body must be valid JSON'],
      ['{"email":"ada@example.org","\\udc00":1}', 'Request body must be valid JSON'],
      ['{"email":"ada@example.org","a":{"\\ud800":1}}', 'Request body must be valid JSON'],
      ['[]', 'Request body must be a JSON object'],
      ['"x"', 'Request body must be a JSON object'],
      ['1', 'Request body must be a JSON object'],
      [nested, 'Request body is nested too deeply'],
    ];
    for (const [body, message] of cases) {
      const response = await service.ask('/auth/token', { ...postJson({}), body });
      assert.equal(response.status, 400, message);
      assert.equal(await response.text(), badRequest(message));
    }
    const atTheLimit = `{"email":"ada@example.org","a":${'['.repeat(15)}1${']'.repeat(15)}}`;
    assert.equal((await service.ask('/auth/token', { ...postJson({}), body: atTheLimit })).status, 200);
  });

  test('another content type, none, or any content encoding [TRUST-15] [TRUST-16]', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/jsonp' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { 'content-type': 'application/json', 'content-encoding': 'identity' },
    ]) {
      const response = await service.ask('/auth/token', {
        ...postJson({}),
        headers,
        body: '{"email":"ada@example.org"}',
      });
      assert.equal(response.status, 415, JSON.stringify(headers));
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'UNSUPPORTED_MEDIA_TYPE');
    }
    for (const charset of ['charset=utf-8', 'CHARSET="UTF-8"', 'charset=utf8', 'charset=us-ascii', 'v=1']) {
      const headers = { 'content-type': `Application/JSON; ${charset}` };
      const body = '{"email":"ada@example.org"}';
      assert.equal((await service.ask('/auth/token', { ...postJson({}), headers, body })).status, 200, charset);
    }
  });

  test('another charset than UTF-8 is refused, and not read as UTF-8', async () => {
    const body = Buffer.from('{"email":"ada@example.org"}', 'utf16le');
    const message = 'Request body must be application/json in UTF-8';
    for (const charset of ['utf-16', '"UTF-16LE"', ' iso-8859-1', 'utf-7']) {
      const headers = { 'content-type': `application/json; v=1; charset=${charset}` };
      const response = await service.ask('/auth/token', { method: 'POST', headers, body });
      assert.deepEqual(
        [response.status, await response.json()],
        [415, { error: { code: 'UNSUPPORTED_MEDIA_TYPE', message } }],
      );
    }
  });

  test('a body over 64 KiB [TRUST-13]', async () => {
    const sized = (bytes: number) => ({
      ...postJson({}),
      body: `{"email":"ada@example.org","x":"${'x'.repeat(bytes - 34)}"}`,
    });
    assert.equal((await service.ask('/auth/token', sized(65_536))).status, 200);
    const response = await service.ask('/auth/token', sized(65_537));
    assert.equal(response.status, 413);
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'PAYLOAD_TOO_LARGE');
  });

  test('inherited keys are ignored, and of duplicate keys the last one counts [TRUST-17]', async () => {
    const inherited = await service.ask('/auth/token', {
      ...postJson({}),
      body: '{"__proto__":{"email":"ada@example.org"}}',
    });
    assert.equal(await inherited.text(), badRequest('email is required'));
    const twice = await service.ask('/auth/token', {
      ...postJson({}),
      body: '{"email":"ada@example.org","email":"x"}',
    });
    assert.equal(await twice.text(), badRequest('email must be a valid email address'));
  });
});
