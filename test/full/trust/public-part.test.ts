import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { askForEverything, browser, initialize, listOfResources, mcp } from '../../support/every-path.ts';
import { newFolder } from '../../support/files.ts';
import { openPrinterHere } from '../../support/in-place.ts';
import { openTestService } from '../../support/in-process.ts';
import { postJson } from '../../support/post-json.ts';
import { candidateFields, secretProfile } from '../../support/secret-profile.ts';

type Service = Awaited<ReturnType<typeof openTestService>>;

const folder = newFolder({ after });
const PROFILE = join(folder, 'profile.json');
let key: string | undefined;

/** Opens a service with a profile. All have one key, so that only the profile tells them apart. */
async function openWith({ profile }: ReturnType<typeof secretProfile>, t: TestContext): Promise<Service> {
  writeFileSync(PROFILE, JSON.stringify(profile));
  const service = await openTestService(
    { PROFILE, ...(key !== undefined && { SIGNING_KEY: key }) },
    { openPrinter: openPrinterHere },
  );
  t.after(service.close);
  key ??= readFileSync(join(service.folder, 'signing-key.json'), 'utf8');
  return service;
}

const ours = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };

/** Returns the requests that somebody without a token may try at a path; `formToken` is one that a page gave out. */
const attempts = (formToken: string): readonly RequestInit[] => [
  ...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].flatMap((method) => [
    { method, headers: browser },
    { method, headers: { accept: 'application/json' } },
    { method, headers: { accept: 'text/markdown' } },
  ]),
  { headers: { authorization: 'Bearer nonsense' } },
  { headers: { authorization: 'Bearer nonsense', accept: 'text/markdown' } },
  { headers: { cookie: `desk=nonsense; __Host-desk=nonsense; visitor=${'x'.repeat(43)}`, accept: browser.accept } },
  { headers: { cookie: `visitor=${'x'.repeat(43)}`, 'sec-fetch-site': 'same-origin' } },
  { headers: { 'if-none-match': '*', range: 'bytes=0-9' } },
  { headers: { accept: 'text/event-stream' } },
  postJson({}),
  postJson({ email: 'no address', id: 1 }),
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
  { method: 'POST', headers: mcp, body: JSON.stringify(initialize) },
  listOfResources,
  ...[`form_token=${formToken}&`, 'form_token=1.bad&', ''].flatMap((start) => [
    { method: 'POST', headers: { ...browser, ...ours }, body: `${start}email=nobody&token=x.y.z&name=n&message=m` },
    { method: 'POST', headers: { ...browser, ...ours, 'sec-fetch-site': 'cross-site' }, body: start },
  ]),
];

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
  const schema = JSON.parse(readFileSync(new URL('../../../profile.schema.json', import.meta.url), 'utf8')) as Schema;
  // Of these, a value says nothing of the candidate.
  const harmless = [
    '$schema',
    'accent',
    'resume.order',
    'resume.language',
    'resume.page_hides',
    ...['', '.page', '.pdf', '.word', '.programs'].map((medium) => `resume.hides${medium}`),
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

const asStranger = { attempts, authorizations: [null, 'Bearer nonsense'] };

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
    const answers = await askForEverything(service, ids, asStranger);
    const otherService = await openWith(other, t);
    const otherAnswers = await askForEverything(otherService, ids, asStranger);

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
