import assert from 'node:assert/strict';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { createDatabase, damageTable, rowsOf } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { afterNoon, contact, newDatabasePath, noon, notice, token } from '../../support/store.ts';

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

suite('What is acknowledged is kept', () => {
  test('a contact request, a token and their notices are there after a reopen', async (t) => {
    const { path, store } = await open(t);
    await store.addContact(contact, notice, null);
    await store.addToken(token, { ...notice, kind: 'auth_request', replyTo: null });
    await store.close();

    const reopened = await open(t, { path });
    const mail = await reopened.store.claimMail(noon, afterNoon(120));
    assert.equal(mail?.notices[0]?.text, 'A line\n');
    assert.deepEqual(rowsOf(path, 'select * from contacts'), [
      {
        id: 'contact_1',
        name: 'Ada Lovelace',
        email: 'ada@example.org',
        company: 'Analytical Engines',
        message: 'Shall we talk?',
        subject: 'visitor@example.org',
        received_at: '2026-11-21T12:00:00.000Z',
        state: 'unread',
        canonical_email: 'ada@example.org',
        canonical_subject: 'visitor@example.org',
      },
    ]);
    assert.deepEqual(rowsOf(path, 'select * from issued_tokens'), [
      {
        jti: 'j1',
        subject: 'ada@example.org',
        issued_at: '2026-11-21T12:00:00.000Z',
        expires_at: '2026-11-21T13:00:00.000Z',
        canonical_subject: 'ada@example.org',
      },
    ]);
    assert.deepEqual(rowsOf(path, 'select kind, subject, reply_to from outbox order by kind'), [
      { kind: 'auth_request', subject: 'Hello', reply_to: null },
      { kind: 'contact_request', subject: 'Hello', reply_to: 'ada@example.org' },
    ]);
  });

  test('a contact request and its notice are kept together or not at all', async (t) => {
    const { path, store } = await open(t);
    await assert.rejects(store.addContact(contact, { ...notice, subject: null as never }, null), /NOT NULL/);
    assert.deepEqual(rowsOf(path, 'select id from contacts'), []);

    await store.addContact(contact, notice, null);
    await assert.rejects(store.addContact(contact, notice, null), /UNIQUE/);
    assert.equal(rowsOf(path, 'select id from outbox').length, 1);
  });

  test('a token and its notice are kept together or not at all', async (t) => {
    const { path, store } = await open(t);
    await assert.rejects(store.addToken(token, { ...notice, subject: null as never }), /NOT NULL/);
    assert.deepEqual(rowsOf(path, 'select jti from issued_tokens'), []);

    await store.addToken(token, notice);
    await assert.rejects(store.addToken(token, notice), /UNIQUE/);
    assert.equal(rowsOf(path, 'select id from outbox').length, 1);
  });

  test('concurrent requests are all kept', async (t) => {
    const { path, store } = await open(t);
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => store.addContact({ ...contact, id: `c${n}` }, notice, null)),
    );
    assert.deepEqual(rowsOf(path, 'select count(*) as n from contacts'), [{ n: 50 }]);
    assert.deepEqual(rowsOf(path, 'select count(*) as n from outbox'), [{ n: 50 }]);
  });

  test('a contact request of the owner, who has no token, has no subject', async (t) => {
    const { path, store } = await open(t);
    await store.addContact({ ...contact, subject: null }, notice, null);
    assert.deepEqual(rowsOf(path, 'select subject, canonical_subject from contacts'), [
      { subject: null, canonical_subject: null },
    ]);
  });

  test('the outbox is woken after the commit of a notice, and not if the commit fails', async (t) => {
    const seen: unknown[] = [];
    const { path, store } = await open(t);
    store.onMailQueued(() => seen.push(...rowsOf(path, 'select count(*) as n from outbox')));
    await store.addContact(contact, notice, null);
    await assert.rejects(store.addContact(contact, notice, null));
    await store.addToken(token, notice);
    assert.deepEqual(seen, [{ n: 1 }, { n: 2 }]);
  });
});

suite('The uses of quotas', () => {
  const charges = [{ key: 'a', count: 2, seconds: 60 }];
  const used = (path: string) => rowsOf(path, 'select key, used from quota_windows');

  test('are counted with what a call stores, or not at all', async (t) => {
    const { path, store } = await open(t);
    await store.addContact(contact, notice, null, charges);
    await assert.rejects(store.addContact(contact, notice, null, charges), /UNIQUE/);
    assert.deepEqual(used(path), [{ key: 'a', used: 1 }]);
    await store.addToken(token, notice, charges, noon);
    assert.deepEqual(used(path), [{ key: 'a', used: 2 }]);
  });

  test('decide in the transaction: of concurrent requests, as many are kept as a quota allows', async (t) => {
    const { path, store } = await open(t);
    const requests = ['c1', 'c2', 'c3'].map((id) => store.addContact({ ...contact, id }, notice, null, charges));
    const codes = (await Promise.allSettled(requests)).map((one) =>
      one.status === 'fulfilled' ? 'OK' : one.reason.code,
    );
    assert.deepEqual(codes, ['OK', 'OK', 'RATE_LIMITED']);
    await assert.rejects(store.addToken(token, notice, charges, noon), { code: 'RATE_LIMITED' });
    assert.deepEqual(rowsOf(path, 'select id from contacts'), [{ id: 'c1' }, { id: 'c2' }]);
    assert.deepEqual(rowsOf(path, 'select jti from issued_tokens'), []);
  });

  test('are not counted by a repeat under an idempotency key, even if the quota is used up, nor does a refused request keep its key', async (t) => {
    const { path, store } = await open(t);
    const request = (id: string, key: string) =>
      store.addContact(
        { ...contact, id },
        notice,
        { token, subjectHashes: [], claim: { key, fingerprint: 'f' } },
        charges,
      );
    assert.deepEqual([await request('c1', 'key-1'), await request('c2', 'key-1')], ['c1', 'c1']);
    assert.equal(await request('c3', 'key-2'), 'c3');
    await assert.rejects(request('c4', 'key-3'), { code: 'RATE_LIMITED' });
    assert.equal(await request('c5', 'key-2'), 'c3');
    assert.deepEqual(used(path), [{ key: 'a', used: 2 }]);
    assert.deepEqual(rowsOf(path, 'select key from idempotency_keys'), [{ key: 'key-1' }, { key: 'key-2' }]);
  });
});

suite('The database file', () => {
  test('is opened with the settings that make commits durable and deletions final', async (t) => {
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
    await store.addContact(contact, notice, null);
    const folder = join(path, '..');
    const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
    assert.deepEqual(modes.sort(), [
      ['candidate-profile.db', '600'],
      ['candidate-profile.db-shm', '600'],
      ['candidate-profile.db-wal', '600'],
    ]);
  });

  test('causes no warning if it is new', async (t) => {
    const store = await openStore(openSqlite(newDatabasePath(t), (message) => assert.fail(message)));
    await store.close();
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
      message:
        'The database was written by a newer version of candidate-profile; run that version, or restore an older backup.',
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

  test('is locked for other writers from the beginning of a transaction, which so cannot fail between reading and writing', async (t) => {
    const { path, beside } = await open(t);
    await beside.transaction().execute(async () => {
      assert.throws(() => rowsOf(path, "insert into revocations values (1, 'all', '', '')"), /database is locked/);
    });
    rowsOf(path, "insert into revocations values (1, 'all', '', '')");
  });

  test('a query that is repeated after another process has altered a table returns its new columns', async (t) => {
    const { path, beside } = await open(t);
    const query = () => sql`select * from quota_windows`.execute(beside);
    rowsOf(path, "insert into quota_windows values ('a', 1, '')");
    assert.deepEqual((await query()).rows, [{ key: 'a', used: 1, ends_at: '' }]);
    rowsOf(path, 'alter table quota_windows add column more integer default 7');
    assert.deepEqual((await query()).rows, [{ key: 'a', used: 1, ends_at: '', more: 7 }]);
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
    await store.revoke({ kind: 'jti', value: 'j1', revokedAt: noon });
    await store.close();
    chmodSync(path, 0o444);
    const user = process.geteuid!();
    if (user === 0) {
      chownSync(join(path, '..'), 65_534, 65_534);
      process.seteuid!(65_534); // root may write any file
      t.after(() => process.seteuid!(user));
    }

    const readOnly = await open(t, { path });
    await assert.rejects(readOnly.store.addContact(contact, notice, null), { name: 'Failure', code: 'UNAVAILABLE' });
    await assert.rejects(readOnly.store.addToken(token, notice), { name: 'Failure', code: 'UNAVAILABLE' });
    assert.equal(readOnly.store.isWritable(), false);
    assert.equal((await readOnly.store.revocationsAfter(0)).length, 1);
  });

  test('a full disk makes writes UNAVAILABLE until there is space again', async (t) => {
    const { path, store, lines, beside } = await open(t);
    const large = { ...contact, message: 'x'.repeat(10_000) };
    assert.equal(store.isWritable(), true);

    await sql`pragma max_page_count = 1`.execute(beside); // means the size it has
    await assert.rejects(store.addContact(large, notice, null), (failure: Error) => {
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
    await store.addContact(large, notice, null);
    assert.deepEqual(rowsOf(path, 'select id from contacts'), [{ id: 'contact_1' }]);
    assert.equal(lines.length, 2);
  });

  test('a scrub says that the disk is full, and succeeds once there is space again', async (t) => {
    const { store, beside } = await open(t);
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
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 4_096)); // all pages but the first
    for (const read of [
      () => store.claimMail(noon, afterNoon(15)),
      () => store.nextMailDueAt(noon),
      () => store.hasDeadLetterSince(noon),
      () => store.outboxState(),
      () => store.listUnsent(noon),
      () => store.latestAt(),
      () => store.listContacts(),
      () => store.contactsByIdPrefix('contact_'),
      () => store.hasKey('ada@example.org', 'key-1', noon),
      () => store.checkQuotas([{ key: 'a', count: 1, seconds: 60 }], noon),
      () => store.unexpiredTokens(noon),
      () => store.revocationsAfter(0),
    ])
      await assert.rejects(read(), { name: 'Failure', code: 'UNAVAILABLE' }, String(read));
    assert.equal(store.isWritable(), false);
  });

  test('while the outbox is damaged, the store stays writable, and the log says once that it failed', async (t) => {
    const { path, store, lines } = await open(t);
    damageTable(path, 'outbox');
    for (const jti of ['j1', 'j2']) {
      await assert.rejects(store.claimMail(noon, afterNoon(15)), { name: 'Failure', code: 'UNAVAILABLE' });
      await assert.rejects(store.outboxState(), { name: 'Failure', code: 'UNAVAILABLE' });
      assert.equal(store.isWritable(), true);
      await store.revoke({ kind: 'jti', value: jti, revokedAt: noon });
    }
    assert.deepEqual(lines, [['error', 'database disk image is malformed', 'the store failed']]);
  });

  test('a probe of a writable store does not write', async (t) => {
    const { path, store } = await open(t, { lockWaitMilliseconds: 0 });
    const other = new DatabaseSync(path);
    t.after(() => other.close());
    other.exec('begin immediate');
    await store.probeWrite();
  });

  test('while another connection holds the write lock, reads succeed, and a write is UNAVAILABLE after its wait', async (t) => {
    const { path, store } = await open(t, { lockWaitMilliseconds: 50 });
    const other = new DatabaseSync(path);
    t.after(() => other.close());
    other.exec('begin immediate');
    let isRefused = false;
    const refused = assert
      .rejects(store.addContact(contact, notice, null), { name: 'Failure', code: 'UNAVAILABLE' })
      .then(() => {
        isRefused = true;
      });
    assert.deepEqual(await store.revocationsAfter(0), []);
    assert.equal(isRefused, false);
    await refused;
    assert.equal(store.isWritable(), false);

    const waiting = [1, 2, 3].map((n) => store.addContact({ ...contact, id: `c${n}` }, notice, null));
    await store.unexpiredTokens(noon);
    other.exec('commit');
    assert.deepEqual(await Promise.all(waiting), ['c1', 'c2', 'c3']);
    assert.equal(store.isWritable(), true);
    assert.deepEqual(rowsOf(path, 'select id from contacts order by id'), [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }]);
  });

  test('a store without missing migrations opens while another connection holds the write lock', async (t) => {
    const { path, store } = await open(t);
    await store.close();
    const other = new DatabaseSync(path);
    t.after(() => other.close());
    other.exec('begin immediate');
    assert.deepEqual(await (await open(t, { path })).store.listContacts(), []);
  });

  test('an error of the program does not mark the store as not writable', async (t) => {
    const { store } = await open(t);
    await store.addContact(contact, notice, null);
    await assert.rejects(store.addContact(contact, notice, null), { code: 'ERR_SQLITE_ERROR' });
    assert.equal(store.isWritable(), true);
  });
});

suite('The outbox queue', () => {
  test('a claimed mail cannot be claimed again until its lease ends', async (t) => {
    const { store } = await open(t);
    await store.addContact(contact, notice, null);
    const { id: _, ...mail } = (await store.claimMail(noon, afterNoon(120)))!;
    assert.deepEqual(mail, { notices: [notice], createdAt: noon, attempts: 1, expiresAt: null });
    assert.equal(await store.claimMail(afterNoon(119), afterNoon(239)), null);
    assert.equal((await store.claimMail(afterNoon(120), afterNoon(240)))?.attempts, 2);
  });

  test('a lease can be renewed until the mail is sent, and not after', async (t) => {
    const { store } = await open(t);
    await store.addContact(contact, notice, null);
    const mail = (await store.claimMail(noon, afterNoon(15)))!;
    await store.renewLease(mail, afterNoon(5), afterNoon(20));
    assert.equal(await store.claimMail(afterNoon(19), afterNoon(34)), null);
    await store.markMailSent(mail, afterNoon(19));
    await store.renewLease(mail, afterNoon(20), afterNoon(35));
    assert.equal(await store.nextMailDueAt(noon), null);
  });

  test('a process that has lost the lease changes nothing', async (t) => {
    const { store } = await open(t);
    await store.addContact(contact, notice, null);
    const lost = (await store.claimMail(noon, afterNoon(120)))!;
    await store.claimMail(afterNoon(120), afterNoon(240));
    await store.deferMail(lost, afterNoon(121), afterNoon(122), 'late');
    await store.giveUpMail(lost, 'late');
    await store.splitMail(lost, afterNoon(121), 'late');
    await store.renewLease(lost, afterNoon(121), afterNoon(360));
    assert.deepEqual(await store.nextMailDueAt(noon), afterNoon(240));
  });

  test('mails are claimed in the order in which they are due, and not before', async (t) => {
    const { store } = await open(t);
    await store.addContact({ ...contact, receivedAt: afterNoon(2) }, { ...notice, text: 'second' }, null);
    await store.addToken(token, { ...notice, text: 'first' });
    assert.deepEqual(await store.nextMailDueAt(noon), noon);
    assert.equal((await store.claimMail(afterNoon(1), afterNoon(121)))?.notices[0]?.text, 'first');
    assert.equal(await store.claimMail(afterNoon(1), afterNoon(121)), null);
    assert.equal((await store.claimMail(afterNoon(2), afterNoon(122)))?.notices[0]?.text, 'second');
  });

  test('a mail that was sent or given up is never claimed again', async (t) => {
    const { path, store } = await open(t);
    await store.addContact(contact, notice, null);
    await store.addToken(token, notice);
    await store.markMailSent((await store.claimMail(noon, afterNoon(120)))!, afterNoon(1));
    await store.giveUpMail((await store.claimMail(noon, afterNoon(120)))!, 'EENVELOPE 550');
    assert.equal(await store.nextMailDueAt(noon), null);
    assert.equal(await store.claimMail(afterNoon(1_000_000), afterNoon(1_000_120)), null);
    assert.equal(await store.claimMail(afterNoon(-1_000_000), afterNoon(-999_880)), null);
    assert.deepEqual(rowsOf(path, 'select sent_at, last_error from outbox order by sent_at'), [
      { sent_at: null, last_error: 'EENVELOPE 550' },
      { sent_at: '2026-11-21T12:00:01.000Z', last_error: null },
    ]);
  });

  test('a clock that is set back delays neither new mails nor deferred ones', async (t) => {
    const { store } = await open(t);
    await store.addContact(contact, notice, null);
    const mail = (await store.claimMail(afterNoon(-3_600), afterNoon(-3_480)))!;
    await store.deferMail(mail, noon, afterNoon(30), 'ESOCKET');
    assert.equal((await store.claimMail(afterNoon(-3_600), afterNoon(-3_480)))?.attempts, 2);
  });
});

for (const [whose, revocation] of [
  ['the token was', { kind: 'jti', value: 'j1', revokedAt: noon }],
  ['the tokens of its subject were', { kind: 'subject', value: 'hash 2', revokedAt: noon }],
  ['all tokens were', { kind: 'all', value: '', revokedAt: afterNoon(0.4) }],
] as const)
  test(`a contact request is not kept, and an idempotent retry not answered, if ${whose} revoked by another process`, async (t) => {
    const { path, store } = await open(t);
    const sender = { token, subjectHashes: ['hash 1', 'hash 2'], claim: { key: 'key-1', fingerprint: 'f' } };
    await store.addContact(contact, notice, sender);
    const other = await open(t, { path });
    await other.store.revoke(revocation);
    for (const claim of [sender.claim, { key: 'key-2', fingerprint: 'f' }, null])
      await assert.rejects(store.addContact({ ...contact, id: 'contact_2' }, notice, { ...sender, claim }), {
        code: 'UNAUTHORIZED',
      });
    assert.deepEqual(rowsOf(path, 'select id from contacts'), [{ id: 'contact_1' }]);
    assert.deepEqual(rowsOf(path, 'select key from idempotency_keys'), [{ key: 'key-1' }]);
    assert.deepEqual(rowsOf(path, 'select about from outbox'), [{ about: 'contact_1' }]);
  });

test('a contact request is kept if only other tokens were revoked, or its subject before the token was issued', async (t) => {
  const { path, store } = await open(t);
  await store.revoke({ kind: 'jti', value: 'j2', revokedAt: afterNoon(1) });
  await store.revoke({ kind: 'jti', value: 'hash', revokedAt: afterNoon(1) });
  await store.revoke({ kind: 'subject', value: 'other hash', revokedAt: afterNoon(1) });
  await store.revoke({ kind: 'subject', value: 'hash', revokedAt: afterNoon(-1) });
  await store.revoke({ kind: 'all', value: '', revokedAt: afterNoon(-1) });
  await store.addContact(contact, notice, { token, subjectHashes: ['hash'], claim: null });
  assert.deepEqual(rowsOf(path, 'select id from contacts'), [{ id: 'contact_1' }]);
});

test('revocations are read in order, from any sequence number on', async (t) => {
  const { store } = await open(t);
  assert.deepEqual(await store.revocationsAfter(0), []);
  await store.revoke({ kind: 'jti', value: 'j1', revokedAt: noon });
  await store.revoke({ kind: 'subject', value: 'hash', revokedAt: noon });
  await store.revoke({ kind: 'all', value: '', revokedAt: afterNoon(1) });
  assert.deepEqual(await store.revocationsAfter(1), [
    { sequence: 2, kind: 'subject', value: 'hash', revokedAt: noon },
    { sequence: 3, kind: 'all', value: '', revokedAt: afterNoon(1) },
  ]);
  assert.deepEqual(await store.revocationsAfter(3), []);
});
