import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openAuditLog } from '../../../src/adapters/audit-log.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { startRetention } from '../../../src/service/retention.ts';
import { createDatabase, openDatabase, rowsOf } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';

// These tests are of data that expires.
const endPastLinks = async () => {};

const noon = Date.parse('2026-11-21T12:00:00.000Z');
const hour = 3_600_000;
const forEver = {
  contactsSeconds: Infinity,
  mailSeconds: 86_400,
  auditSeconds: 864_000,
  readsSeconds: 864_000,
};

/** Opens a store with a contact request from an hour before noon and an expired token, and folders for mail and audit files. */
async function openKept(t: TestContext) {
  const folder = newFolder(t);
  const path = await createDatabase(join(folder, 'store.db'));
  const store = await openStore(openDatabase(path));
  t.after(() => store.close());
  const notice = { subject: 'S', text: 'T', line: 'L', replyTo: null };
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello', subject: null };
  const received = { ...contact, id: 'contact_1', receivedAt: new Date(noon - hour) };
  await store.contacts.add(received, { ...notice, kind: 'contact_request', about: 'contact_1' }, null);
  const token = {
    jti: 'token_1',
    subject: byAddress('ada@example.org'),
    issuedAt: new Date(noon),
    expiresAt: new Date(noon + 1),
  };
  await store.tokens.add(token, { ...notice, kind: 'auth_request', about: 'token_2' });
  const mailDirectory = join(folder, 'mail');
  const audit = join(folder, 'audit');
  for (const directory of [mailDirectory, audit]) mkdirSync(directory);
  const mail = (name: string, millisecondsAgo: number) => {
    writeFileSync(join(mailDirectory, name), '');
    const at = new Date(noon - millisecondsAgo);
    utimesSync(join(mailDirectory, name), at, at);
  };
  const logged: unknown[][] = [];
  const log = { info: (...line: unknown[]) => logged.push(line), error: (...line: unknown[]) => logged.push(line) };
  const auditLog = openAuditLog({ directory: audit, hashVisitor: String, now: () => new Date(noon), log });
  return {
    store,
    path,
    logged,
    mail,
    mails: () => readdirSync(mailDirectory).sort(),
    audit: (name: string) => writeFileSync(join(audit, name), ''),
    audits: () => readdirSync(audit).sort(),
    /** Runs retention once at an instant. */
    async eraseExpired(keep: typeof forEver, at = noon) {
      const now = () => new Date(at);
      await startRetention({
        ...{ store, auditLog, mailDirectory, keep, now },
        log: log as never,
        endPastLinks,
      }).stop();
    },
  };
}

test('contact requests are kept for KEEP_CONTACTS, to the millisecond, or forever', async (t) => {
  const { store, eraseExpired, logged } = await openKept(t);
  await eraseExpired(forEver);
  await eraseExpired({ ...forEver, contactsSeconds: 3_600 });
  assert.equal((await store.contacts.list()).length, 1);
  assert.deepEqual(logged, []);
  await eraseExpired({ ...forEver, contactsSeconds: 3_599.999 });
  assert.deepEqual(await store.contacts.list(), []);
  assert.deepEqual(logged, [
    [{ contacts: 1, tokens: 0, grants: 0, reads: 0, notes: 0, mails: 0 }, 'expired data erased'],
  ]);
});

test('mail files are deleted by their age, but never within an hour; audit files by their day', async (t) => {
  const { eraseExpired, mail, mails, audit, audits } = await openKept(t);
  mail('old.eml', hour + 1);
  mail('young.eml', hour - 1);
  for (const day of ['2026-11-11', '2026-11-12']) audit(`audit-${day}.jsonl`);
  await eraseExpired(forEver);
  assert.deepEqual(mails(), ['old.eml', 'young.eml']);
  assert.deepEqual(audits(), ['audit-2026-11-11.jsonl', 'audit-2026-11-12.jsonl']);
  await eraseExpired({ ...forEver, mailSeconds: 60, auditSeconds: 9 * 86_400 });
  assert.deepEqual(mails(), ['young.eml']);
  assert.deepEqual(audits(), ['audit-2026-11-12.jsonl']);
});

test('a sent e-mail is deleted by its age, together with its file', async (t) => {
  const { store, path, eraseExpired, mail, mails, logged } = await openKept(t);
  const id = '00000000-0000-4000-8000-000000000001';
  const sentAt = new Date(noon - 2 * hour).toISOString();
  rowsOf(path, `update outbox set mail_id = '${id}', sent_at = '${sentAt}' where about = 'contact_1'`);
  mail(`20261121T120000.000Z-${id}.eml`, 0);
  await eraseExpired({ ...forEver, mailSeconds: 7_200 });
  assert.equal(mails().length, 1);
  await eraseExpired({ ...forEver, mailSeconds: 7_199 });
  assert.deepEqual(mails(), []);
  assert.deepEqual(logged, [
    [{ contacts: 0, tokens: 0, grants: 0, reads: 0, notes: 0, mails: 1 }, 'expired data erased'],
  ]);
  assert.equal((await store.contacts.list()).length, 1);
});

test('the file of a mail whose message has expired is removed, even if a later table cannot be erased', async (t) => {
  const { path, eraseExpired, mail, mails, logged } = await openKept(t);
  const id = '00000000-0000-4000-8000-000000000001';
  rowsOf(path, `update outbox set mail_id = '${id}', sent_at = '2026-11-21T11:59:00.000Z' where about = 'contact_1'`);
  mail(`20261121T115900.000Z-${id}.eml`, 60_000);
  rowsOf(path, 'alter table quota_windows rename to quota_away');
  await eraseExpired({ ...forEver, contactsSeconds: 60 });
  assert.deepEqual(mails(), []);
  assert.equal(logged.at(-1)![1], 'expired data could not be erased completely');
});

test('requests of clients that have expired are erased each minute [TRUST-68]', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { store, path } = await openKept(t);
  const keepRequest = (id: string) =>
    store.oauth.records.put(
      { id, grantId: null, canonicalSubject: null, payload: '{}', expiresAt: new Date(noon + 1) },
      new Date(noon),
    );
  let at = noon;
  const auditLog = { removeBefore: () => {} };
  const keep = { ...forEver, contactsSeconds: 3_600 };
  const log = { info: () => {}, error: (fields: { err: Error }) => assert.fail(fields.err) } as never;
  const retention = startRetention({
    ...{ store, auditLog, keep, log, endPastLinks },
    mailDirectory: '/nowhere',
    now: () => new Date(at),
  });
  await keepRequest('request');
  at += 60_000;
  t.mock.timers.tick(60_000);
  await retention.stop();
  assert.deepEqual(rowsOf(path, 'select id from oauth_records'), []);
});

test('a failed deletion is logged and retried each hour', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lines: unknown[][] = [];
  const calls: string[] = [];
  // The number of contact requests erased each hour; two deletions, which may have erased some, and the first scrub fail.
  const hours = [0, 2, new Error('erasing failed'), 0, new Error('failed again'), 0, 0];
  const scrubs = [new Error('scrub failed')];
  const retention = startRetention({
    endPastLinks,
    store: {
      expiry: {
        erase: async () => {
          calls.push('erase');
          const contacts = hours.shift()!;
          if (contacts instanceof Error) throw contacts;
          return { contacts, tokens: 0, grants: 0, reads: 0, notes: 0, mails: [] };
        },
        eraseRecords: async () => {},
      },
      scrub: async () => {
        calls.push('scrub');
        const fault = scrubs.shift();
        if (fault) throw fault;
      },
    },
    auditLog: { removeBefore: () => {} },
    mailDirectory: join(newFolder(t), 'mail'),
    keep: forEver,
    now: () => new Date(noon),
    log: { info: (...line: unknown[]) => lines.push(line), error: (...line: unknown[]) => lines.push(line) } as never,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  for (let n = 0; n < 5; n += 1) {
    t.mock.timers.tick(hour);
    await settle();
  }
  await retention.stop();
  t.mock.timers.tick(hour);
  assert.deepEqual(calls, ['erase', 'erase', 'scrub', 'erase', 'erase', 'scrub', 'erase', 'erase', 'scrub']);
  assert.deepEqual(
    lines.map(([fields, message]) => [(fields as { err?: Error }).err?.message, message]),
    [
      ['scrub failed', 'expired data could not be erased completely'],
      ['erasing failed', 'expired data could not be erased completely'],
      ['failed again', 'expired data could not be erased completely'],
    ],
  );
});
