import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { byAddress, visitorKeyOf } from '../../src/model/visitor.ts';
import { readDocx } from '../support/docx.ts';
import { newFolder } from '../support/files.ts';
import { openPrinterHere } from '../support/in-place.ts';
import { openTestService } from '../support/in-process.ts';
import { connectTo, type Era, eras } from '../support/mcp-service.ts';
import { openVisitor } from '../support/pages.ts';
import { pdfContents } from '../support/pdf-contents.ts';
import { eventually } from '../support/process.ts';
import { byHand, viewedProfile } from '../support/viewed-profile.ts';

type Service = Awaited<ReturnType<typeof openTestService>>;

const folder = newFolder({ after });

async function openWith(name: string, text: string): Promise<Service> {
  const PROFILE = join(folder, `${name}.yaml`);
  writeFileSync(PROFILE, text.replace('  theme:', '  downloads: [pdf, docx]\n  theme:'));
  const service = await openTestService({ PROFILE, MCP_MUTATIONS: 'true' }, { openPrinter: openPrinterHere });
  after(service.close);
  return service;
}

const jtiOf = (token: string): string => decodeJwt(token).jti!;

/** A text without what differs between two services that say the same. */
const masked = (text: string): string =>
  text
    .replaceAll(/signature=[\w-]{43}/g, 'signature')
    .replaceAll(/\d{13}\.[\w-]{43}/g, 'FORM TOKEN')
    .replaceAll(/name="idempotency_key" value="[0-9a-f]{32}"/g, 'idempotency_key');

/** A response with its headers; the tag of an answer with a signed link differs. */
async function shownOf(response: Response, path: string): Promise<string> {
  const { 'set-cookie': _, ...headers } = Object.fromEntries(response.headers);
  const body = await response.text();
  if (path === '/resume?format=pdf') delete headers.etag;
  return [response.status, JSON.stringify(headers), masked(body)].join('\n');
}

const paths = [
  ...['/candidate', '/experience', '/experience?current=true', '/experience?current=false', '/projects', '/resume'],
  ...['/resume?format=pdf', '/availability', '/background', '/me', '/profile', '/skills'],
  ...['exp_confluent', 'exp_rackspace', 'nothing'].map((id) => `/experience/${id}`),
  ...['proj_log', 'proj_toy', 'nothing'].map((id) => `/projects/${id}`),
];

async function overRest(service: Service): Promise<string[]> {
  const texts = [];
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'GET'])
      texts.push(
        `${method} ${path} ${await shownOf(await service.send(new Request(service.baseUrl + path, { method, headers: { authorization: `Bearer ${service.token}` } })), path)}`,
      );
  return texts;
}

/** The answers to repeated reads. */
async function atOnce({ app, baseUrl, token }: Service): Promise<string[]> {
  const { host } = new URL(baseUrl);
  return paths.map((target) => {
    const head = { host, target, authorization: `Bearer ${token}`, ifNoneMatch: null, userAgent: null };
    const reply = app.replyAtOnce(head, { address: '192.0.2.1', requestId: null });
    const { etag: _, ...headers } = reply?.headers ?? {};
    return `${target} ${reply?.status} ${masked(String(reply?.body))} ${JSON.stringify(headers)}`;
  });
}

async function overMcp(service: Service, era: Era): Promise<string[]> {
  const client = await connectTo(service, era);
  const found: unknown[] = [await client.listTools(), await client.listResources()];
  for (const { uri } of (await client.listResources()).resources) found.push(await client.readResource({ uri }));
  for (const [name, input] of [
    ...['get_candidate', 'list_experience', 'list_projects', 'get_availability', 'get_resume', 'get_background'].map(
      (name) => [name, {}] as const,
    ),
    ['get_experience', { id: 'exp_rackspace' }],
    ['get_project', { id: 'proj_toy' }],
    ['get_resume', { format: 'pdf' }],
  ] as const)
    found.push(await client.callTool({ name, arguments: input }));
  found.push(await client.getPrompt({ name: 'candidate_profile_summary', arguments: {} }));
  return found.map((one) => masked(JSON.stringify(one)));
}

/** The page of the profile, and the files that it links to. */
async function onPage(service: Service, view: string | null): Promise<string[]> {
  const visitor = openVisitor(service);
  await visitor.getAccess('eve@example.com');
  const { store, tokens } = service.opened;
  const [token] = await store.tokens.listOf([visitorKeyOf(byAddress('eve@example.com'))]);
  if (view !== null) await tokens.setView({ kind: 'jti', jti: token!.jti }, view);
  const page = await (await visitor.get('/')).text();
  const found = [masked(page)];
  for (const [, link] of page.matchAll(/href="(\/files\/[^"]+|\/profile\/(?:pdf|docx))"/g)) {
    let response = await visitor.send(link!.replaceAll('&amp;', '&'));
    const to = response.headers.get('location');
    if (to !== null) response = await visitor.send(to.replace(service.baseUrl, ''));
    const bytes = new Uint8Array(await response.arrayBuffer());
    found.push(`${response.status} ${response.headers.get('content-disposition')}`);
    const type = response.headers.get('content-type')!;
    if (type === 'application/pdf') found.push(await pdfContents(bytes));
    else if (type.startsWith('text/')) found.push(masked(String(Buffer.from(bytes))));
    else found.push(JSON.stringify(readDocx(bytes)));
  }
  return found;
}

for (const [view, text] of Object.entries(byHand))
  describe(`A reader of the view ${view} gets what the profile written by hand gives`, async () => {
    const viewed = await openWith(`with-${view}`, viewedProfile);
    const written = await openWith(view, text);
    await viewed.opened.tokens.setView({ kind: 'jti', jti: jtiOf(viewed.token) }, view);

    test('over REST, also repeatedly', async () => {
      assert.deepEqual(await overRest(viewed), await overRest(written));
      assert.deepEqual(await atOnce(viewed), await atOnce(written));
    });
    for (const era of eras)
      test(`over MCP of the ${era} era`, async () => {
        assert.deepEqual(await overMcp(viewed, era), await overMcp(written, era));
      });
    test('on the page, in the PDF, for Word and as a vCard', async () => {
      const [shown, expected] = [await onPage(viewed, view), await onPage(written, null)];
      assert.equal(expected.filter((found) => found.startsWith('200 ')).length, 3);
      assert.deepEqual(shown, expected);
    });
  });

test('a subscriber is notified of a change that its view shows, and not of one that it hides', async (t) => {
  const file = join(folder, 'notified.yaml');
  const service = await openWith('notified', viewedProfile);
  const { token, opened } = service;
  await opened.tokens.setView({ kind: 'jti', jti: jtiOf(token) }, 'systems');
  const client = await connectTo(service, 'modern');
  t.after(() => client.close());
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
  const uris = ['experience', 'candidate'].map((path) => `candidate-profile://profile/${path}`);
  const { closed } = await client.listen({ resourceSubscriptions: uris });

  const save = (...change: [string, string]) => {
    writeFileSync(file, viewedProfile.replace('Clouds.', 'Skies.').replace(...change));
    opened.profile.reload();
  };
  save('Skies.', 'Heavens.');
  save('Led a working group of six.', 'Led seven.');
  await eventually(() => updated.length > 0);
  assert.deepEqual(updated, [uris[0]]);
  await opened.tokens.setView({ kind: 'jti', jti: jtiOf(token) }, 'brief');
  save('Skies.', 'Clouds.');
  assert.notEqual(await closed, undefined);
});
