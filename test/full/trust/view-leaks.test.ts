import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { after, test } from 'node:test';
import PostalMime from 'postal-mime';
import { replyToContact } from '../../../src/operations/owner/contacts.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import { readDocx } from '../../support/docx.ts';
import { askForEverything, browser, initialize, listOfResources, mcp } from '../../support/every-path.ts';
import { newFolder } from '../../support/files.ts';
import { openPrinterHere } from '../../support/in-place.ts';
import { openTestService } from '../../support/in-process.ts';
import { openVisitor } from '../../support/pages.ts';
import { pdfContents } from '../../support/pdf-contents.ts';
import { postJson } from '../../support/post-json.ts';
import { eventually } from '../../support/process.ts';
import { type Hiding, hidings, viewName, viewSecrets } from '../../support/view-secrets.ts';

type Service = Awaited<ReturnType<typeof openTestService>>;
type Reader = Awaited<ReturnType<typeof openReader>>;

const folder = newFolder({ after });
const PROFILE = join(folder, 'profile.json');
let key: string | undefined;

/** How a reader comes: with an address, whose tokens the owner has given the view, or by a link to the view. */
const ways = ['with an address', 'by a link'] as const;
type Way = (typeof ways)[number];

/** The link of those who come by one, the same in each service. */
const link = { id: '0123456789ab', name: 'zqlink', until: null, mayWrite: true, madeAt: new Date() };

/** Opens a service with a profile, and a reader of its view: with tokens, and with a session of the page. */
async function openReader(hiding: Hiding, way: Way, salt: number, stderr: Writable) {
  writeFileSync(PROFILE, JSON.stringify(viewSecrets(hiding, salt)));
  const settings = { PROFILE, READER_RECORD: 'off', MCP_MUTATIONS: 'true', LOG_LEVEL: 'trace' };
  const service = await openTestService(
    { ...settings, ...(key && { SIGNING_KEY: key }) },
    { openPrinter: openPrinterHere, stderr },
  );
  await service.opened.owner.linkCodes.newId(); // makes the key of links
  key ??= readFileSync(join(service.folder, 'signing-key.json'), 'utf8');
  const visitor = openVisitor(service);
  const view = hiding === 'public' || hiding === 'gone' ? hiding : viewName;
  const came = await (way === 'by a link' ? comeByLink(service, visitor, view) : comeByAddress(service, visitor, view));
  return { ...came, service, cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; ') };
}

type Visitor = ReturnType<typeof openVisitor>;

async function comeByAddress({ opened: { store, tokens }, token }: Service, visitor: Visitor, view: string) {
  await visitor.getAccess();
  for (const { jti } of await store.tokens.listUnexpired(new Date())) await tokens.setView({ kind: 'jti', jti }, view);
  return { token, ofClient: null };
}

/** Returns a token of the opening, and one of a client that was connected from it. */
async function comeByLink({ opened: { store, tokens, owner } }: Service, visitor: Visitor, view: string) {
  await store.links.add({ ...link, view });
  const path = `/s/${owner.linkCodes.codeOf(link.id)}`;
  await visitor.post(path, {}, path);
  const subject = { kind: 'link', id: link.id } as const;
  const access = { clientId: 'c', scopes: ['profile:read' as const], isForMcp: false, isVerified: false };
  return {
    token: await tokens.sign(await tokens.prepare(subject)),
    ofClient: await tokens.sign(await tokens.prepare(subject, access, 'a-grant')),
  };
}

/** A job whose words find every secret, by their beginning: the answer has the words of the job, too. */
const text = 'Requirements:\n- zqsec\n- Shown';

const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const tools = ['get_candidate', 'list_experience', 'list_projects', 'get_resume', 'get_background', 'get_availability'];
const messages = [
  ...['tools/list', 'resources/list', 'prompts/list'].map((method) => rpc(method)),
  ...tools.map((name) => rpc('tools/call', { name, arguments: {} })),
  ...['exp_hidden', 'proj_hidden'].flatMap((id) =>
    ['get_experience', 'get_project'].map((name) => rpc('tools/call', { name, arguments: { id } })),
  ),
  rpc('tools/call', { name: 'get_resume', arguments: { format: 'pdf' } }),
  rpc('tools/call', { name: 'find_evidence', arguments: { text } }),
  rpc('prompts/get', { name: 'candidate_profile_summary', arguments: {} }),
  ...['candidate', 'experience', 'projects', 'resume/json', 'background'].map((path) =>
    rpc('resources/read', { uri: `candidate-profile://profile/${path}` }),
  ),
];

/** Returns the requests that a reader may try at a path. */
const attemptsOf = (authorization: string, cookie: string) => (): readonly RequestInit[] => [
  ...['GET', 'HEAD', 'OPTIONS', 'PUT', 'PROPFIND'].map((method) => ({ method, headers: { authorization } })),
  { headers: { authorization, 'if-none-match': '*', range: 'bytes=0-9' } },
  { headers: { authorization, accept: 'text/markdown' } },
  { method: 'HEAD', headers: { authorization, accept: 'text/markdown' } },
  { headers: { cookie, accept: 'text/markdown' } },
  { headers: { cookie, 'sec-fetch-site': 'same-origin' } },
  { headers: { authorization, ...browser, cookie } },
  { method: 'HEAD', headers: { ...browser, cookie } },
  postJson({}, { authorization }),
  postJson({ email: 'no address', id: 1 }, { authorization }),
  postJson({ text }, { authorization }),
  { method: 'POST', headers: { authorization, ...mcp }, body: JSON.stringify(initialize) },
  { ...listOfResources, headers: { ...listOfResources.headers, authorization } },
];

/** Returns what a reader is answered, by what was asked. */
async function answersTo({ service, token, ofClient, cookie }: Reader): Promise<Map<string, string>> {
  const authorization = `Bearer ${token}`;
  const ids = ['exp_hidden', 'proj_hidden', 'exp_shown', 'proj_shown'];
  const asking = { attempts: attemptsOf(authorization, cookie), authorizations: [authorization] };
  const answers = await askForEverything(service, ids, asking);
  for (const body of messages) {
    const response = await service.ask('/mcp', { method: 'POST', headers: { authorization, ...mcp }, body });
    answers.set(`MCP ${body}`, `${response.headers.get('content-length')} ${await response.text()}`);
  }
  for (const path of ofClient === null ? [] : ['/candidate', '/experience', '/projects', '/resume', '/background']) {
    const response = await service.ask(path, { headers: { authorization: `Bearer ${ofClient}` } });
    assert.ok(response.ok || path === '/background', `${path}: ${response.status}`);
    answers.set(`${path} by a client`, `${response.status} ${[...response.headers]} ${await response.text()}`);
  }
  for (const [name, contents] of await filesOf(service, answers, cookie)) answers.set(name, contents);
  for (const [asked, answer] of answers) assert.ok(!answer.includes(link.name), asked);
  return answers;
}

const message = { email: 'visitor@example.org', name: 'Reader', company: 'Company', message: 'A question.' };

/** Lets the reader write by each surface, and the owner reply. Returns the mails, with their lengths, and the audit log. */
async function recordsOf({ service, token }: Reader): Promise<Map<string, string>> {
  const authorization = `Bearer ${token}`;
  const sent = await service.ask('/contact', postJson(message, { authorization }));
  const { id } = (await sent.json()) as { id: string };
  const body = rpc('tools/call', { name: 'create_contact', arguments: message });
  const headers = { authorization, ...mcp };
  assert.match(await (await service.ask('/mcp', { method: 'POST', headers, body })).text(), /received/);
  // As files: the clock stands still, so that a mail which a server has not taken would never be tried again.
  const files = () => globSync(join(service.folder, 'mail/*.eml'));
  // A reply refers to the mail of the notice, and is shorter if that was not sent before.
  await eventually(() => files().length === 4);
  const owner = { ...service.opened.owner, hasMailServer: true };
  await invokerFor(owner)(replyToContact, { id, reply: 'An answer.', key: 'one' });
  await eventually(() => files().length === 5);
  const mails = await Promise.all(
    files().map(async (path) => {
      const bytes = readFileSync(path);
      const { subject, text, html, attachments } = await PostalMime.parse(bytes);
      return `${subject}, ${bytes.length} bytes, ${attachments.length} attachments\n${text}\n${html}`;
    }),
  );
  const audit = globSync(join(service.folder, 'audit/*')).map((path) => readFileSync(path, 'utf8'));
  return new Map(
    [...mails.toSorted().entries()].map(([index, mail]) => [`mail ${index}`, mail] as [string, string]),
  ).set('audit log', audit.join(''));
}

/** Returns the different lines of a log, without what differs from one request to the next. */
const linesOf = (log: string): string => {
  const lines = log.replaceAll(/"(id|jti|request)":"[^"]*"/g, '"$1":ID').replaceAll(/"milliseconds":[\d.]+/g, 'TIME');
  return [...new Set(masked(lines).split('\n'))].toSorted().join('\n');
};

/** The contents of the files that the page links to. */
async function filesOf(service: Service, answers: ReadonlyMap<string, string>, cookie: string) {
  const files: [string, string][] = [];
  const page = answers.get('GET /, attempt 10')!;
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
    .replaceAll(/\b(contact_)?[0-9a-f]{32}\b/g, 'ID')
    .replaceAll(/candidate-profile-\w{6}\b/g, 'FOLDER')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
    .replaceAll(/(visitor|typed)=[^;\s]+/g, 'COOKIE');

function firstDifference(one: string, other = ''): string {
  const at = [...one].findIndex((character, index) => character !== other[index]);
  return `${one.slice(Math.max(0, at - 60), at + 40)} | ${other.slice(Math.max(0, at - 60), at + 40)}`;
}

/** Returns what a reader is answered, by what was asked; and what is mailed, logged and recorded of it. */
async function everythingSaidBy(hiding: Hiding, way: Way, salt: number): Promise<Map<string, string>> {
  const stderr = new PassThrough();
  const log = textOf(stderr);
  const reader = await openReader(hiding, way, salt, stderr);
  const said: [string, string][] = [];
  try {
    assert.match(JSON.stringify(reader.service.opened.services.edition(null).profile), /zqsecret/);
    said.push(...(await answersTo(reader)), ...(await recordsOf(reader)));
  } finally {
    await reader.service.close();
    stderr.end();
  }
  return new Map(said.map(([asked, answer]) => [masked(asked), masked(answer)])).set('log', linesOf(await log));
}

const cases = hidings.flatMap((hiding) => ways.map((way) => [hiding, way] as const));

for (const [hiding, way] of cases)
  test(`a reader ${way} gets nothing of what a view hides, in no answer, mail or log, if it is ${hiding}`, async (t) => {
    // Both services say the same instants, and so the same days, which differ in length.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const said = await everythingSaidBy(hiding, way, 1);
    const others = await everythingSaidBy(hiding, way, 2);
    const leaks = [...said].flatMap(([asked, answer]) => {
      const found = [...answer.matchAll(/zqsecret\S*|zqname/g)].map(String);
      return found.length > 0 || answer !== others.get(asked)
        ? [`${asked}: ${found} ${firstDifference(answer, others.get(asked))}`]
        : [];
    });
    assert.deepEqual(leaks, []);
    assert.equal(others.size, said.size);
    assert.match(said.get('GET /, attempt 6')!, /^200\n[\s\S]*content-type: text\/markdown[\s\S]*\n# /);
    const isPublic = hiding === 'public' || hiding === 'gone';
    assert.match(said.get(`MCP ${messages[4]}`)!, isPublic ? /"data":\[\]/ : /Shown company/);
  });
