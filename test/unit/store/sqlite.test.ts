import assert from 'node:assert/strict';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { createDatabase, damageTable, rowsOf } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { contact, newDatabasePath, noon, notice, token } from '../../support/store.ts';

async function open(t: TestContext, options: { path?: string; lockWaitMilliseconds?: number } = {}) {
  const { path = await createDatabase(newDatabasePath(t)), lockWaitMilliseconds = 1_000 } = options;
  const database = openSqlite(path);
  const lines: unknown[][] = [];
  const log = {
    info: (...line: unknown[]) => void lines.push(['info', ...line]),
    error: ({ err }: { err: Error }, text: string) => void lines.push(['error', err.message, text]),
  };
  const store = await openStore(database, { lockWaitMilliseconds, log: log as never });
  t.after(() => store.close());
  return { path, store, lines, beside: new Kysely({ dialect: database.dialect }) };
}

suite('The database file', () => {
  test('is opened with the settings that make commits durable and deletions final [TRUST-31]', async (t) => {
    const { beside } = await open(t);
    const settingOf = async (name: string) => (await sql.raw(`pragma ${name}`).execute(beside)).rows[0];
    assert.deepEqual(await settingOf('journal_mode'), { journal_mode: 'wal' });
    assert.deepEqual(await settingOf('synchronous'), { synchronous: 2 });
    assert.deepEqual(await settingOf('secure_delete'), { secure_delete: 1 });
    assert.deepEqual(await settingOf('foreign_keys'), { foreign_keys: 1 });
    assert.deepEqual(await settingOf('busy_timeout'), { timeout: 0 });
    assert.deepEqual(await settingOf('trusted_schema'), { trusted_schema: 0 });
  });

  test('that cannot be created is refused in one line, with the cause', (t) => {
    const path = join(newFolder(t), 'missing', 'store.db');
    assert.throws(
      () => openSqlite(path),
      ({ message, cause }: Error) => {
        const reason = `ENOENT: no such file or directory, open '${path}'`;
        assert.equal(message, `DATABASE_URL: ${path} cannot be used: ${reason}`);
        assert.equal((cause as Error).message, reason);
        return true;
      },
    );
  });

  test('that does not accept the settings is refused in one line', (t) => {
    const directory = process.cwd();
    t.after(() => process.chdir(directory));
    process.chdir(newFolder(t)); // names an in-memory database
    assert.throws(() => openSqlite(':memory:'), {
      message: 'DATABASE_URL: :memory: cannot be used: journal_mode is memory and cannot be set to wal',
    });
  });

  test('that is not a database is refused in one line, and keeps its mode', (t) => {
    const path = newDatabasePath(t);
    writeFileSync(path, 'Dear diary');
    chmodSync(path, 0o644);
    assert.throws(() => openSqlite(path), { message: `DATABASE_URL: ${path} cannot be used: file is not a database` });
    assert.equal(statSync(path).mode & 0o777, 0o644);
  });

  test('has mode 600, and so have the files that SQLite keeps beside it', async (t) => {
    const { path, store } = await open(t, { path: newDatabasePath(t) });
    await store.contacts.add(contact, notice, null);
    const folder = join(path, '..');
    const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
    assert.deepEqual(modes.sort(), [
      ['candidate-profile.db', '600'],
      ['candidate-profile.db-shm', '600'],
      ['candidate-profile.db-wal', '600'],
    ]);
  });

  test('loses the permissions of other users, with its sidecars, and one warning says so', async (t) => {
    const { path, store } = await open(t);
    await store.close();
    chmodSync(path, 0o664);
    writeFileSync(`${path}-wal`, '', { mode: 0o644 });
    const warnings: string[] = [];
    const reopened = await openStore(openSqlite(path, (message) => warnings.push(message)));
    t.after(() => reopened.close());
    assert.deepEqual(warnings, [`${path}: was open to other users (mode 664); their access has been removed`]);
    assert.deepEqual(
      [path, `${path}-wal`].map((name) => statSync(name).mode & 0o777),
      [0o600, 0o600],
    );
  });

  test('that a newer version has migrated is refused, and not changed', async (t) => {
    const { path, store } = await open(t);
    await store.close();
    rowsOf(path, "insert into kysely_migration values ('9999-of-the-future', '2030-01-01T00:00:00.000Z')");
    const before = readFileSync(path);
    await assert.rejects(openStore(openSqlite(path)), {
      message: 'The database was written by a newer version of candidate-profile; run that version',
    });
    assert.deepEqual(readFileSync(path), before);
  });

  test('has all tables or none after a failed migration', async (t) => {
    const path = newDatabasePath(t);
    rowsOf(path, 'create table outbox (mine text)');
    await assert.rejects(openStore(openSqlite(path)), /table "outbox" already exists/);
    const tables = rowsOf(path, "select name from sqlite_master where type = 'table' and name not like 'kysely%'");
    assert.deepEqual(tables, [{ name: 'outbox' }]);
  });

  test('is locked for other writers from the beginning, so that it cannot fail between read and write', async (t) => {
    const { path, beside } = await open(t);
    using other = openSqliteFile(path, { timeout: 0 });
    const insert = () => other.exec("insert into revocations values (1, 'all', '', '')");
    await beside.transaction().execute(async () => {
      assert.throws(insert, /database is locked/);
    });
    insert();
  });

  test('a Date bound by mistake is refused', async (t) => {
    const { beside } = await open(t);
    await assert.rejects(sql`select ${noon} as a, ${1} as b`.execute(beside), {
      name: 'TypeError',
      message: 'SQLite cannot bind a Date',
    });
    const bytes = await sql`select ${new Uint8Array([7])} as a, ${null} as b`.execute(beside);
    assert.deepEqual(bytes.rows, [{ a: new Uint8Array([7]), b: null }]);
  });
});

suite('A store that cannot write', () => {
  test('a read-only file makes every write UNAVAILABLE, and reads succeed', async (t) => {
    const { path, store } = await open(t);
    await store.revocations.add({ kind: 'jti', value: 'j1', revokedAt: noon });
    await store.close();
    chmodSync(path, 0o444);
    const user = process.geteuid!();
    if (user === 0) {
      chownSync(join(path, '..'), 65_534, 65_534);
      process.seteuid!(65_534); // root may write any file
      t.after(() => process.seteuid!(user));
    }

    const readOnly = await open(t, { path });
    await assert.rejects(readOnly.store.contacts.add(contact, notice, null), { name: 'Failure', code: 'UNAVAILABLE' });
    await assert.rejects(readOnly.store.tokens.add(token, notice), { name: 'Failure', code: 'UNAVAILABLE' });
    assert.equal(readOnly.store.isWritable(), false);
    assert.equal((await readOnly.store.revocations.listAfter(0)).length, 1);
  });

  test('a full disk makes writes UNAVAILABLE until there is space again', async (t) => {
    const { path, store, lines, beside } = await open(t);
    const large = { ...contact, message: 'x'.repeat(10_000) };
    assert.equal(store.isWritable(), true);

    await sql`vacuum`.execute(beside); // leaves no free page
    await sql`pragma max_page_count = 1`.execute(beside); // means the size it has
    await assert.rejects(store.contacts.add(large, notice, null), (failure: Error) => {
      assert.match(String(failure.cause), /database or disk is full/);
      return 'code' in failure && failure.code === 'UNAVAILABLE';
    });
    await assert.rejects(store.probeWrite(), { code: 'UNAVAILABLE' });
    assert.equal(store.isWritable(), false);

    await sql`pragma max_page_count = 1000`.execute(beside);
    assert.deepEqual(lines, [['error', 'database or disk is full', 'the store failed']]);
    await store.probeWrite();
    assert.equal(store.isWritable(), true);
    assert.deepEqual(lines.slice(1), [['info', 'the store can be written again']]);
    await store.contacts.add(large, notice, null);
    assert.deepEqual(rowsOf(path, 'select id from contacts'), [{ id: 'contact_1' }]);
    assert.equal(lines.length, 2);
  });

  test('a scrub says that the disk is full, and succeeds once there is space again', async (t) => {
    const { store, beside } = await open(t);
    await sql`vacuum`.execute(beside); // leaves no free page
    await sql`pragma auto_vacuum = full`.execute(beside); // so that VACUUM needs a page more
    await sql`pragma max_page_count = 1`.execute(beside); // means the size it has
    await assert.rejects(store.scrub(), {
      message:
        'Erased data is still in the files of the database, which cannot be rewritten: database or disk is full; try again when that is solved.',
    });
    await sql`pragma max_page_count = 1000`.execute(beside);
    await store.scrub();
  });

  test('a damaged file makes every read UNAVAILABLE', async (t) => {
    const { path, store } = await open(t);
    // A used database has free pages, which the next write takes.
    rowsOf(path, 'create table spare (id)');
    rowsOf(path, 'drop table spare');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 4_096)); // all pages but the first
    for (const read of [
      () => store.outbox.claim(noon),
      () => store.outbox.hasDeadLetterSince(noon),
      () => store.outbox.state(),
      () => store.outbox.listUnsent(noon),
      () => store.contacts.list(),
      () => store.contacts.listByIdPrefix('contact_'),
      () => store.contacts.hasKey(token, 'key-1', noon),
      () => store.quotas.check([{ key: 'a', count: 1, seconds: 60 }], noon),
      () => store.tokens.listUnexpired(noon),
      () => store.revocations.listAfter(0),
    ])
      await assert.rejects(read(), { name: 'Failure', code: 'UNAVAILABLE' }, String(read));
    await assert.rejects(store.probeWrite(), { code: 'UNAVAILABLE' });
    assert.equal(store.isWritable(), false);
  });

  test('while the outbox is damaged, the store stays writable, and the log says once that it failed', async (t) => {
    const { path, store, lines } = await open(t);
    damageTable(path, 'outbox');
    for (const jti of ['j1', 'j2']) {
      await assert.rejects(store.outbox.claim(noon), { name: 'Failure', code: 'UNAVAILABLE' });
      await assert.rejects(store.outbox.state(), { name: 'Failure', code: 'UNAVAILABLE' });
      assert.equal(store.isWritable(), true);
      await store.revocations.add({ kind: 'jti', value: jti, revokedAt: noon });
    }
    assert.deepEqual(lines, [['error', 'database disk image is malformed', 'the store failed']]);
  });

  test('an outage soon after a read that failed is logged, with its end', async (t) => {
    const { path, store, lines, beside } = await open(t);
    damageTable(path, 'outbox');
    await assert.rejects(store.outbox.state(), { code: 'UNAVAILABLE' });
    await store.revocations.add({ kind: 'jti', value: 'j1', revokedAt: noon });
    await sql`pragma query_only = true`.execute(beside);
    await assert.rejects(store.revocations.add({ kind: 'jti', value: 'j2', revokedAt: noon }), { code: 'UNAVAILABLE' });
    assert.equal(store.isWritable(), false);
    await sql`pragma query_only = false`.execute(beside);
    await store.probeWrite();
    assert.deepEqual(
      lines.map((line) => line.at(-1)),
      ['the store failed', 'the store failed', 'the store can be written again'],
    );
  });

  test('a probe of a writable store does not write', async (t) => {
    const { path, store } = await open(t, { lockWaitMilliseconds: 0 });
    const other = openSqliteFile(path);
    t.after(() => other.close());
    other.exec('begin immediate');
    await store.probeWrite();
  });

  test('while another connection holds the write lock, reads succeed and a write is UNAVAILABLE', async (t) => {
    const { path, store } = await open(t, { lockWaitMilliseconds: 50 });
    const other = openSqliteFile(path);
    t.after(() => other.close());
    other.exec('begin immediate');
    let isRefused = false;
    const refused = assert
      .rejects(store.contacts.add(contact, notice, null), { name: 'Failure', code: 'UNAVAILABLE' })
      .then(() => {
        isRefused = true;
      });
    assert.deepEqual(await store.revocations.listAfter(0), []);
    assert.equal(isRefused, false);
    await refused;
    assert.equal(store.isWritable(), false);

    const waiting = [1, 2, 3].map((n) => store.contacts.add({ ...contact, id: `c${n}` }, notice, null));
    await store.tokens.listUnexpired(noon);
    other.exec('commit');
    assert.deepEqual(await Promise.all(waiting), ['c1', 'c2', 'c3']);
    assert.equal(store.isWritable(), true);
    assert.deepEqual(rowsOf(path, 'select id from contacts order by id'), [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }]);
  });

  test('a store without missing migrations opens while another connection holds the write lock', async (t) => {
    const { path, store } = await open(t);
    await store.close();
    const other = openSqliteFile(path);
    t.after(() => other.close());
    other.exec('begin immediate');
    assert.deepEqual(await (await open(t, { path })).store.contacts.list(), []);
  });
});
