import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type Cleanup, fixture, newFolder } from '../support/files.ts';
import { main, processName, runCommand, runProcess, runTyping } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { noTerminal, runNodeOnTerminal, runOnTerminal } from '../support/terminal.ts';

const progress = new URL('../../src/commands/terminal.ts', import.meta.url).href;
const PROFILE = fixture('profile.yaml');

const availability = '{\n  "status": "open to opportunities"\n}\n';
const withoutColours = (text: string) => text.replaceAll(/␛\[\d*m/g, '');

suite('On a terminal', { concurrency: 2, skip: noTerminal }, () => {
  const call = ['call', 'get_availability'];

  test('log lines are text with the level in colour', async (t) => {
    const { code, shown } = await runOnTerminal(t, call, { env: { PROFILE, LOG_LEVEL: 'debug' } });
    assert.equal(code, 0, shown);
    assert.match(shown, /␛\[32mINFO ␛\[39m call /);
    assert.match(
      withoutColours(shown),
      /^\S+Z INFO {2}call operation=get_availability surface=cli caller=owner code=OK /m,
    );
  });

  test('LOG_FORMAT decides how log lines are written, on a terminal and off it', async (t) => {
    const env = { PROFILE, LOG_LEVEL: 'debug' };
    const { shown } = await runOnTerminal(t, call, { env: { ...env, LOG_FORMAT: 'json' } });
    assert.match(shown, /^\{"level":"info","time":"[^"]+Z","operation":"get_availability",.+"msg":"call"\}$/m);
    const { stderr, stdout } = await runCommand(t, call, { ...env, LOG_FORMAT: 'text' });
    assert.match(stderr, /^\S+Z INFO {2}call operation=get_availability /m);
    assert.equal(stdout, availability);
  });

  test('a first start shows the addresses of page and desk first, and its warnings after them', async (t) => {
    // Typed once the start is over, this is Ctrl+C.
    const typed = { prompt: 'first token', answer: '\x03' };
    const { code, shown } = await runOnTerminal(t, ['serve'], { env: { PORT: '0' }, columns: 200, ...typed });
    assert.equal(code, 0, shown);
    const lines = withoutColours(shown).split('\n');
    const [, url] = /^Listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(lines[0]!) ?? assert.fail(shown);
    assert.equal(lines[1], `The page is at ${url}/`);
    assert.match(lines[2]!.replace(url!, ''), /^To put your profile there: \/desk\/sign-in\?link=[\w-]{43}$/);
    assert.match(lines.slice(3).join('\n'), / WARN {2}notices reach nobody: example\.org is an example domain/);
  });

  test('nothing is coloured with NO_COLOR or --no-color, which may stand before or after the command', async (t) => {
    const env = { PROFILE, LOG_LEVEL: 'debug' };
    for (const [args, more] of [
      [call, { NO_COLOR: '1' }],
      [call, { TERM: 'dumb' }],
      [[...call, '--no-color'], { FORCE_COLOR: '1' }],
      [['--no-color', ...call], {}],
    ] as const) {
      const { shown } = await runOnTerminal(t, args, { env: { ...env, ...more } });
      assert.match(shown, / INFO {2}call /);
      assert.doesNotMatch(shown, /␛/, args.join(' '));
    }
  });

  test('a fault is red there, and off it with FORCE_COLOR', async (t) => {
    const fault = "candidate-profile: unknown command 'dance'\n";
    const { code, shown } = await runOnTerminal(t, ['dance']);
    assert.deepEqual([code, shown], [2, `␛[31m${fault}␛[39m`]);
    assert.equal((await runProcess(t, ['dance'], { FORCE_COLOR: '1' })).stderr, `\x1b[31m${fault}\x1b[39m`);
    assert.equal((await runCommand(t, ['dance'])).stderr, fault);
  });

  test('the headings of help and tables are bold', async (t) => {
    const help = await runOnTerminal(t, ['tokens', '--help']);
    assert.equal(help.shown.split('\n')[0], `␛[1mUsage:␛[22m ${processName} tokens [options] [command]`);
    const { shown } = await runOnTerminal(t, ['tokens', 'list'], { env: { PROFILE } });
    assert.equal(shown, '␛[1mjti  issued  expires  subject  client␛[22m\n');
  });

  test('work is named while it lasts', async (t) => {
    const work = `const { withProgress } = await import('${progress}');
      console.log(await withProgress(process, 'Writing the PDF', () => Promise.resolve('written')));`;
    assert.equal((await runNodeOnTerminal(t, ['--eval', work])).shown, 'Writing the PDF …\r␛[Kwritten\n');
  });
});

const contact = ['--name', 'Ada', '--email', 'ada@example.org', '--company', 'Engines', '--message', 'Hello'];

/** Fills a folder with a contact request of Ada, a token of Ada and one of Bob, and `backup.db`. */
async function fillWithData(folder: string): Promise<void> {
  for (const args of [
    ['call', 'create_contact', ...contact],
    ['call', 'create_auth_token', '--email', 'ada@example.org'],
    ['call', 'create_auth_token', '--email', 'bob@example.org'],
    ['backup', 'backup.db'],
  ]) {
    const { code, stderr } = await runCommand({ after }, args, { PROFILE }, folder);
    assert.equal(code, 0, stderr);
  }
}

/** The data that the commands under test would change. */
function stateOf(folder: string) {
  using database = openSqliteFile(join(folder, 'data/candidate-profile.db'));
  return [
    ...['contacts', 'issued_tokens', 'revocations'].map((table) => database.prepare(`select * from ${table}`).all()),
    readFileSync(join(folder, 'data/signing-key.json'), 'utf8'),
    readdirSync(join(folder, 'data')).filter((name) => name.includes('.replaced-')),
  ];
}

suite('A command that cannot be undone', { concurrency: 2, skip: noTerminal }, () => {
  const folderWithData = newFolder({ after });
  before(() => fillWithData(folderWithData));

  function copyOfFolder(t: Cleanup): string {
    const folder = newFolder(t);
    cpSync(folderWithData, folder, { recursive: true });
    return folder;
  }

  for (const { args, consequence, done } of [
    {
      args: ['contacts', 'erase', '--email', 'ada@example.org'],
      consequence:
        'This erases 1 contact request, 1 token and 0 reads of ada@example.org, with their notices and mail files, from DATABASE. It cannot be undone.',
      done: /^Rewriting the database …\r␛\[KErased: contact requests 1, tokens 1, grants 0, reads 0, mail files 0\. /m,
    },
    {
      args: ['tokens', 'revoke', '--all'],
      consequence: 'This ends 2 valid tokens in DATABASE. It cannot be undone.',
      done: /^Ended 2 valid tokens; /m,
    },
    {
      args: ['keys', 'rotate', '--drop-old'],
      consequence: 'This ends 2 valid tokens in DATABASE and every link to the PDF. It cannot be undone.',
      done: /^No other key verifies: every token and PDF link issued so far has ended\.$/m,
    },
    {
      args: ['restore', 'backup.db'],
      consequence:
        'This replaces DATABASE (1 contact, 2 tokens, 3 mails waiting)\nby FOLDER/backup.db (1 contact, 2 tokens, 3 mails waiting).\nWhat was done since that backup is undone, revocations, ended links and erasures included.',
      done: /^The previous database is kept as /m,
    },
  ])
    test(`${args.slice(0, 2).join(' ')} says what will end, and asks; --yes answers`, async (t) => {
      const folder = copyOfFolder(t);
      const onTerminal = (answer: string, ...more: string[]) =>
        runTyping([...args, ...more], answer, { PROFILE, NO_COLOR: '1' }, folder);
      const before = stateOf(folder);

      for (const answer of ['\n', '\x04']) {
        const { code, shown } = await onTerminal(answer);
        const [asked, told] = shown.split(/^.*Go on\? \[y\/N\] .*$/m);
        assert.equal(
          asked!.replaceAll(join(folder, 'data/candidate-profile.db'), 'DATABASE').replaceAll(folder, 'FOLDER'),
          `${consequence}\n`,
        );
        assert.deepEqual([code, told], [1, '\nNothing was changed.\n']);
      }
      assert.deepEqual(stateOf(folder), before);

      const { code, shown } = await onTerminal('y\n');
      assert.equal(code, 0, shown);
      assert.match(shown, done);
      const again = await onTerminal('', '--yes');
      assert.equal(again.code, 0, again.shown);
      assert.doesNotMatch(again.shown, /Go on/);
    });

  test('the question is asked on standard output if standard error is redirected', async (t) => {
    const folder = copyOfFolder(t);
    const before = stateOf(folder);
    const args = JSON.stringify([main, 'tokens', 'revoke', '--all']);
    const redirecting = `require('node:child_process').spawnSync(process.execPath, ${args}, { stdio: ['inherit', 'inherit', 'ignore'] })`;
    const env = { PROFILE, NO_COLOR: '1' };
    const { shown } = await runNodeOnTerminal(t, ['-e', redirecting], { folder, env, answer: '\n' });
    assert.match(shown, /^This ends 2 valid tokens in .+\n.*Go on\? \[y\/N\] /);
    assert.deepEqual(stateOf(folder), before);
  });

  test('restore does not ask about a file that is not a backup', async (t) => {
    const folder = copyOfFolder(t);
    for (const [file, fault] of [
      ['none.db', 'none.db: does not exist'],
      ['data/signing-key.json', 'data/signing-key.json: is not an SQLite database'],
    ] as const) {
      const { code, shown } = await runTyping(['restore', file], '', { NO_COLOR: '1' }, folder);
      assert.deepEqual([code, shown.replace('Restoring the backup …\r␛[K', '')], [1, `${join(folder, fault)}\n`]);
    }
  });
});
