import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { pluralize } from 'resume-profile/text';
import { rowsOf } from '../support/database.ts';
import { type Cleanup, fixture, newFolder } from '../support/files.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, main, runCommand, startProcess, startService } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const env = { PROFILE: fixture('profile.yaml'), LIMITS: 'off' };

type Service = Awaited<ReturnType<typeof startService | typeof startProcess>>;

const databaseIn = (folder: string) => join(folder, 'data/candidate-profile.db');

const idsIn = (path: string) => rowsOf(path, 'select id from contacts').map(({ id }) => String(id));

async function sendContact({ url }: Service, token: string, message = 'Hello'): Promise<string> {
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message };
  const response = await fetch(`${url}/contact`, postJson(contact, { authorization: `Bearer ${token}` }));
  assert.equal(response.status, 201);
  return ((await response.json()) as { id: string }).id;
}

async function end(service: Service) {
  service.stop();
  await service.exited();
}

const isAllSent = (folder: string) =>
  rowsOf(databaseIn(folder), 'select 1 from outbox where sent_at is null').length === 0;

/** The folder of a stopped service with two contacts and one token; `good.db` is a backup of it. */
const stoppedFolder = await startService({ after }, env).then(async (service) => {
  const token = await service.token();
  for (const message of ['One', 'Two']) await sendContact(service, token, message);
  await eventually(() => isAllSent(service.folder));
  await end(service);
  assert.equal((await runCommand({ after }, ['backup', 'good.db'], env, service.folder)).code, 0);
  return service.folder;
});

function copyStopped(t: Cleanup): string {
  const folder = newFolder(t);
  cpSync(stoppedFolder, folder, { recursive: true });
  return folder;
}

/** Returns every file in a folder with a hash of its bytes. */
const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), hash('sha256', readFileSync(join(parentPath, name)))])
    .sort();

suite('A backup', { concurrency: 2 }, () => {
  test('of a service with eight writers has every acknowledged request, and serves on another machine', async (t) => {
    const service = await startProcess(t, env);
    const token = await service.token();
    const acknowledged: string[] = [];
    let isDone = false;
    const visitors = Array.from({ length: 8 }, async () => {
      while (!isDone) acknowledged.push(await sendContact(service, token));
    });
    await eventually(() => acknowledged.length >= 50);

    const before = [...acknowledged];
    const file = join(newFolder(t), 'backup.db');
    const backedUp = await runCommand(t, ['backup', file, '--json'], env, service.folder);
    isDone = true;
    await Promise.all(visitors);
    assert.equal(backedUp.code, 0, backedUp.stderr);
    assert.ok(acknowledged.length > before.length, 'nothing was written during the backup');

    const copied = idsIn(file);
    assert.deepEqual(
      before.filter((id) => !copied.includes(id)),
      [],
    );
    assert.deepEqual(
      rowsOf(file, 'pragma integrity_check').map(({ integrity_check }) => integrity_check),
      ['ok'],
    );
    assert.equal((statSync(file).mode & 0o777).toString(8), '600');
    const waiting = rowsOf(file, 'select 1 from outbox where due_at is not null').length;
    const { size: bytes } = statSync(file);
    assert.deepEqual(JSON.parse(backedUp.stdout), { file, bytes, contacts: copied.length, tokens: 1, waiting });
    const { folder } = service;
    assert.deepEqual(backedUp.stderr.split('\n'), [
      `${file}: ${copied.length} contacts, 1 token, ${pluralize(waiting, 'mail')} waiting`,
      `It does not contain the signing key (${folder}/data/signing-key.json) and the profile (${env.PROFILE}).`,
      'Keep copies of these, too: without the key, no token and no link is valid any more.',
      '',
    ]);
    assert.deepEqual(readdirSync(dirname(file)), ['backup.db']);

    const elsewhere = newFolder(t);
    const restored = await runCommand(t, ['restore', file], env, elsewhere);
    assert.deepEqual([restored.code, restored.stdout], [0, '']);
    assert.deepEqual(restored.stderr.split('\n'), [
      `${databaseIn(elsewhere)}: ${copied.length} contacts, 1 token, ${pluralize(waiting, 'mail')} waiting, as in ${file}`,
      'What was done since that backup is undone, revocations, ended links and erasures included; its waiting mail is sent again.',
      `${elsewhere}/data/signing-key.json does not exist. Put your copy there before the next start, which otherwise generates a new key and so ends every token.`,
      '',
    ]);
    // As if the lease had ended that was held when the backup was made.
    rowsOf(databaseIn(elsewhere), 'delete from leases returning 1');
    copyFileSync(join(folder, 'data/signing-key.json'), join(elsewhere, 'data/signing-key.json'));
    const again = await startService(t, { ...env, BASE_URL: service.url }, elsewhere);
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${again.url}/candidate`, { headers })).status, 200);
    const id = await sendContact(again, token);
    assert.deepEqual(new Set(idsIn(databaseIn(elsewhere))), new Set([...copied, id]));
    await eventually(() => isAllSent(elsewhere));
  });

  test('contains no byte of deleted rows [TRUST-34]', async (t) => {
    const folder = copyStopped(t);
    const database = databaseIn(folder);
    rowsOf(database, `update contacts set message = '${'sphinx '.repeat(2_000)}' where message = 'One' returning id`);
    rowsOf(database, "delete from contacts where message like 'sphinx%' returning id");
    assert.match(readFileSync(database, 'latin1'), /sphinx/); // this connection does not overwrite deleted rows
    const { code } = await runCommand(t, ['backup', 'backup.db'], env, folder);
    assert.equal(code, 0);
    assert.doesNotMatch(readFileSync(join(folder, 'backup.db'), 'latin1'), /sphinx/);
    assert.equal(idsIn(join(folder, 'backup.db')).length, 1);
  });

  test('that cannot be written leaves no file behind', async (t) => {
    const folder = copyStopped(t);
    // As a running service does, so that only the copy meets the limit.
    using database = openSqliteFile(databaseIn(folder));
    database.exec("pragma journal_mode = wal; update contacts set message = 'Three'");
    // The limit counts blocks of 512 or 1024 bytes; the copy has more than 50 kB.
    const target = newFolder(t);
    const ended = await new Promise((resolve) => {
      const limited = 'trap "" XFSZ; ulimit -f 32; exec "$0" "$@"';
      const args = ['-c', limited, process.execPath, main, 'backup', join(target, 'backup.db')];
      execFile('sh', args, { cwd: folder, env: { PATH: process.env.PATH, ...env } }, (error, stdout, stderr) =>
        resolve([error?.code, stdout, stderr]),
      );
    });
    assert.deepEqual(ended, [1, '', `${target}/backup.db.part: cannot be written: disk I/O error\n`]);
    assert.deepEqual(readdirSync(target), []);
  });
});

suite('A restore', { concurrency: 2 }, () => {
  test('keeps the database it replaces, with what was still in the write-ahead log of a killed service', async (t) => {
    const service = await startProcess(t, env);
    const { folder } = service;
    const token = await service.token();
    const before = await sendContact(service, token);
    assert.equal((await runCommand(t, ['backup', 'backup.db'], env, folder)).code, 0);
    const later = await sendContact(service, token);
    service.kill('SIGKILL');
    await service.exited();
    assert.ok(statSync(`${databaseIn(folder)}-wal`).size > 0);

    const { code, stdout } = await runCommand(t, ['restore', 'backup.db', '--json'], env, folder);
    assert.equal(code, 0);
    const { replaced, ...said } = JSON.parse(stdout);
    const file = join(folder, 'backup.db');
    const waiting = rowsOf(file, 'select 1 from outbox where due_at is not null').length;
    assert.deepEqual(said, { file, database: databaseIn(folder), contacts: 1, tokens: 1, waiting });
    assert.match(replaced, /\/data\/candidate-profile\.db\.replaced-\d{8}T\d{6}\.\d{3}Z$/);
    assert.deepEqual(
      readdirSync(join(folder, 'data')).filter((name) => name.startsWith('candidate-profile.db')),
      ['candidate-profile.db', replaced.slice(replaced.lastIndexOf('/') + 1)],
    );
    assert.deepEqual(idsIn(databaseIn(folder)), [before]);
    assert.deepEqual(new Set(idsIn(replaced)), new Set([before, later]));
    assert.equal((statSync(databaseIn(folder)).mode & 0o777).toString(8), '600');
  });

  test('replaces a damaged database', async (t) => {
    const folder = copyStopped(t);
    writeFileSync(databaseIn(folder), 'no database any more');
    const { code, stdout } = await runCommand(t, ['restore', 'good.db', '--json'], env, folder);
    assert.equal(code, 0);
    assert.equal(readFileSync(JSON.parse(stdout).replaced, 'utf8'), 'no database any more');
    assert.equal(idsIn(databaseIn(folder)).length, 2);
  });

  test('of a database behind a symbolic link replaces the file, not the link', async (t) => {
    const folder = copyStopped(t);
    const disk = join(newFolder(t), 'profile.db');
    renameSync(databaseIn(folder), disk);
    symlinkSync(disk, databaseIn(folder));
    const { code, stdout } = await runCommand(t, ['restore', 'good.db', '--json'], env, folder);
    assert.equal(code, 0);
    assert.equal(readlinkSync(databaseIn(folder)), disk);
    assert.equal(dirname(JSON.parse(stdout).replaced), dirname(disk));
    assert.equal(idsIn(disk).length, 2);
  });

  test('renames the write-ahead log of a lost database, which SQLite would apply to the restored one', async (t) => {
    const folder = copyStopped(t);
    const wal = `${databaseIn(folder)}-wal`;
    {
      using database = openSqliteFile(databaseIn(folder));
      database.exec("pragma journal_mode = wal; update contacts set message = 'from another time'");
      copyFileSync(wal, join(folder, 'wal'));
    }
    rmSync(databaseIn(folder));
    renameSync(join(folder, 'wal'), wal);
    const { code, stdout } = await runCommand(t, ['restore', 'good.db', '--json'], env, folder);
    assert.deepEqual([code, JSON.parse(stdout).replaced], [0, null]);
    const messages = rowsOf(databaseIn(folder), 'select message from contacts order by message');
    assert.deepEqual(
      messages.map(({ message }) => message),
      ['One', 'Two'],
    );
    assert.equal(readdirSync(join(folder, 'data')).filter((name) => /\.replaced-.+-wal$/.test(name)).length, 1);
  });

  test('by root keeps the owner of the database file', {
    skip: process.getuid?.() !== 0 && 'needs root',
  }, async (t) => {
    const folder = copyStopped(t);
    assert.equal((await runCommand(t, ['backup', 'backup.db'], env, folder)).code, 0);
    chownSync(databaseIn(folder), 65534, 65534);
    assert.equal((await runCommand(t, ['restore', 'backup.db'], env, folder)).code, 0);
    const { uid, gid } = statSync(databaseIn(folder));
    assert.deepEqual([uid, gid], [65534, 65534]);
  });

  test('is refused while a service has the database open, even if it is idle', async (t) => {
    const service = await startService(t, env);
    const id = await sendContact(service, await service.token());
    assert.equal((await runCommand(t, ['backup', 'backup.db'], env, service.folder)).code, 0);
    await eventually(() => isAllSent(service.folder));
    const before = readdirSync(join(service.folder, 'data'));
    const { code, stdout, stderr } = await runCommand(t, ['restore', 'backup.db'], env, service.folder);
    const line = `${databaseIn(service.folder)}: is in use; stop the service first\n`;
    assert.deepEqual([code, stdout, stderr], [1, '', line]);
    assert.deepEqual(readdirSync(join(service.folder, 'data')), before);
    assert.deepEqual(idsIn(databaseIn(service.folder)), [id]);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  });
});

const pathOf = (name: string) => join(stoppedFolder, name);
writeFileSync(pathOf('text.db'), 'Dear diary, this is text and not a database, however long it gets. '.repeat(20));
writeFileSync(pathOf('empty.db'), '');
openSqliteFile(pathOf('foreign.db')).exec('create table recipes (id integer)');
copyFileSync(pathOf('good.db'), pathOf('newer.db'));
rowsOf(
  pathOf('newer.db'),
  "insert into kysely_migration values ('9999-later', '2126-11-21T12:00:00.000Z') returning 1",
);
copyFileSync(pathOf('good.db'), pathOf('cut.db'));
truncateSync(pathOf('cut.db'), statSync(pathOf('cut.db')).size - 4_096);
/** Damages the one page that a table or an index of a small database has. */
function damage(name: string, object: string, spoil: (page: Buffer) => void): void {
  const bytes = readFileSync(pathOf('good.db'));
  const [row] = rowsOf(pathOf('good.db'), `select rootpage from sqlite_schema where name = '${object}'`);
  const end = Number(row?.rootpage) * 4_096;
  spoil(bytes.subarray(end - 4_096, end));
  writeFileSync(pathOf(name), bytes);
}
damage('holed.db', 'contacts', (page) => page.fill(0xff));
// Only the check of every index finds this.
damage('bad-index.db', 'sqlite_autoindex_contacts_1', (page) => page.write('C', page.indexOf('contact_')));
mkdirSync(pathOf('taken'));
writeFileSync(pathOf('taken/half.db.part'), '');

/** Commands that are refused, with the line that says why, below the folder; after … it may go on. */
const refusals: Record<string, [args: string, line: string, more?: Record<string, string>]> = {
  'a backup over a file': ['backup good.db', 'good.db: exists already; name another file'],
  'a backup into a folder that does not exist': ['backup none/x.db', 'none/x.db: is in a folder that does not exist'],
  'a backup that another is making': [
    'backup taken/half.db',
    'taken/half.db.part: is in the way: another copy is being written, or one was interrupted; then remove the file',
  ],
  'a backup of a database that does not exist': [
    'backup x.db',
    'none.db: does not exist, so there is nothing to back up',
    { DATABASE_URL: 'none.db' },
  ],
  'a backup of a damaged database': ['backup x.db', 'holed.db: is damaged: …', { DATABASE_URL: 'holed.db' }],
  'a restore from a file that does not exist': ['restore none.db', 'none.db: does not exist'],
  'a restore from the database itself': [
    'restore data/candidate-profile.db',
    'data/candidate-profile.db: is the database itself',
  ],
  'a restore from a text': ['restore text.db', 'text.db: is not an SQLite database'],
  'a restore from an empty file': ['restore empty.db', 'empty.db: is not a database of candidate-profile'],
  "a restore from another program's database": [
    'restore foreign.db',
    'foreign.db: is not a database of candidate-profile',
  ],
  'a restore from a newer version': [
    'restore newer.db',
    'newer.db: was written by a newer version of candidate-profile; run that version',
  ],
  'a restore from a file that was cut short': ['restore cut.db', 'cut.db: is damaged: …'],
  'a restore from a damaged file': ['restore holed.db', 'holed.db: is damaged: …'],
  'a restore from a file with a damaged index': ['restore bad-index.db', 'bad-index.db: is damaged: …'],
  'a restore over a folder': [
    'restore good.db',
    'taken: cannot be replaced: unable to open database file',
    { DATABASE_URL: 'taken' },
  ],
};

suite('With one line and exit code 1, and without changing a file, the command line refuses', () => {
  for (const [name, [args, line, more]] of Object.entries(refusals))
    test(name, async (t) => {
      const before = contentOf(stoppedFolder);
      const { code, stdout, stderr } = await runCommand(t, args.split(' '), { ...env, ...more }, stoppedFolder);
      const said = RegExp.escape(`${stoppedFolder}/${line}`).replace('…', '[^\\n]+');
      assert.match(stderr, new RegExp(`^${said}\\n$`));
      assert.deepEqual([code, stdout], [1, '']);
      assert.deepEqual(contentOf(stoppedFolder), before);
    });
});

/** Changes to the schema of a backup, with what the refusal says of each. */
const alterations: Record<string, [sql: string, fault: string]> = {
  'a trigger that keeps new rows out': [
    'create trigger swallow before insert on contacts begin select raise(ignore); end',
    'trigger swallow was added',
  ],
  'a trigger under a name that is reserved for SQLite': [
    `pragma writable_schema = on; insert into sqlite_schema values ('trigger', 'sqlite_stat1', 'contacts', 0,
      'CREATE TRIGGER sqlite_stat1 before insert on contacts begin select raise(ignore); end')`,
    'trigger sqlite_stat1 was added',
  ],
  'a foreign table': ['create table recipes (id integer)', 'table recipes was added'],
  'a view instead of a table': [
    'alter table quota_windows rename to hidden; create view quota_windows as select * from hidden',
    'table hidden was added',
  ],
  'a table with another column': ['alter table contacts add column more text', 'table contacts was changed'],
  'an index less': ['drop index outbox_waiting', 'index outbox_waiting is missing'],
  'a name that would control the terminal': ['create table "\u009b2J\u202e" (id)', 'table ?2J? was added'],
};

suite('An altered database', { concurrency: 2 }, () => {
  for (const [name, [sql, fault]] of Object.entries(alterations))
    test(`with ${name} is refused by restore and by backup [TRUST-42]`, async (t) => {
      const folder = newFolder(t);
      const file = join(folder, 'altered.db');
      copyFileSync(pathOf('good.db'), file);
      {
        using database = openSqliteFile(file, { defensive: false });
        database.exec(sql);
      }
      const line = `${file}: its schema is not the one that candidate-profile makes: ${fault}\n`;
      const restored = await runCommand(t, ['restore', file], { ...env, DATABASE_URL: 'new.db' }, folder);
      assert.deepEqual([restored.code, restored.stderr], [1, line]);
      const backedUp = await runCommand(t, ['backup', 'copy.db'], { ...env, DATABASE_URL: file }, folder);
      assert.deepEqual([backedUp.code, backedUp.stderr], [1, line]);
      assert.deepEqual(readdirSync(folder), ['altered.db']);
    });
});
