import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { type Cleanup, newFolder, programName, runCommand, startProcess } from '../support/process.ts';
import { fixture, postJson } from '../support/service.ts';

const PROFILE = fixture('profile.yaml');
const service = await startProcess({ after }, { PROFILE });

const contacts = (t: Cleanup, ...args: string[]) =>
  runCommand(t, ['contacts', ...args], { PROFILE, DATA_DIR: join(service.folder, 'data') });

async function list(t: Cleanup, ...args: string[]) {
  const { code, stdout, stderr } = await contacts(t, 'list', '--json', ...args);
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as Record<string, unknown>[];
}

const ids: string[] = [];
async function send(token: string, contact: object): Promise<void> {
  const response = await fetch(`${service.url}/contact`, postJson(contact, { authorization: `Bearer ${token}` }));
  assert.equal(response.status, 201);
  ids.push(((await response.json()) as { id: string }).id);
}

const cut = `${'x'.repeat(59)}😀 and more`;
const sent = [
  { name: 'Ada Lovelace', email: 'Ada@example.org', company: 'Engines', message: '\n  First line,\ttabbed\nSecond' },
  { name: 'evil\u202egpj.exe', email: 'eve@example.org', company: 'Zero\u200bwidth', message: 'tag \u{e0041} \ufeff.' },
  { name: 'Zoë 👩‍💻', email: 'zoë@bücher.example', company: '株式会社', message: cut },
];
const [ada, bob] = [await service.token('ada@example.org'), await service.token('bob@example.org')];
await send(ada, sent[0]!);
await send(ada, sent[1]!);
await send(bob, sent[2]!);

suite("The owner's contacts commands", { concurrency: 2 }, () => {
  test('list shows a line for each, the latest first, with what hides or turns text as visible escapes [TRUST-9]', async (t) => {
    const { code, stdout, stderr } = await contacts(t, 'list');
    assert.deepEqual([code, stderr], [0, '']);
    const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?= {2})/;
    const [head, ...lines] = stdout.split('\n').map((line) => line.replace(at, 'INSTANT').split(/ {2,}/));
    assert.deepEqual(head, ['received', 'e-mail', 'name (company)', 'message']);
    assert.deepEqual(lines, [
      ['INSTANT', 'zoë@bücher.example', 'Zoë 👩\\u{200d}💻 (株式会社)', `${'x'.repeat(59)}😀…`],
      ['INSTANT', 'eve@example.org', 'evil\\u{202e}gpj.exe (Zero\\u{200b}width)', 'tag \\u{e0041} \\u{feff}.'],
      ['INSTANT', 'Ada@example.org', 'Ada Lovelace (Engines)', 'First line,\ttabbed…'],
      [''],
    ]);
  });

  test('list --json has every field as it was sent, and whole', async (t) => {
    const rows = await list(t);
    assert.deepEqual(
      rows.map(({ received_at, ...row }) => row),
      sent
        .map((contact, n) => ({ id: ids[n], ...contact, subject: n === 2 ? 'bob@example.org' : 'ada@example.org' }))
        .toReversed(),
    );
    const instants = rows.map(({ received_at }) => String(received_at));
    for (const instant of instants) assert.equal(new Date(instant).toISOString(), instant);
    assert.deepEqual(instants, instants.toSorted().toReversed());
  });

  test("--email keeps to one visitor, by the address left or the token's, however it is capitalised", async (t) => {
    const idsOf = async (email: string) => (await list(t, '--email', email)).map(({ id }) => id);
    assert.deepEqual(await idsOf('ada@example.org'), [ids[1], ids[0]]);
    assert.deepEqual(await idsOf(' EVE@Example.ORG'), [ids[1]]);
    assert.deepEqual(await idsOf('zoë@bücher.example'), [ids[2]]);
    assert.deepEqual(await idsOf('nobody@example.org'), []);
    const { stdout } = await contacts(t, 'list', '--email', 'BOB@example.org');
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split(/ {2,}/)[1]),
      ['e-mail', 'zoë@bücher.example', undefined],
    );
  });

  test('what the owner sent from this machine has no token, and is listed without one', async (t) => {
    const folder = newFolder(t);
    const fields = Object.entries(sent[0]!).flatMap(([name, value]) => [`--${name}`, value.trim()]);
    const called = await runCommand(t, ['call', 'create_contact', ...fields], { PROFILE }, folder);
    assert.equal(called.code, 0, called.stderr);
    const { stdout } = await runCommand(t, ['contacts', 'list', '--json'], { PROFILE }, folder);
    const [row] = JSON.parse(stdout);
    assert.deepEqual([row.email, row.subject], ['Ada@example.org', null]);
  });

  test('export prints the same as JSON with or without --json, and each is noted in the audit log, the address hashed', async (t) => {
    const noted = () =>
      globSync(join(service.folder, 'data/audit/audit-????-??-??.jsonl'))
        .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
        .map((line) => JSON.parse(line))
        .filter(({ event }) => event === 'contacts_exported');
    const before = noted().length;
    const all = await contacts(t, 'export');
    assert.deepEqual([all.code, all.stderr], [0, '']);
    assert.deepEqual(JSON.parse(all.stdout), await list(t));
    const [same, one] = [
      await contacts(t, 'export', '--json'),
      await contacts(t, 'export', '--email', 'eve@example.org'),
    ];
    assert.equal(same.stdout, all.stdout);
    assert.deepEqual(
      JSON.parse(one.stdout).map(({ id }: { id: string }) => id),
      [ids[1]],
    );
    const lines = noted().slice(before);
    assert.deepEqual(
      lines.map(({ detail }) => detail),
      ['3', '3', '1'],
    );
    for (const { at } of lines) assert.ok(Math.abs(Date.now() - Date.parse(at)) < 600_000, at);
    assert.deepEqual(
      lines.map(({ subject }) => subject?.length),
      [undefined, undefined, 22],
    );
    assert.doesNotMatch(JSON.stringify(lines), /@/);
  });

  test('where nobody has written there is an empty list', async (t) => {
    const folder = newFolder(t);
    const run = (...args: string[]) => runCommand(t, ['contacts', ...args], { PROFILE }, folder);
    assert.equal((await run('list')).stdout, 'received  e-mail  name (company)  message\n');
    assert.equal((await run('list', '--json')).stdout, '[]\n');
    assert.equal((await run('export')).stdout, '[]\n');
  });

  test('wrong usage is exit code 2, one line, and nothing touched', async (t) => {
    const folder = newFolder(t);
    const wrong = '--email must be a valid email address';
    for (const [args, line] of [
      ['list --email ada', wrong],
      ['export --email ada@', wrong],
      ['erase --email a@b,c@example.org', wrong],
      ['erase', "required option '--email <address>' not specified"],
      ['list --id 1', "unknown option '--id'"],
      ['forget', "unknown command 'forget'"],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(t, ['contacts', ...args.split(' ')], { PROFILE }, folder);
      assert.deepEqual([code, stdout, stderr], [2, '', `candidate-profile: ${line}\n`], args);
    }
    assert.deepEqual(readdirSync(folder), []);
  });

  test('what cannot be read is exit code 1 and one line', async (t) => {
    const folder = newFolder(t);
    writeFileSync(join(folder, 'notes.db'), 'These are notes and no database. '.repeat(50));
    for (const command of ['list', 'export']) {
      const env = { PROFILE, DATABASE_URL: 'notes.db' };
      const { code, stdout, stderr } = await runCommand(t, ['contacts', command], env, folder);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^DATABASE_URL: \S*notes\.db cannot be used: file is not a database\n$/);
    }
  });

  test('each of the commands explains itself', async (t) => {
    for (const command of ['contacts', 'contacts list', 'contacts export', 'contacts erase']) {
      const { code, stdout, stderr } = await runCommand(t, [...command.split(' '), '--help']);
      assert.match(stdout, new RegExp(`^Usage: ${programName} ${command} `));
      assert.deepEqual([code, stderr], [0, ''], command);
    }
  });
});
