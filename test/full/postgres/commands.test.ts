import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toConnectionsFinding, toTlsFinding } from '../../../src/commands/doctor/local-checks.ts';
import { type Cleanup, fixture } from '../../support/files.ts';
import { startPostgres } from '../../support/postgres.ts';
import { runCommand } from '../../support/process.ts';

const server = await startPostgres(['fsync=off']);
after(() => server.close());

const env = { PROFILE: fixture('profile.yaml'), OWNER_EMAIL: 'owner@lenavasquez.dev', SMTP_URL: 'smtp://127.0.0.1:1' };

async function newKey(t: Cleanup): Promise<string> {
  const { code, stdout, stderr } = await runCommand(t, ['keys', 'generate']);
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /"d"/);
  return stdout.trim();
}

suite('Commands with a PostgreSQL database', () => {
  test('doctor says what is in it, whether the connection is encrypted, and how many the server allows', async (t) => {
    const DATABASE_URL = await server.createDatabase();
    const settings = { ...env, DATABASE_URL, SIGNING_KEY: await newKey(t) };
    const name = DATABASE_URL.replace('owner@', '');
    const linesOf = async () => {
      const { stdout } = await runCommand(t, ['doctor'], settings);
      const lines = stdout.split('\n').filter((line) => /^\w+ +(database|outbox|key|disk): /.test(line));
      return lines.map((line) =>
        line
          .replace(/PostgreSQL \d+\.\d+/, 'PostgreSQL N')
          .replace(/\d+ open/, 'N open')
          .replace(/[\d.]+ GB/, 'N GB'),
      );
    };
    const rest = [
      'ok    database: the connection is not encrypted, and does not leave this machine',
      'ok    database: 97 connections allowed, N open; a replica opens up to 11',
      'ok    database: no replica serves from it: the desk changes the file of a single one',
      'ok    database: the clock of the database server agrees',
    ];
    assert.deepEqual(await linesOf(), [
      'ok    disk: N GB free on the disk of DATA_DIR',
      `warn  database: ${name}, PostgreSQL N: has no tables yet; the first start creates them`,
      ...rest,
      'ok    key: SIGNING_KEY holds 1 key',
    ]);
    assert.equal((await runCommand(t, ['tokens', 'list'], settings)).code, 0); // creates the tables
    assert.deepEqual(await linesOf(), [
      'ok    disk: N GB free on the disk of DATA_DIR',
      `ok    database: ${name}, PostgreSQL N: 0 contacts, 0 tokens, 0 mails waiting`,
      ...rest,
      'ok    outbox: 0 mails waiting, 0 of them after a failure, and 0 given up',
      'ok    key: SIGNING_KEY holds 1 key',
    ]);
  });

  test('doctor warns of a connection to another machine that is not encrypted, and of too few connections', () => {
    assert.equal(toTlsFinding('db.example.org', null).level, 'warn');
    assert.equal(toTlsFinding('db.example.org', 'TLSv1.3').level, 'ok');
    assert.equal(toTlsFinding('127.0.0.1', null).level, 'ok');
    assert.equal(toTlsFinding('/run/postgresql', null).level, 'ok');
    assert.equal(toConnectionsFinding({ allowed: 19, open: 3, ours: 10 }).level, 'warn');
    assert.equal(toConnectionsFinding({ allowed: 20, open: 3, ours: 10 }).level, 'ok');
  });

  test('doctor says in one line why the database cannot be connected to', async (t) => {
    const DATABASE_URL = 'postgres://owner:secret@127.0.0.1:1/x';
    const { code, stdout } = await runCommand(t, ['doctor'], { ...env, DATABASE_URL, SIGNING_KEY: await newKey(t) });
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^fail {2}database: postgres:\/\/127\.0\.0\.1:1\/x cannot be connected to: connect ECONNREFUSED 127\.0\.0\.1:1; check DATABASE_URL and the server$/m,
    );
    assert.doesNotMatch(stdout, /secret/);
  });

  test('backup and restore name the programs that do it', async (t) => {
    const settings = { ...env, DATABASE_URL: await server.createDatabase(), SIGNING_KEY: await newKey(t) };
    for (const [command, program] of [
      ['backup', 'pg_dump'],
      ['restore', 'pg_restore'],
    ] as const) {
      const { code, stderr } = await runCommand(t, [command, 'file'], settings);
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`^postgres://\\S+ is a PostgreSQL database, not a file: use ${program}\n$`));
    }
  });

  test('a rotation gives the new key a day to reach every replica before it signs', async (t) => {
    const settings = { ...env, DATABASE_URL: await server.createDatabase(), SIGNING_KEY: await newKey(t) };
    const startedAt = Date.now() / 1000;
    const { code, stdout, stderr } = await runCommand(t, ['keys', 'rotate'], settings);
    assert.equal(code, 0);
    const [next, old] = (JSON.parse(stdout) as { keys: { nbf?: number; exp?: number }[] }).keys;
    assert.ok(next!.nbf! >= startedAt + 86_400 && next!.nbf! <= Date.now() / 1000 + 86_401);
    assert.ok(old!.exp! >= next!.nbf! + 30 * 86_400 - 1);
    assert.equal(old!.nbf, undefined);
    assert.match(stderr, /within a day, and restart each\. The old key signs until \S+Z, then the new one\. /);
    const dropped = await runCommand(t, ['keys', 'rotate', '--drop-old'], settings);
    assert.equal(JSON.parse(dropped.stdout).keys[0].nbf, undefined);
  });
});
