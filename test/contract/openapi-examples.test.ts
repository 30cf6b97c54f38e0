import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { samplePath } from '../../src/service/config/config.ts';
import { openTestService } from '../support/in-process.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Body {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly { name?: string; in?: string; example?: unknown }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

const service = await openTestService({ PROFILE: samplePath });
after(() => service.close());
const document = await (await service.ask('/openapi.json')).json();

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema(document, 'openapi');

/** The examples of a response of an operation. */
const examplesOf = (operationId: string, status: number) =>
  Object.values(
    examplesIn(described.find(({ operation }) => operation.operationId === operationId)!.operation.responses[status]),
  );

const described = Object.entries<Record<string, Described>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** The values of the examples of a body, by their names. */
const examplesIn = ({ $ref, content }: Body = {}): Record<string, unknown> => {
  const names = $ref?.split('/').slice(1);
  if (names !== undefined) return examplesIn(names.reduce((part, name) => part[name], document));
  const { example, examples = {} } = content?.['application/json'] ?? ({} as Media);
  const values = Object.entries(examples).map(([name, { value }]) => [name, value]);
  return Object.fromEntries(example === undefined ? values : [['example', example]]);
};

/** Makes equal what differs from one answer to the next. */
const withoutChance = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (key, value) => {
    if (key === 'reads' || key === 'total') return 'RECORDED';
    return typeof value === 'string'
      ? value
          .replace(/^eyJ[\w-]+\.[\w.-]+$/, 'TOKEN')
          .replace(/^contact_[0-9a-f]{32}$/, 'CONTACT')
          .replace(/expires=\d+&signature=[\w-]+$/, 'SIGNED')
      : value;
  });

/** The request that an example was made with, from its name and the examples of the parameters. */
async function askAsIn(
  path: string,
  method: string,
  { operationId, parameters = [], requestBody }: Described,
  name: string,
) {
  const given = examplesIn(requestBody)[name];
  const [, field, value] = /^([a-z]+)_(.+)$/.exec(name) ?? [];
  const filled = parameters.reduce((text, one) => text.replace(`{${one.name}}`, String(one.example)), path);
  const query = parameters.some(({ in: place, name }) => place === 'query' && name === field)
    ? `?${field}=${value}`
    : '';
  assert.ok(method !== 'POST' || given !== undefined, operationId);
  return method === 'POST' ? service.post(filled, given) : service.get(filled + query);
}

for (const { path, method, operation } of described) {
  const [status = ''] = Object.keys(operation.responses);

  test(`the examples of ${operation.operationId} are what the service answers for the sample profile`, async () => {
    const examples = Object.entries(examplesIn(operation.responses[status]));
    assert.ok(examples.length > 0 || status === '204');
    for (const [name, example] of examples) {
      const response = await askAsIn(path, method, operation, name);
      assert.equal(response.status, Number(status), name);
      assert.deepEqual(withoutChance(example), withoutChance(await response.json()), name);
    }
  });

  test(`each example of ${operation.operationId} is valid against its schema`, () => {
    const bodies = { ...operation.responses, ...(operation.requestBody && { request: operation.requestBody }) };
    for (const [name, body] of Object.entries(bodies)) {
      const pointer =
        body.$ref ??
        `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/${name === 'request' ? 'requestBody' : `responses/${name}`}`;
      const examples = Object.values(examplesIn(body));
      if (examples.length === 0) continue;
      const validate = ajv.compile({
        $ref: `openapi${pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')}/content/application~1json/schema`,
      });
      for (const example of examples) assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`);
    }
  });
}

test('a wrong request is answered as the examples of 400 say', async () => {
  const get = async (path: string) => (await (await service.get(path)).json()) as object;
  const post = async (path: string, body: unknown) => (await (await service.post(path, body)).json()) as object;
  assert.deepEqual(examplesOf('list_experience', 400), [await get('/experience?current=maybe')]);
  assert.deepEqual(examplesOf('get_resume', 400), [await get('/resume?format=doc')]);
  assert.deepEqual(examplesOf('create_auth_token', 400), [
    await post('/auth/token', {}),
    await post('/auth/token', { email: 'ada@' }),
  ]);
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  const wrong = [
    ...[{ name: undefined }, { name: 1 }, { name: 'x'.repeat(201) }, { name: '\0' }],
    ...[{ email: 'ada@' }, { email: 'x'.repeat(255) }, { message: 'x'.repeat(10_001) }],
  ];
  const answers = await Promise.all(wrong.map((changes) => post('/contact', { ...contact, ...changes })));
  assert.deepEqual(examplesOf('create_contact', 400), answers);
});

test('the token in the examples is none, and the sample is shown whatever profile is served', async () => {
  const [{ access_token: token }] = examplesOf('create_auth_token', 200) as [{ access_token: string }];
  assert.match(token, /NOT-A-REAL-TOKEN/);
  const own = await openTestService();
  try {
    assert.equal((await own.ask('/candidate', { headers: { authorization: `Bearer ${token}` } })).status, 401);
    assert.deepEqual(await (await own.ask('/openapi.json')).json(), document);
  } finally {
    await own.close();
  }
});

test('every operation has a tag that is described, and shared responses, parameters and headers', () => {
  const tags = document.tags.map(({ name, description }: Record<string, string>) => [name, description !== '']);
  for (const { operation } of described)
    assert.ok(tags.some(([name, isDescribed]: [string, boolean]) => isDescribed && operation.tags[0] === name));
  const { responses, parameters, headers } = document.components;
  assert.deepEqual(Object.keys(headers), ['ETag', 'Retry-After', 'WWW-Authenticate']);
  assert.deepEqual(Object.keys(parameters), ['IfNoneMatch', 'IdempotencyKey']);
  assert.deepEqual(responses.Unauthorized.content['application/json'].example, {
    error: { code: 'UNAUTHORIZED', message: 'A valid bearer token is required' },
  });
});

test('the document names the two texts that current takes, and no other text is accepted', async () => {
  const current = document.paths['/experience'].get.parameters.find(
    ({ name }: { name?: string }) => name === 'current',
  );
  assert.deepEqual(current.schema, { type: 'boolean', enum: [true, false] });
  const statusFor = async (text: string) => (await service.get(`/experience?current=${text}`)).status;
  assert.deepEqual([await statusFor('true'), await statusFor('false')], [200, 200]);
  assert.deepEqual([await statusFor('True'), await statusFor('1')], [400, 400]);
});

test('an address of the format that the document names is accepted, also with letters beyond ASCII', async () => {
  for (const name of ['TokenRequest', 'ContactRequest'])
    assert.equal(document.components.schemas[name].properties.email.format, 'email', name);
  const isOfFormat = ajv.compile({ $ref: 'openapi#/components/schemas/TokenRequest' });
  const statusFor = async (email: string) => (await service.post('/auth/token', { email })).status;
  for (const email of ['ada@example.org', 'A+b@EXAMPLE.org', "o'hara`{1}=@example.org", 'a@xn--bcher-kva.example'])
    assert.deepEqual([isOfFormat({ email }), await statusFor(email)], [true, 200], email);
  for (const email of ['ada', 'ada@', 'ada@localhost', 'a..b@example.org', 'a@[127.0.0.1]', '"a b"@example.org'])
    assert.deepEqual([isOfFormat({ email }), await statusFor(email)], [false, 400], email);
  for (const email of ['josé@example.org', 'ada@bücher.example'])
    assert.deepEqual([isOfFormat({ email }), await statusFor(email)], [false, 200], email);
});
