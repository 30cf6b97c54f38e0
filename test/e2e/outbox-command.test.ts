import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { Email } from 'postal-mime';
import { fixture, newFolder } from '../support/files.ts';
import { openInbox, refusal } from '../support/inbox.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, programName, runCommand, startService } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { noTerminal, runOnTerminal } from '../support/terminal.ts';

const PROFILE = fixture('profile.yaml');

/** Starts a service whose mail server answers as a test says; `tries` are the mails it was offered, in order. */
async function startBeside(t: TestContext, answer: (email: Email) => Promise<void>, env: Record<string, string> = {}) {
  const tries: Email[] = [];
  const { url: SMTP_URL, received } = await openInbox(t, {
    answer: async (email) => {
      tries.push(email);
      await answer(email);
    },
  });
  const service = await startService(t, { PROFILE, SMTP_URL, ...env });
  const run = (...args: string[]) =>
    runCommand(t, ['outbox', ...args], { PROFILE, SMTP_URL, DATA_DIR: join(service.folder, 'data') });
  return {
    service,
    tries,
    received,
    run,
    async write(token: string, name: string, message: string): Promise<void> {
      const body = { name, email: 'ada@example.org', company: 'Engines', message };
      const response = await fetch(`${service.url}/contact`, postJson(body, { authorization: `Bearer ${token}` }));
      assert.equal(response.status, 201);
    },
    mail: async () => ((await (await fetch(`${service.url}/readyz`)).json()) as { mail: string }).mail,
    rows(): Record<string, unknown>[] {
      using database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'), { readOnly: true });
      return database.prepare('select * from outbox order by created_at').all();
    },
  };
}

interface Row extends Record<'id' | 'kind' | 'created_at' | 'state' | 'last_error', string> {
  readonly attempts: number;
  readonly due_at: string | null;
  readonly waits_for: string | null;
  readonly waits_until: string | null;
}
type Started = Awaited<ReturnType<typeof startBeside>>;

async function list({ run }: Pick<Started, 'run'>): Promise<Row[]> {
  const { code, stdout, stderr } = await run('list', '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

suite("The owner's outbox commands", { concurrency: 2 }, () => {
  test('list shows waiting notices and dead letters; the running service sends a retried one under its first Message-ID [TRUST-30]', async (t) => {
    let isWanted = false;
    const started = await startBeside(t, async ({ subject }) => {
      if (subject?.startsWith('Contact request from Bob')) throw refusal(451, 'later');
      if (subject?.startsWith('Contact') && !isWanted) throw refusal(550, 'no ada@example.org here');
    });
    const { run, rows, received, tries } = started;
    const token = await started.service.token('ada@example.org');
    for (const name of ['Ada', 'Bob', 'Eve']) await started.write(token, name, `I am ${name}`);
    await eventually(() => rows().every(({ sent_at, last_error }) => sent_at !== null || last_error !== null));
    assert.equal(await started.mail(), 'degraded');

    const [ada, bob, eve] = (await list(started)) as [Row, Row, Row];
    const about = { kind: 'contact_request', attempts: 1 };
    const refused = {
      ...about,
      state: 'dead',
      due_at: null,
      last_error: 'EMESSAGE 550',
      waits_for: null,
      waits_until: null,
    };
    assert.deepEqual(ada, { ...refused, id: ada.id, created_at: ada.created_at });
    assert.deepEqual(eve, { ...refused, id: eve.id, created_at: eve.created_at });
    const later = { ...about, state: 'waiting', last_error: 'EMESSAGE 451', waits_for: 'retry' };
    assert.deepEqual(bob, {
      ...later,
      id: bob.id,
      created_at: bob.created_at,
      due_at: bob.due_at,
      waits_until: bob.due_at,
    });
    assert.ok(ada.created_at < bob.created_at && bob.created_at < eve.created_at);
    assert.ok(bob.due_at! > bob.created_at);

    const { stdout } = await run('list');
    const [head, ...lines] = stdout.split('\n').map((line) => line.split(/ {2,}/));
    assert.deepEqual(head, ['id', 'kind', 'created', 'attempts', 'state', 'until', 'last error', 'why it waits']);
    assert.deepEqual(lines, [
      [ada.id, 'contact_request', ada.created_at, '1', 'dead', 'EMESSAGE 550'],
      [
        bob.id,
        'contact_request',
        bob.created_at,
        '1',
        'waiting',
        bob.due_at,
        'EMESSAGE 451',
        'it is tried again after a failure',
      ],
      [eve.id, 'contact_request', eve.created_at, '1', 'dead', 'EMESSAGE 550'],
      [''],
    ]);

    for (const id of [bob.id, 'none']) {
      const { code, stdout, stderr } = await run('retry', '--id', id);
      const line = `No dead letter has the id ${id}. To list them: ${programName} outbox list\n`;
      assert.deepEqual([code, stdout, stderr], [1, '', line]);
    }

    isWanted = true;
    const one = await run('retry', '--id', eve.id.slice(0, 8));
    assert.deepEqual([one.code, one.stdout, one.stderr], [0, '', 'Dead letters to be sent again: 1.\n']);
    await eventually(() => received.length === 2);
    assert.deepEqual(
      received.map(({ email }) => email.subject),
      ['ada@example.org asked for access to your profile', 'Contact request from Eve (Engines)'],
    );
    const all = await run('retry', '--json');
    assert.deepEqual([all.code, all.stdout, all.stderr], [0, '{"retried":1}\n', 'Dead letters to be sent again: 1.\n']);
    await eventually(() => received.length === 3);
    for (const [name, id] of [
      ['Ada', ada.id],
      ['Eve', eve.id],
    ] as const) {
      const offered = tries.filter(({ subject }) => subject === `Contact request from ${name} (Engines)`);
      assert.deepEqual(
        offered.map(({ messageId }) => messageId),
        [`<${id}@localhost>`, `<${id}@localhost>`],
      );
    }
    await eventually(async () => (await list(started)).every(({ id }) => id === bob.id));
    assert.equal((await run('retry', '--json')).stdout, '{"retried":0}\n');
  });

  test('a notice that was given up in a digest is retried on its own, under a Message-ID of its own [TRUST-35]', async (t) => {
    const { promise: queued, resolve: release } = Promise.withResolvers<void>();
    let isWanted = false;
    const started = await startBeside(
      t,
      async ({ subject }) => {
        if (subject?.includes('asked for access')) await queued;
        else if (!isWanted) throw refusal(550, 'not wanted');
      },
      { LIMITS: '1' },
    );
    const { run, rows, received, tries } = started;
    const token = await started.service.token('ada@example.org');
    for (const name of ['Ada', 'Bob', 'Eve']) await started.write(token, name, 'Buy gold');
    release();
    const ofContacts = () => rows().filter(({ kind }) => kind === 'contact_request');
    await eventually(() => ofContacts().every(({ due_at }) => due_at === null));
    assert.equal(tries[1]!.subject, 'Contact request from Ada (Engines) and 2 more with the same text');
    const [ada, bob, eve] = (await list(started)) as [Row, Row, Row];
    assert.deepEqual([ada.state, bob.state, eve.state], ['dead', 'dead', 'dead']);

    isWanted = true;
    const { code, stdout } = await run('retry', '--id', bob.id, '--json');
    assert.deepEqual([code, stdout], [0, '{"retried":1}\n']);
    await eventually(() => received.length === 2);
    assert.equal((await run('retry', '--json')).stdout, '{"retried":2}\n');
    await eventually(() => received.length === 4);
    const mails = received.slice(1).map(({ email: { subject, messageId } }) => [subject, messageId]);
    assert.deepEqual(mails[0], ['Contact request from Bob (Engines)', `<${bob.id}@localhost>`]);
    assert.deepEqual(mails.slice(1).sort(), [
      ['Contact request from Ada (Engines)', `<${ada.id}@localhost>`],
      ['Contact request from Eve (Engines)', `<${eve.id}@localhost>`],
    ]);
  });

  test('/readyz reports degraded mail as long as there is a dead letter, whatever else is sent [TRUST-35]', async (t) => {
    let isWanted = false;
    const started = await startBeside(t, async ({ subject }) => {
      if (subject?.startsWith('Contact') && !isWanted) throw refusal(550, 'not wanted');
    });
    const token = await started.service.token('ada@example.org');
    await eventually(() => started.rows().every(({ sent_at }) => sent_at !== null));
    assert.equal(await started.mail(), 'ok');
    await started.write(token, 'Ada', 'Buy gold');
    await eventually(() => started.rows().some(({ due_at, sent_at }) => due_at === null && sent_at === null));
    await started.service.token('bob@example.org');
    await eventually(() => started.rows().filter(({ sent_at }) => sent_at !== null).length === 2);
    assert.equal(await started.mail(), 'degraded');

    isWanted = true;
    await started.run('retry');
    await eventually(async () => (await started.mail()) === 'ok');
    assert.equal(started.received.length, 3);
  });

  test('list says why each notice waits, and until when', async (t) => {
    const { promise: acknowledged, resolve: acknowledge } = Promise.withResolvers<void>();
    const started = await startBeside(
      t,
      async ({ subject }) => {
        if (subject?.startsWith('Contact request from Bob')) throw refusal(451, 'later');
        if (subject?.startsWith('Contact request from Zoë')) await acknowledged;
      },
      { LIMITS: '1' },
    );
    const { run, rows, received } = started;
    const token = await started.service.token('ada@example.org');
    await eventually(() => received.length === 1);
    await started.write(token, 'Ada', 'Buy gold');
    await eventually(() => received.length === 2);
    await started.write(token, 'Eve', 'Buy gold');
    await started.write(token, 'Bob', 'Hello');
    await eventually(() => rows().some(({ last_error }) => last_error !== null));
    await started.write(token, 'Zoë', 'Good evening');
    await eventually(() => rows().at(-1)!.attempts === 1);

    const [eve, bob, zoe] = (await list(started)) as [Row, Row, Row];
    const [, ada] = rows() as { sent_at: string }[];
    const hourAfterAda = new Date(Date.parse(ada!.sent_at) + 3_600_000).toISOString();
    assert.deepEqual([eve.waits_for, eve.waits_until], ['same_words', hourAfterAda]);
    assert.deepEqual([bob.waits_for, bob.waits_until, bob.last_error], ['retry', bob.due_at, 'EMESSAGE 451']);
    assert.deepEqual([zoe.waits_for, zoe.waits_until], ['being_sent', zoe.due_at]);
    const lines = (await run('list')).stdout.split('\n').map((line) => line.split(/ {2,}/));
    assert.deepEqual(
      lines.map((cells) => cells.slice(4)),
      [
        ['state', 'until', 'last error', 'why it waits'],
        ['waiting', hourAfterAda, 'the same message was sent within the hour'],
        ['waiting', bob.due_at, 'EMESSAGE 451', 'it is tried again after a failure'],
        ['waiting', lines[3]![5], 'it is being sent'],
        [],
      ],
    );
    acknowledge();
  });

  test('without a running service a notice waits for the next start', async (t) => {
    const folder = newFolder(t);
    const run = (...args: string[]) => runCommand(t, args, { PROFILE }, folder);
    const sent = await run('call', 'create_auth_token', '--email', 'ada@example.org');
    assert.equal(sent.code, 0, sent.stderr);
    const lines = (await run('outbox', 'list')).stdout.split('\n');
    assert.match(
      lines[1]!,
      /^[0-9a-f-]{36} {2}auth_request {2}\S+Z {2}0 {9}waiting {2,}a running service sends it next$/,
    );
    assert.deepEqual(lines.slice(2), ['']);
  });

  test('on a terminal list fits 80 columns: what waits, since when, until when and why', {
    skip: noTerminal,
  }, async (t) => {
    const folder = newFolder(t);
    await runCommand(t, ['call', 'create_auth_token', '--email', 'ada@example.org'], { PROFILE }, folder);
    const env = { PROFILE, TZ: 'UTC' };
    const { shown } = await runOnTerminal(t, ['outbox', 'list', '--no-color'], { folder, env });
    assert.match(
      shown,
      /^id {4}kind {10}created +tries {2}until {2}why\n[0-9a-f]{4} {2}auth_request {2}\d+ \w+ \d\d:\d\d +0 {13}is sent next\n$/,
    );
  });

  test('wrong usage ends with exit code 2 and one line, and touches nothing', async (t) => {
    const folder = newFolder(t);
    for (const [args, line] of [
      ['retry --id', "option '--id <id>' argument missing"],
      ['list --id 1', "unknown option '--id'"],
      ['send', "unknown command 'send'"],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(t, ['outbox', ...args.split(' ')], { PROFILE }, folder);
      assert.deepEqual([code, stdout, stderr], [2, '', `candidate-profile: ${line}\n`], args);
    }
    assert.deepEqual(readdirSync(folder), []);
  });

  test('each command has help', async (t) => {
    for (const command of ['outbox', 'outbox list', 'outbox retry']) {
      const { code, stdout, stderr } = await runCommand(t, [...command.split(' '), '--help']);
      assert.match(stdout, new RegExp(`^Usage: ${programName} ${command} `));
      assert.deepEqual([code, stderr], [0, ''], command);
    }
  });
});
