import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { decodeJwt } from 'jose';
import { openAuditLog } from '../../../src/adapters/audit-log.ts';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { toContactNotice } from '../../../src/operations/notices.ts';
import { readConfig } from '../../../src/service/config/config.ts';
import { startRetention } from '../../../src/service/retention.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { postJson } from '../../support/post-json.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';

// These tests are of data that expires.
const endPastLinks = async () => {};

const PROFILE = fixture('profile.yaml');
const hour = 3_600_000;
const day = 24 * hour;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

/** Returns how many files of a folder contain the text. */
const hitsIn = (folder: string, text: string): number =>
  globSync('**', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .filter((path) => readFileSync(path, 'latin1').toLowerCase().includes(text)).length;

/** Starts a service whose data can be made older after it was killed, and inspected after the next start. */
async function openKept(t: TestContext) {
  const service = await startProcess(t, { PROFILE });
  const { folder } = service;
  const data = join(folder, 'data');
  const database = openSqliteFile(join(data, 'candidate-profile.db'));
  database.exec('pragma secure_delete = 1');
  const column = (name: string, table: string) =>
    database
      .prepare(`select ${name} as value from ${table} order by 1`)
      .all()
      .map(({ value }) => String(value));
  return {
    data,
    database,
    column,
    async token(email: string) {
      const text = await service.token(email);
      return { text, jti: decodeJwt(text).jti! };
    },
    async write(token: { text: string }, email: string): Promise<string> {
      const body = { name: 'Ada', email, company: 'Engines', message: `I am ${email}` };
      const headers = { authorization: `Bearer ${token.text}`, 'idempotency-key': email };
      const response = await fetch(`${service.url}/contact`, postJson(body, headers));
      assert.equal(response.status, 201);
      return ((await response.json()) as { id: string }).id;
    },
    /** The mail files about these contact requests and tokens. */
    filesAbout: (...about: string[]) =>
      about
        .map((id) => database.prepare('select mail_id, created_at from outbox where about = ?').get(id)!)
        .map(({ mail_id, created_at }) => `${String(created_at).replace(/[-:]/g, '')}-${mail_id}.eml`)
        .sort(),
    mailFiles: () => readdirSync(join(data, 'mail')).sort(),
    /** Waits until all mail is sent, and kills the service. */
    async kill(): Promise<void> {
      await eventually(() => column('id', 'outbox where sent_at is null').length === 0);
      service.kill('SIGKILL');
      await service.exited();
    },
    /** Starts a service in the same folder; returns what it logs about erased data. */
    async start(env: Record<string, string> = {}) {
      database.exec('pragma wal_checkpoint(truncate)');
      const { lines } = await startProcess(t, { PROFILE, ...env }, folder);
      return () => lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'expired data erased');
    },
  };
}

suite('Retention', { concurrency: 2 }, () => {
  test('requests older than KEEP_CONTACTS are erased at start with their notices, keys and files [TRUST-34]', async (t) => {
    const kept = await openKept(t);
    const { data, database, column } = kept;
    const token = await kept.token('holder@example.org');
    const old = await kept.write(token, 'gone.visitor@example.org');
    const dead = await kept.write(token, 'gone.dead@example.org');
    const young = await kept.write(token, 'young@example.org');
    await kept.kill();
    database.prepare('update contacts set received_at = ? where id in (?, ?)').run(ago(30 * day + hour), old, dead);
    database.prepare('update contacts set received_at = ? where id = ?').run(ago(30 * day - hour), young);
    database.prepare('update outbox set sent_at = null, due_at = null where about = ?').run(dead);
    const staying = kept.filesAbout(token.jti, young);
    assert.equal(kept.mailFiles().length, 4);
    assert.ok(hitsIn(data, 'gone.visitor@example.org') > 1);

    const erased = await kept.start({ KEEP_CONTACTS: '30d', KEEP_MAIL: '365d' });
    await eventually(() => erased() !== undefined);
    assert.deepEqual(column('id', 'contacts'), [young]);
    assert.deepEqual(column('about', 'outbox'), [token.jti, young].sort());
    assert.deepEqual(column('key', 'idempotency_keys'), ['young@example.org']);
    assert.deepEqual(column('jti', 'issued_tokens'), [token.jti]);
    assert.deepEqual(kept.mailFiles(), staying);
    const { contacts, tokens, mails } = erased();
    assert.deepEqual({ contacts, tokens, mails }, { contacts: 2, tokens: 0, mails: 2 });
    // The service is running: its -wal is among the files.
    assert.ok(readdirSync(data).includes('candidate-profile.db-wal'));
    for (const hidden of ['gone.visitor', 'gone.dead']) assert.equal(hitsIn(data, hidden), 0);
    assert.ok(hitsIn(data, 'young@example.org') > 1);
  });

  test('by default requests are kept forever, e-mails seven days, audit log and reads 90', (t) => {
    const { contactsSeconds, mailSeconds, auditSeconds, readsSeconds } = readConfig({ PROFILE }, newFolder(t)).keep;
    assert.deepEqual(
      [contactsSeconds, mailSeconds, auditSeconds, readsSeconds],
      [Infinity, 604_800, 7_776_000, 7_776_000],
    );
  });

  test('what expires while the service runs is erased within an hour, and scrubbed an hour later', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const folder = newFolder(t);
    const path = join(folder, 'store.db');
    const store = await openStore(openSqlite(path));
    const clock = { now: new Date('2026-11-21T12:00:00.000Z') };
    const contact = { id: 'contact_1', name: 'Ada', email: 'gone@example.org', company: 'Engines', message: 'Hello' };
    const first = { ...contact, subject: null, receivedAt: clock.now };
    await store.contacts.add(first, toContactNotice(first), null);
    const errors: { err: Error }[] = [];
    const log = { info: () => {}, error: (fields: { err: Error }) => void errors.push(fields) };
    const now = () => clock.now;
    const auditLog = openAuditLog({ directory: join(folder, 'audit'), hashVisitor: String, now, log });
    const keep = { contactsSeconds: 86_400, mailSeconds: 86_400, auditSeconds: 86_400, readsSeconds: 86_400 };
    const mailDirectory = join(folder, 'mail');
    const retention = startRetention({
      ...{ store, auditLog, mailDirectory, keep, now },
      log: log as never,
      endPastLinks,
    });
    t.after(async () => {
      await retention.stop();
      await store.close();
    });
    const reader = openSqliteFile(path, { readOnly: true });
    reader.exec('begin');
    assert.equal(reader.prepare('select count(*) as n from contacts').get()?.n, 1);

    clock.now = new Date(clock.now.getTime() + day + hour);
    t.mock.timers.tick(hour);
    await eventually(() => errors.length === 1);
    assert.match(errors[0]!.err.message, /^Erased data is still in the write-ahead log of the database/);
    assert.deepEqual(await store.contacts.list(), []);
    assert.ok(hitsIn(folder, 'gone@example.org') > 0);
    reader.close();
    t.mock.timers.tick(hour);
    await eventually(() => hitsIn(folder, 'gone@example.org') === 0);
    assert.equal(errors.length, 1);
  });
});
