import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { damageTable, rowsOf } from '../support/database.ts';
import { type Cleanup, fixture, newFolder } from '../support/files.ts';
import { postJson } from '../support/post-json.ts';
import { programName, runCommand, startService } from '../support/process.ts';
import { noTerminal, runOnTerminal } from '../support/terminal.ts';

const PROFILE = fixture('profile.yaml');
const service = await startService({ after }, { PROFILE });

const env = { PROFILE, DATA_DIR: join(service.folder, 'data') };
const contacts = (t: Cleanup, ...args: string[]) => runCommand(t, ['contacts', ...args], env);

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
  test('list prints a line for each contact request, the latest first, and escapes what hides or turns text [TRUST-9]', async (t) => {
    const { code, stdout, stderr } = await contacts(t, 'list');
    assert.deepEqual([code, stderr], [0, '']);
    const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?= {2})/;
    const [head, ...lines] = stdout.split('\n').map((line) => line.replace(at, 'INSTANT').split(/ {2,}/));
    assert.deepEqual(head, ['received', 'e-mail', 'name (company)', 'message', 'state']);
    assert.deepEqual(lines, [
      ['INSTANT', 'zoë@bücher.example', 'Zoë 👩\\u{200d}💻 (株式会社)', `${'x'.repeat(59)}😀…`, 'unread'],
      [
        'INSTANT',
        'eve@example.org',
        'evil\\u{202e}gpj.exe (Zero\\u{200b}width)',
        'tag \\u{e0041} \\u{feff}.',
        'unread',
      ],
      ['INSTANT', 'Ada@example.org', 'Ada Lovelace (Engines)', 'First line, tabbed Second', 'unread'],
      [''],
    ]);
  });

  test('list --json prints every field as it was sent, with the whole message', async (t) => {
    const rows = await list(t);
    assert.deepEqual(
      rows.map(({ received_at, ...row }) => row),
      sent
        .map((contact, n) => ({
          id: ids[n],
          ...contact,
          subject: n === 2 ? 'bob@example.org' : 'ada@example.org',
          state: 'unread',
        }))
        .toReversed(),
    );
    const instants = rows.map(({ received_at }) => String(received_at));
    for (const instant of instants) assert.equal(new Date(instant).toISOString(), instant);
    assert.deepEqual(instants, instants.toSorted().toReversed());
  });

  test('--email selects one visitor, by the address in the message or of the token, in any capitalisation', async (t) => {
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

  test('export prints the same JSON with or without --json, of all or of one visitor', async (t) => {
    const [all, same, one] = [
      await contacts(t, 'export'),
      await contacts(t, 'export', '--json'),
      await contacts(t, 'export', '--email', 'eve@example.org'),
    ];
    assert.deepEqual([all.code, all.stderr], [0, '']);
    assert.deepEqual(JSON.parse(all.stdout), await list(t));
    assert.equal(same.stdout, all.stdout);
    assert.deepEqual(
      JSON.parse(one.stdout).map(({ id }: { id: string }) => id),
      [ids[1]],
    );
    const audit = globSync(join(service.folder, 'data/audit/*.jsonl')).map((file) => readFileSync(file, 'utf8'));
    assert.match(audit.join(), /"contacts_exported","detail":"1","subject":"[\w-]{22}"/);
    assert.doesNotMatch(audit.join(), /@/);
  });

  test('show prints a contact request by its id or its beginning, and escapes what hides or turns text [TRUST-9]', async (t) => {
    const [, eve] = await list(t).then((rows) => rows.toReversed());
    for (const id of [ids[1]!, ids[1]!.slice(0, 16)]) {
      const { code, stdout, stderr } = await contacts(t, 'show', id);
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(
        stdout,
        [
          `Request:   ${ids[1]}`,
          `Received:  ${eve!.received_at}`,
          'State:     unread',
          'Name:      evil\\u{202e}gpj.exe',
          'E-mail:    eve@example.org',
          'Company:   Zero\\u{200b}width',
          'Token:     issued to ada@example.org',
          '',
          'tag \\u{e0041} \\u{feff}.',
          '',
        ].join('\n'),
      );
    }
    const whole = (await contacts(t, 'show', ids[0]!)).stdout;
    assert.ok(whole.endsWith('\n\n\n  First line,\ttabbed\nSecond\n'), whole);
    assert.deepEqual(JSON.parse((await contacts(t, 'show', ids[1]!, '--json')).stdout), eve);
  });

  test('show names an id that is unknown or not unique, and fails', async (t) => {
    for (const [id, line] of [
      ['none', `No contact request has the id none. To list the ids: ${programName} contacts list --json`],
      [
        'contact_',
        `Several contact requests have an id that begins with contact_. Give more of one of them:\n${ids
          .toSorted()
          .map((each) => `  ${each}`)
          .join('\n')}`,
      ],
    ] as const) {
      const { code, stdout, stderr } = await contacts(t, 'show', id);
      assert.deepEqual([code, stdout, stderr], [1, '', `${line}\n`]);
    }
  });

  test('on a terminal list fits 80 columns with short times and ids, which show accepts, and whole addresses', {
    skip: noTerminal,
  }, async (t) => {
    const args = ['contacts', 'list', '--no-color'];
    const { code, shown } = await runOnTerminal(t, args, { env: { ...env, TZ: 'UTC' }, columns: 80 });
    assert.equal(code, 0, shown);
    assert.deepEqual(
      shown.split('\n').map((line) => line.replace(/\d+ [A-Z][a-z]+ \d\d:\d\d {2,}/, 'D MMM HH:MM  ')),
      [
        'id            received      e-mail              name (comp…  message      state',
        `${ids[2]!.slice(0, 12)}  D MMM HH:MM  zoë@bücher.example  Zoë 👩\\u{2…  xxxxxxxxxx…  unread`,
        `${ids[1]!.slice(0, 12)}  D MMM HH:MM  eve@example.org     evil\\u{202…  tag \\u{e00…  unread`,
        `${ids[0]!.slice(0, 12)}  D MMM HH:MM  Ada@example.org     Ada Lovela…  First line…  unread`,
        '',
      ],
    );
    for (const line of shown.split('\n')) assert.ok(line.length <= 80, line);
    const shortId = shown.split('\n')[1]!.split(' ')[0]!;
    assert.match((await contacts(t, 'show', shortId)).stdout, new RegExp(`^Request: {3}${ids[2]}\n`));
  });

  test('a damaged table ends the command with exit code 1, and stderr says what SQLite found', async (t) => {
    const folder = newFolder(t);
    await runCommand(t, ['contacts', 'list'], { PROFILE }, folder);
    const path = join(folder, 'data/candidate-profile.db');
    damageTable(path, 'contacts');
    const { code, stdout, stderr } = await runCommand(t, ['contacts', 'list'], { PROFILE }, folder);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^the store failed: database disk image is malformed\nUNAVAILABLE: [^\n]+\n$/);
  });

  test('erasing an address of which nothing is kept says so', async (t) => {
    const { code, stdout, stderr } = await contacts(t, 'erase', '--email', 'nobody@example.org', '--json');
    assert.deepEqual([code, stdout], [0, '{"contacts":0,"tokens":0,"grants":0,"reads":0,"notes":0,"files":0}\n']);
    assert.equal(
      stderr,
      `Nothing of nobody@example.org was found. To list the addresses:\n  ${programName} contacts list\n  ${programName} tokens list\n`,
    );
  });

  test('erasing a visitor of whom only a note is kept says that the note was erased [TRUST-59]', async (t) => {
    const noted = 'noted@example.org';
    rowsOf(
      join(service.folder, 'data/candidate-profile.db'),
      `insert into reader_notes (canonical_subject, note, noted_at) values ('${noted}', 'Met in May', '2026-11-22')`,
    );
    const { code, stdout, stderr } = await contacts(t, 'erase', '--email', noted, '--json');
    assert.deepEqual([code, stdout], [0, '{"contacts":0,"tokens":0,"grants":0,"reads":0,"notes":1,"files":0}\n']);
    assert.match(stderr, /^Erased: contact requests 0, tokens 0, grants 0, reads 0, notes 1, mail files 0\. /);
  });
});
