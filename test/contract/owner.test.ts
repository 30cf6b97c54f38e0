import assert from 'node:assert/strict';
import { copyFileSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { z } from 'zod';
import { createClient } from '../../src/client.ts';
import { byAddress } from '../../src/model/visitor.ts';
import { operations } from '../../src/operations/index.ts';
import { invokerFor, type OwnerOperation } from '../../src/operations/owner/operation.ts';
import type { DeskServices } from '../../src/operations/owner/services.ts';
import { getWorkingCopy } from '../../src/operations/owner/working-copy.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { deskPortsOf } from '../../src/service/owner/desk-ports.ts';
import { openMcpStdio } from '../../src/surfaces/mcp/stdio.ts';
import { rowsOf } from '../support/database.ts';
import { signIn } from '../support/desk.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { clientOf, eras } from '../support/mcp-service.ts';
import { hiddenField } from '../support/pages.ts';
import { runCommand } from '../support/process.ts';

type AnyOperation = OwnerOperation<z.ZodObject, unknown, DeskServices>;

const isOperation = (exported: unknown): exported is AnyOperation =>
  typeof exported === 'object' && exported !== null && 'handle' in exported;

/** The owner's catalogue: each operation that a module of its folder exports. */
const catalogue = (
  await Promise.all(globSync('src/operations/owner/*.ts').map((path) => import(`../../${path}`)))
).flatMap((module) => Object.values(module).filter(isOperation));

const names: readonly string[] = catalogue.map(({ name }) => name);
const toCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

test('no surface of visitors or agents lists or runs an operation of the owner, not even for the owner', async (t) => {
  const service = await openTestService({ MCP_MUTATIONS: 'true' });
  t.after(service.close);
  const { baseUrl, token, send, opened } = service;

  const description = JSON.stringify(await (await service.ask('/openapi.json')).json());
  const client: Record<string, unknown> = createClient({ baseUrl, token, fetch: send });
  const { stdout: called } = await runCommand(t, ['call', '--help']);
  for (const name of names) {
    assert.doesNotMatch(description, new RegExp(`"(${name}|${toCamelCase(name)})"`));
    assert.equal(client[toCamelCase(name)], undefined, name);
    assert.doesNotMatch(called, new RegExp(`\\b${name}\\b`));
    for (const path of [`/${name}`, `/${name.replaceAll('_', '-')}`])
      assert.equal((await service.post(path, {})).status, 404, path);
  }

  const mcp = { operations, services: opened.services, mutations: true, baseUrl, version: '0', log: { warn() {} } };
  for (const era of eras) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    openMcpStdio(mcp, far);
    const fetch = (url: string | URL, init?: RequestInit) => send(new Request(url, init));
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const overHttp = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { fetch, requestInit });
    for (const transport of [near, overHttp]) {
      const agent = clientOf(era);
      await agent.connect(transport);
      const { tools } = await agent.listTools();
      assert.deepEqual(
        tools.filter(({ name }) => names.includes(name)).map(({ name }) => name),
        [],
      );
      for (const name of names)
        await assert.rejects(agent.callTool({ name, arguments: { email: 'visitor@example.org' } }), name);
      await agent.close();
    }
  }
});

const contact = { name: 'Ada Lovelace', email: 'visitor@example.org', company: 'Engines', message: 'Shall we talk?' };
const dead = "update outbox set sent_at = null, due_at = null, attempts = 20, last_error = 'EMESSAGE 554 5.7.1'";

/** A service with a token, a message, two dead letters and a session at the desk. */
async function openWorld(t: TestContext) {
  const PROFILE = join(newFolder(t), 'profile.yaml');
  copyFileSync(fixture('profile.yaml'), PROFILE);
  const own = { PROFILE, OWNER_EMAIL: 'lena@vasquez.dev', SMTP_URL: 'smtp://127.0.0.1:1' };
  const service = await openTestService(own);
  t.after(service.close);
  const { folder } = service;
  const settings = { DATA_DIR: folder, ALLOW_SAMPLE: 'true', ...own };
  const { id } = (await (await service.post('/contact', contact)).json()) as { id: string };
  const desk = await signIn(service);
  const database = join(folder, 'candidate-profile.db');
  rowsOf(database, dead);
  const [{ jti }] = rowsOf(database, 'select jti from issued_tokens') as [{ jti: string }];
  const [, reader = ''] = /\/desk\/readers\/([\w-]+)"/.exec(await (await desk.get('/desk/readers')).text()) ?? [];
  const auditLog = () =>
    globSync(join(folder, 'audit/*.jsonl')).flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  const before = auditLog().length;
  const { text, revision } = await service.opened.owner.profileDocument.read();
  const unpublished = { name: '', baseRevision: revision, revision: 'r', savedAt: new Date(), text: 'name: x' };
  const addProposal = async () => ({ id: (await service.opened.store.proposals.add(unpublished))! });
  let links = 0;
  /** Stores a link that has not ended, and returns its id. */
  async function addLink(until: Date | null = null): Promise<string> {
    links += 1;
    const id = String(links).padStart(12, '0');
    const link = { id, name: 'Acme', view: 'all', until, mayWrite: true, madeAt: new Date() };
    await service.opened.store.links.add(link);
    return id;
  }
  return {
    ...{ desk, id, jti, reader, addProposal, addLink },
    document: { text: text!, base_revision: revision },
    /** Has a version with the id 1, also after the history was erased. */
    keepVersion: service.opened.owner.profileDocument.keepCurrent,
    services: deskPortsOf(readConfig(settings, folder), service.opened).services,
    letter: () => (rowsOf(database, 'select id from outbox order by kind') as [{ id: string }])[0].id,
    /** The outcome: the entries of the audit log, without random values, and the rows of each table. */
    outcome: () => ({
      audited: auditLog()
        .slice(before - 1)
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .map(({ event, detail, subject, jti: id }) => ({ event, detail, hasSubject: !!subject, isToken: id === jti })),
      rows: rowsOf(
        database,
        `select (select count(*) from contacts) as contacts, (select count(*) from issued_tokens) as tokens,
           (select group_concat(kind) from revocations) as revocations, (select group_concat(view) from issued_tokens) as views, (select count(*) from desk_sessions) as sessions,
           (select count(*) from sign_in_links where used_at is null) as links, (select count(*) from outbox) as mails,
           (select count(*) from outbox where due_at is null) as dead_letters,
           (select group_concat(state) from contacts) as states, (select group_concat(text) from replies) as replies`,
      ),
    }),
    /** Runs a command beside the service; returns what it prints. */
    async command(words: readonly string[], input = '') {
      const { code, stdout, stderr } = await runCommand(t, words, settings, folder, input);
      assert.equal(code, 0, stderr);
      return stdout.trimEnd();
    },
  };
}
type World = Awaited<ReturnType<typeof openWorld>>;

const typed = 'Dear Ada,\nyes.\n';

const cases: Record<
  string,
  { readonly atDesk: (world: World) => unknown; readonly words: (world: World) => string[] }
> = {
  erase_visitor: {
    atDesk: ({ desk, reader }) => desk.post(`/desk/readers/${reader}/erase`),
    words: () => ['contacts', 'erase', '--email', 'Visitor@example.org', '--yes'],
  },
  'revoke of a visitor': {
    atDesk: ({ desk, reader }) => desk.post(`/desk/readers/${reader}/revoke`),
    words: () => ['tokens', 'revoke', '--email', 'visitor@example.org'],
  },
  'revoke of a token': {
    atDesk: ({ desk, reader, jti }) => desk.post(`/desk/readers/${reader}/revoke`, { jti }),
    words: ({ jti }) => ['tokens', 'revoke', '--jti', jti],
  },
  set_view: {
    atDesk: ({ desk, reader, jti }) => desk.post(`/desk/readers/${reader}/view`, { jti, view: 'public' }),
    words: ({ jti }) => ['tokens', 'view', jti.slice(0, 8), 'public'],
  },
  reply_to_contact: {
    atDesk: async ({ desk, id }) => {
      const key = hiddenField(await (await desk.get(`/desk/inbox/${id}`)).text(), 'key');
      await desk.post(`/desk/inbox/${id}/reply`, { reply: typed, key });
    },
    words: ({ id }) => ['contacts', 'reply', id],
  },
  'retry_mail of one': {
    atDesk: ({ desk, letter }) => desk.post('/desk/mail/retry', { id: letter() }),
    words: ({ letter }) => ['outbox', 'retry', '--id', letter()],
  },
  'retry_mail of all': {
    atDesk: ({ desk }) => desk.post('/desk/mail/retry'),
    words: () => ['outbox', 'retry'],
  },
  sign_out_everywhere: {
    atDesk: ({ desk }) => desk.post('/desk/sign-out-everywhere'),
    words: () => ['desk', '--sign-out-all'],
  },
};

for (const [name, { atDesk, words }] of Object.entries(cases))
  test(`${name} does the same at the desk and in the terminal`, async (t) => {
    const [one, other] = [await openWorld(t), await openWorld(t)];
    const untouched = one.outcome();
    await atDesk(one);
    await other.command(words(other), typed);
    assert.notDeepEqual(one.outcome(), untouched);
    assert.deepEqual(one.outcome(), other.outcome());
  });

test('the desk and the terminal export the same records, and record it the same', async (t) => {
  const world = await openWorld(t);
  const atDesk = await (await world.desk.get('/desk/inbox/export?state=all')).json();
  assert.deepEqual(JSON.parse(await world.command(['contacts', 'export'])), atDesk);
  const [one, other] = world.outcome().audited;
  assert.deepEqual(one, { event: 'contacts_exported', detail: '1', hasSubject: false, isToken: false });
  assert.deepEqual(other, one);
});

const filled = { offset: 0, limit: 10, is_seen: true, max_listed: 5, days: 7, zone: 'UTC' };

async function keptVersion({ keepVersion, document: { base_revision } }: World) {
  await keepVersion();
  return { id: 1, base_revision };
}

/** An input of each operation with required fields, or of which it depends what is recorded. */
const inputs: Record<string, ((world: World) => Record<string, unknown> | Promise<Record<string, unknown>>)[]> = {
  list_inbox: [() => ({ states: ['read'], search: '', ...filled })],
  list_readers: [() => filled],
  export_readers: [() => filled],
  count_visits: [() => filled],
  open_contact: [({ id }) => ({ id, ...filled })],
  visit_desk: [() => filled],
  set_mail_schedules: [() => ({ contact_request: 'daily', auth_request: 'at_once' })],
  reply_to_contact: [({ id }) => ({ id, reply: 'Dear Ada', key: 'k' })],
  set_contact_state: [({ id }) => ({ id, state: 'spam' })],
  get_reader: [({ reader }) => ({ id: reader })],
  note_reader: [({ reader }) => ({ id: reader, note: 'A friend' })],
  count_visitor: [() => ({ visitor: byAddress(contact.email) })],
  export_visitor: [() => ({ visitor: byAddress(contact.email) })],
  count_ending: [() => ({ all: true })],
  revoke: [({ jti }) => ({ jti }), () => ({ grant: 'unknown' })],
  set_view: [({ jti }) => ({ jti, view: 'public' })],
  preview_profile: [({ document }) => document],
  find_preview: [({ document: { base_revision } }) => ({ revision: base_revision })],
  get_photo: [() => ({ revision: 'none' })],
  get_pdf_state: [() => ({ waits: false })],
  print_preview: [() => ({ revision: 'none', is_needed: true })],
  get_design_picture: [() => ({ revision: 'none', design: { theme: 'classic' } })],
  preview_answers: [() => ({ revision: 'none' })],
  change_working_copy: [() => ({ events: [{ undo: 'unknown' }], revision: 'r' })],
  change_text: [({ document }) => ({ text: `${document.text}# new\n` })],
  choose_value: [() => ({ pointer: '', value: 'mine' })],
  take_version: [keptVersion],
  discard_changes: [() => ({ revision: 'r' })],
  publish_working_copy: [
    async ({ services }) => ({ revision: (await invokerFor(services)(getWorkingCopy, {})).revision }),
  ],
  import_resume: [
    () => ({
      upload: { read: () => Promise.reject(new Error('is empty')) },
      name: 'resume.json',
      signal: AbortSignal.abort(),
    }),
  ],
  read_photo: [() => ({ photo: 'none.jpg' })],
  store_photo: [() => ({ bytes: Buffer.alloc(0) })],
  get_proposal: [({ addProposal }) => addProposal()],
  take_proposal: [({ addProposal }) => addProposal()],
  remove_proposal: [({ addProposal }) => addProposal()],
  get_version: [keptVersion],
  restore_version: [keptVersion],
  undo_publish: [keptVersion],
  create_sign_in_link: [() => ({ path: '/desk' })],
  sign_out: [() => ({ session: 'unknown' })],
  erase_contact: [({ id }) => ({ id })],
  make_link: [() => ({ name: 'Acme', view: 'all', may_write: true })],
  get_link: [async ({ addLink }) => ({ id: await addLink() })],
  rename_link: [async ({ addLink }) => ({ id: await addLink(), name: 'Globex' })],
  end_link: [async ({ addLink }) => ({ id: await addLink() })],
  end_all_links: [async ({ addLink }) => ({ id: await addLink() })],
  end_past_links: [async ({ addLink }) => ({ id: await addLink(new Date(0)) })],
  erase_visitor: [() => ({ visitor: byAddress(contact.email) })],
};

test('each operation of the owner records what it declares in the audit log, and nothing else', async (t) => {
  assert.ok(catalogue.length > 20);
  const world = await openWorld(t);
  for (const operation of catalogue) {
    const audited: string[] = [];
    const run = invokerFor<DeskServices>({ ...world.services, audit: ({ event }) => void audited.push(event) });
    for (const inputOf of inputs[operation.name] ?? [() => ({})]) await run(operation, await inputOf(world));
    assert.deepEqual(audited, operation.audits ?? [], operation.name);
  }
});
