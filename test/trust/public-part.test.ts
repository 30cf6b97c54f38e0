import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { postJson } from '../support/post-json.ts';
import { candidateFields, secretProfile } from '../support/secret-profile.ts';

type Service = Awaited<ReturnType<typeof openTestService>>;

const folder = newFolder({ after });
const PROFILE = join(folder, 'profile.json');
let key: string | undefined;

/** Opens a service with a profile. All have one key, so that only the profile tells them apart. */
async function openWith({ profile }: ReturnType<typeof secretProfile>, t: TestContext): Promise<Service> {
  writeFileSync(PROFILE, JSON.stringify(profile));
  const service = await openTestService({ PROFILE, ...(key !== undefined && { SIGNING_KEY: key }) });
  t.after(service.close);
  key ??= readFileSync(join(service.folder, 'signing-key.json'), 'utf8');
  return service;
}

const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip',
};
const ours = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
const mcp = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const modern = { ...mcp, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'resources/list' };

/** Returns the requests that somebody without a token may try at a path; `formToken` is one that a page gave out. */
const attempts = (formToken: string): readonly RequestInit[] => [
  ...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].flatMap((method) => [
    { method, headers: browser },
    { method, headers: { accept: 'application/json' } },
  ]),
  { headers: { authorization: 'Bearer nonsense' } },
  { headers: { cookie: `desk=nonsense; __Host-desk=nonsense; visitor=${'x'.repeat(43)}`, accept: browser.accept } },
  { headers: { 'if-none-match': '*', range: 'bytes=0-9' } },
  { headers: { accept: 'text/event-stream' } },
  postJson({}),
  postJson({ email: 'no address', id: 1 }),
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
  { method: 'POST', headers: mcp, body: JSON.stringify(initialize) },
  { method: 'POST', headers: modern, body: '{"jsonrpc":"2.0","id":1,"method":"resources/list"}' },
  ...[`form_token=${formToken}&`, 'form_token=1.bad&', ''].flatMap((start) => [
    { method: 'POST', headers: { ...browser, ...ours }, body: `${start}email=nobody&token=x.y.z&name=n&message=m` },
    { method: 'POST', headers: { ...browser, ...ours, 'sec-fetch-site': 'cross-site' }, body: start },
  ]),
];

/** Every path that is routed, with ids of the profile and with another one; and paths that are not. */
const pathsOf = async ({ app }: Service, ids: readonly string[]): Promise<readonly string[]> => {
  const routed = (await app.routes()).flatMap(({ path }) =>
    [...ids, 'nothing'].map((value) => path.replaceAll(/\{[^}]*\}|[?]/g, '').replaceAll(/:\w+|\*/g, value)),
  );
  const others = ['/nothing', '/profile.yaml', '/.env', '/favicon.ico', '/metrics', '/docs/mcp', '/desk/nothing'];
  const spellings = [
    '/candidate/',
    '/%63andidate',
    '//candidate',
    '/desk/../candidate',
    '/experience/%2e%2e/candidate',
  ];
  const queries = [
    '/candidate?access_token=x',
    '/?public=summary',
    '/og.png?v=summary',
    '/resume?format=pdf&format=json',
  ];
  return [...new Set([...routed, ...others, ...spellings, ...queries])];
};

/** An answer as text, headers included, without what differs between two services: what is random in forms and their cookie, and the data folder. */
async function read(response: Response, dataFolder: string): Promise<string> {
  const sent = Buffer.from(await response.arrayBuffer());
  const isGzip = sent.length > 0 && response.headers.get('content-encoding') === 'gzip';
  const body = (isGzip ? gunzipSync(sent) : sent).toString('latin1');
  const headers = [...response.headers].map(
    ([name, value]) => `${name}: ${value.replace(/^kept=[\w-]{36};/, 'kept=RANDOM;')}`,
  );
  const same = body
    .replaceAll(/"\d{13}\.[\w-]{43}"/g, '"FORM TOKEN"')
    .replaceAll(/name="idempotency_key" value="[0-9a-f]{32}"/g, 'name="idempotency_key"')
    .replaceAll(dataFolder, 'DATA FOLDER');
  return [response.status, ...headers, '', same].join('\n');
}

/** The paths of ours that an answer refers to. */
const linksIn = (answer: string, baseUrl: string): string[] =>
  [...answer.matchAll(/(?:href|src|action)="([^"]+)"/g)].flatMap(([, link]) => {
    const { origin, pathname, search } = new URL(link!.replaceAll('&amp;', '&'), baseUrl);
    return origin === baseUrl ? [pathname + search] : [];
  });

/** Asks without a token for every path, and for what the answers refer to; returns each attempt with its answer. */
async function askForEverything(service: Service, ids: readonly string[]): Promise<Map<string, string>> {
  const { app, baseUrl } = service;
  const landing = await (await service.ask('/', { headers: browser })).text();
  const formToken = /name="form_token" value="([^"]+)"/.exec(landing)![1]!;
  const answers = new Map<string, string>();
  const paths = new Set(await pathsOf(service, ids));
  for (const path of paths) {
    // Read before by a visitor, so that what is remembered could be given out.
    await (await service.get(path)).arrayBuffer();
    for (const authorization of [null, 'Bearer nonsense']) {
      const head = { host: new URL(baseUrl).host, target: path, authorization, ifNoneMatch: null, userAgent: null };
      const reply = app.replyAtOnce(head, { address: '192.0.2.1', requestId: null });
      answers.set(`${path} at once, ${authorization}`, JSON.stringify(reply));
    }
    for (const [index, attempt] of attempts(formToken).entries()) {
      // The desk's forms lead back to the path that was asked for, and the address of a form leads to its page: so the answer repeats it.
      const answer = (await read(await service.ask(path, attempt), service.folder))
        .replaceAll(`"${path}"`, '"PATH"')
        .replace(/^location: (.+)$/m, (line, to) => (path.startsWith(`${to}/`) ? 'location: ABOVE PATH' : line));
      answers.set(`${attempt.method ?? 'GET'} ${path}, attempt ${index}`, answer);
      for (const link of linksIn(answer, baseUrl)) paths.add(link);
    }
  }
  return answers;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The paths of all fields that a schema has. */
const fieldsOf = ({ properties = {}, items, anyOf = [] }: Schema): string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [name, ...fieldsOf(field).map((rest) => `${name}.${rest}`)]),
  ...(items === undefined ? [] : fieldsOf(items)),
  ...anyOf.flatMap(fieldsOf),
];

/** The paths of all fields that a value has. */
const fieldsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(fieldsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...fieldsIn(field).map((rest) => `${name}.${rest}`)]);
};

test('the profile whose secrets are looked for has every field that a profile can have', () => {
  const has = new Set(fieldsIn([1, 2].map((salt) => secretProfile([], salt).profile)));
  const schema = JSON.parse(readFileSync(new URL('../../profile.schema.json', import.meta.url), 'utf8')) as Schema;
  // Of these, a value says nothing of the candidate.
  const harmless = [
    '$schema',
    'accent',
    'resume.order',
    'resume.language',
    'resume.page_hides',
    'resume.downloads',
    'resume.experience_order',
    'resume.publication_style',
    'resume.theme',
    'resume.paper',
    'resume.font',
    'resume.size',
    'resume.margins',
    'resume.accent',
    'resume.pages',
  ];
  const missing = fieldsOf(schema).filter((field) => !has.has(field) && !harmless.includes(field));
  assert.deepEqual([...new Set(missing)], []);
});

for (const open of [
  [],
  ['name', 'title'],
  ['id', 'location', 'summary', 'years_experience', 'domains'],
  candidateFields,
] as const)
  test(`without a token, no path and no method answers with more of the profile than: ${open.join(', ') || 'nothing'} [TRUST-45]`, async (t) => {
    const one = secretProfile(open, 1);
    const other = secretProfile(open, 2);
    const ids = [one, other].flatMap(({ profile }) => [profile.experience[0]!.id, profile.projects[0]!.id]);
    const service = await openWith(one, t);
    assert.match(await (await service.get('/experience')).text(), /zqsecret1/);
    const answers = await askForEverything(service, ids);
    const otherService = await openWith(other, t);
    const otherAnswers = await askForEverything(otherService, ids);

    const leaks = [...answers].flatMap(([attempt, answer]) => {
      const found = one.secrets.filter((secret) => answer.toLowerCase().includes(secret));
      return found.length > 0 || answer !== otherAnswers.get(attempt) ? [`${attempt}: ${found}`] : [];
    });
    assert.deepEqual(leaks, []);
    assert.equal(otherAnswers.size, answers.size);
    assert.equal(
      /Shown Name/.test(answers.get('GET /, attempt 0')!),
      open.some((field) => field === 'name'),
    );
  });
