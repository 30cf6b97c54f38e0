import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { readDocx } from '../support/docx.ts';
import { askForEverything, browser, initialize, listOfResources, mcp } from '../support/every-path.ts';
import { newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { openVisitor } from '../support/pages.ts';
import { pdfContents } from '../support/pdf-contents.ts';
import { postJson } from '../support/post-json.ts';
import { type Hiding, hidings, viewName, viewSecrets } from '../support/view-secrets.ts';

type Service = Awaited<ReturnType<typeof openTestService>>;

const folder = newFolder({ after });
const PROFILE = join(folder, 'profile.json');
let key: string | undefined;

/** Opens a service with a profile, and a reader of its view: with a token, and with a session of the page. */
async function openReader(hiding: Hiding, salt: number, t: TestContext) {
  writeFileSync(PROFILE, JSON.stringify(viewSecrets(hiding, salt)));
  const settings = { PROFILE, READER_RECORD: 'off', MCP_MUTATIONS: 'true', ...(key && { SIGNING_KEY: key }) };
  const service = await openTestService(settings);
  t.after(service.close);
  key ??= readFileSync(join(service.folder, 'signing-key.json'), 'utf8');
  const visitor = openVisitor(service);
  await visitor.getAccess();
  const { store, tokens } = service.opened;
  const read = hiding === 'public' ? 'public' : viewName;
  for (const { jti } of await store.tokens.listUnexpired(new Date()))
    await tokens.setView({ kind: 'jti', jti }, hiding === 'gone' ? 'gone' : read);
  return { service, cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; ') };
}

const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const tools = ['get_candidate', 'list_experience', 'list_projects', 'get_resume', 'get_background', 'get_availability'];
const messages = [
  ...['tools/list', 'resources/list', 'prompts/list'].map((method) => rpc(method)),
  ...tools.map((name) => rpc('tools/call', { name, arguments: {} })),
  ...['exp_hidden', 'proj_hidden'].flatMap((id) =>
    ['get_experience', 'get_project'].map((name) => rpc('tools/call', { name, arguments: { id } })),
  ),
  rpc('tools/call', { name: 'get_resume', arguments: { format: 'pdf' } }),
  rpc('prompts/get', { name: 'candidate_profile_summary', arguments: {} }),
  ...['candidate', 'experience', 'projects', 'resume/json', 'background'].map((path) =>
    rpc('resources/read', { uri: `candidate-profile://profile/${path}` }),
  ),
];

/** Returns the requests that a reader may try at a path. */
const attemptsOf = (authorization: string, cookie: string) => (): readonly RequestInit[] => [
  ...['GET', 'HEAD', 'OPTIONS', 'PUT', 'PROPFIND'].map((method) => ({ method, headers: { authorization } })),
  { headers: { authorization, 'if-none-match': '*', range: 'bytes=0-9' } },
  { headers: { authorization, ...browser, cookie } },
  { method: 'HEAD', headers: { ...browser, cookie } },
  postJson({}, { authorization }),
  postJson({ email: 'no address', id: 1 }, { authorization }),
  { method: 'POST', headers: { authorization, ...mcp }, body: JSON.stringify(initialize) },
  { ...listOfResources, headers: { ...listOfResources.headers, authorization } },
];

/** Returns what a reader is answered, by what was asked. */
async function answersTo({ service, cookie }: Awaited<ReturnType<typeof openReader>>): Promise<Map<string, string>> {
  const authorization = `Bearer ${service.token}`;
  const ids = ['exp_hidden', 'proj_hidden', 'exp_shown', 'proj_shown'];
  const asking = { attempts: attemptsOf(authorization, cookie), authorizations: [authorization] };
  const answers = await askForEverything(service, ids, asking);
  for (const body of messages) {
    const response = await service.ask('/mcp', { method: 'POST', headers: { authorization, ...mcp }, body });
    answers.set(`MCP ${body}`, `${response.headers.get('content-length')} ${await response.text()}`);
  }
  for (const [name, contents] of await filesOf(service, answers, cookie)) answers.set(name, contents);
  return new Map([...answers].map(([asked, answer]) => [masked(asked), masked(answer)]));
}

/** The contents of the files that the page links to. */
async function filesOf(service: Service, answers: ReadonlyMap<string, string>, cookie: string) {
  const files: [string, string][] = [];
  const page = answers.get('GET /, attempt 6')!;
  for (const [, path = ''] of page.matchAll(/href="(\/files\/[^"]+|\/profile\/(?:pdf|docx))"/g)) {
    let response = await service.ask(path.replaceAll('&amp;', '&'), {
      headers: { cookie, ...browser },
      redirect: 'manual',
    });
    const to = response.headers.get('location');
    if (to !== null) response = await service.ask(to.replace(service.baseUrl, ''));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const type = response.headers.get('content-type')!;
    const contents = type.startsWith('text/')
      ? String(Buffer.from(bytes))
      : type === 'application/pdf'
        ? await pdfContents(bytes)
        : JSON.stringify(readDocx(bytes));
    files.push([`contents of ${path}`, `${response.headers.get('content-disposition')} ${contents}`]);
  }
  return files;
}

/** Without what differs between two services that say the same. */
const masked = (answer: string): string =>
  answer
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'INSTANT')
    .replaceAll(/\b(contact_)?[0-9a-f]{32}\b/g, 'ID')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
    .replaceAll(/(visitor|typed)=[^;\s]+/g, 'COOKIE');

function firstDifference(one: string, other = ''): string {
  const at = [...one].findIndex((character, index) => character !== other[index]);
  return `${one.slice(Math.max(0, at - 60), at + 40)} | ${other.slice(Math.max(0, at - 60), at + 40)}`;
}

for (const hiding of hidings)
  test(`a reader is answered nothing of what a view hides, however it hides it: ${hiding}`, async (t) => {
    const one = await openReader(hiding, 1, t);
    const answers = await answersTo(one);
    const whole = await one.service.opened.services.edition(null);
    assert.match(JSON.stringify(whole.profile), /zqsecret1/);
    const others = await answersTo(await openReader(hiding, 2, t));

    const leaks = [...answers].flatMap(([asked, answer]) => {
      const found = [...answer.matchAll(/zqsecret\S*|zqname/g)].map(String);
      return found.length > 0 || answer !== others.get(asked)
        ? [`${asked}: ${found} ${firstDifference(answer, others.get(asked))}`]
        : [];
    });
    assert.deepEqual(leaks, []);
    assert.equal(others.size, answers.size);
    const isPublic = hiding === 'public' || hiding === 'gone';
    assert.match(answers.get(`MCP ${messages[4]}`)!, isPublic ? /"data":\[\]/ : /Shown company/);
    const mails = globSync(join(one.service.folder, 'mail/**/*.eml')).map((path) => readFileSync(path, 'utf8'));
    assert.doesNotMatch(mails.join('\n'), /zqname/);
  });
