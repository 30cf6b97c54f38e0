import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hash, hmac, newSecret } from '../../../src/adapters/node-crypto.ts';
import { backUp } from '../../../src/adapters/store/sqlite/backup.ts';
import type { AuditEntry } from '../../../src/model/log-entry.ts';
import type { IssuedToken } from '../../../src/model/token.ts';
import { byAddress, visitorKeyOf } from '../../../src/model/visitor.ts';
import { sessionsOf } from '../../../src/operations/page-sessions.ts';
import { rowsOf, testOnSqlite } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { afterNoon, noon, notice, openTestStore, token } from '../../support/store.ts';

const day = 24 * 60 * 60;
const month: IssuedToken = { ...token, expiresAt: afterNoon(365 * day) };
const forgotten = { isRemembered: false, isTokenShown: false, mayWrite: true };

async function openSessions(t: TestContext) {
  const { path, store } = await openTestStore(t);
  const clock = { now: noon };
  const audited: AuditEntry[] = [];
  const revoked = new Set<string>();
  let secrets = ['first key'];
  const sessions = sessionsOf({
    store,
    reads: { storeNow: async () => {} },
    now: () => clock.now,
    newSecret,
    audit: (entry) => void audited.push(entry),
    idsOf: (secret) => secrets.map((key) => hmac(Buffer.from(key), secret)),
    tokens: {
      sign: async ({ jti }) => `signed ${jti}`,
      isRevoked: ({ jti }) => revoked.has(jti),
      learnView: async () => {},
      revoke: async ({ jti }) => void revoked.add(jti),
    },
  });
  const add = async (issued: IssuedToken) => {
    await store.tokens.add(issued, { ...notice, kind: 'auth_request', about: issued.jti });
    return issued;
  };
  return {
    path,
    store,
    sessions,
    audited,
    revoked,
    add,
    at: (seconds: number) => {
      clock.now = afterNoon(seconds);
    },
    useKeys: (...keys: string[]) => {
      secrets = keys;
    },
  };
}

test('a session lasts 30 days, however much it is used, and then its row is erased', async (t) => {
  const { sessions, add, at, store, path } = await openSessions(t);
  const { secret } = await sessions.open(await add(month), forgotten, null);
  assert.equal(Buffer.from(secret, 'base64url').byteLength, 32);
  at(30 * day - 1);
  assert.equal((await sessions.find(secret))?.token.jti, 'j1');
  at(30 * day);
  assert.equal(await sessions.find(secret), null);
  await store.expiry.erase(afterNoon(30 * day), { contacts: null, mail: noon, reads: noon });
  assert.deepEqual(rowsOf(path, 'select * from page_sessions'), []);
});

test('it ends with its token if that is sooner [TRUST-75]', async (t) => {
  const { sessions, add, at } = await openSessions(t);
  const { secret, session } = await sessions.open(await add(token), forgotten, null);
  assert.deepEqual(session.expiresAt, token.expiresAt);
  at(3_599);
  assert.notEqual(await sessions.find(secret), null);
  at(3_600);
  assert.equal(await sessions.find(secret), null);
});

test('what was asked for is kept: to be remembered, and that the token was shown', async (t) => {
  const { sessions, add } = await openSessions(t);
  const { secret } = await sessions.open(await add(month), { ...forgotten, isRemembered: true }, null);
  const found = (await sessions.find(secret))!;
  assert.deepEqual([found.isRemembered, found.isTokenShown], [true, false]);
  await sessions.showToken(found);
  assert.equal((await sessions.find(secret))!.isTokenShown, true);
  assert.equal(await sessions.tokenOf(found), 'signed j1');
});

test('leaving ends the token unless it was shown', async (t) => {
  const { sessions, add, revoked, audited } = await openSessions(t);
  const unseen = await sessions.open(await add(month), forgotten, null);
  await sessions.end(unseen.session);
  assert.equal(await sessions.find(unseen.secret), null);
  assert.deepEqual([...revoked], ['j1']);
  assert.deepEqual(audited, [{ event: 'token_revoked', detail: 'left', jti: 'j1' }]);
  const seen = await sessions.open(await add({ ...month, jti: 'j2' }), { ...forgotten, isTokenShown: true }, null);
  await sessions.end(seen.session);
  assert.equal(await sessions.find(seen.secret), null);
  assert.deepEqual([...revoked], ['j1']);
});

test('a new session of the same token takes the place of the one before; of another token, that one ends', async (t) => {
  const { sessions, add, revoked, path } = await openSessions(t);
  const first = await sessions.open(await add(month), forgotten, null);
  const second = await sessions.open(month, forgotten, first.session);
  assert.equal(await sessions.find(first.secret), null);
  assert.notEqual(await sessions.find(second.secret), null);
  assert.deepEqual([...revoked], []);
  await sessions.open(await add({ ...month, jti: 'j2' }), forgotten, second.session);
  assert.deepEqual([...revoked], ['j1']);
  assert.deepEqual(
    rowsOf(path, 'select jti from page_sessions').map(({ jti }) => jti),
    ['j2'],
  );
});

test('a token has 20 sessions at most: another one ends the oldest, and no session of another token [TRUST-75]', async (t) => {
  const { sessions, add, at, path } = await openSessions(t);
  const other = await sessions.open(await add({ ...month, jti: 'j2' }), forgotten, null);
  await add(month);
  const secrets: string[] = [];
  for (let count = 0; count < 21; count += 1) {
    at(count);
    secrets.push((await sessions.open(month, forgotten, null)).secret);
  }
  assert.equal(await sessions.find(secrets[0]!), null);
  for (const secret of [...secrets.slice(1), other.secret]) assert.notEqual(await sessions.find(secret), null);
  assert.equal(rowsOf(path, 'select hash from page_sessions').length, 21);
});

test('a session is over when its token is revoked, its visitor erased, or the key dropped that it was opened under [TRUST-75]', async (t) => {
  const { sessions, add, revoked, store, useKeys } = await openSessions(t);
  const open = async (jti: string) => (await sessions.open(await add({ ...month, jti }), forgotten, null)).secret;
  const [one, two, three] = [await open('j1'), await open('j2'), await open('j3')];
  revoked.add('j1');
  assert.equal(await sessions.find(one), null);
  useKeys('next key', 'first key');
  assert.notEqual(await sessions.find(two), null);
  useKeys('next key');
  assert.equal(await sessions.find(two), null);
  useKeys('first key');
  await store.visitors.erase(token.subject);
  assert.equal(await sessions.find(three), null);
});

testOnSqlite(
  'the database holds no secret of a session, and no plain hash of one, nor does a backup [TRUST-75]',
  async (t) => {
    const { sessions, add, path, store } = await openSessions(t);
    const { secret } = await sessions.open(await add(month), forgotten, null);
    const backup = join(newFolder(t), 'backup.db');
    await backUp(path, backup);
    for (const file of [path, `${path}-wal`, backup]) {
      const bytes = readFileSync(file);
      for (const hidden of [secret, hash(secret)]) assert.equal(bytes.includes(hidden), false, file);
    }
    assert.equal(rowsOf(backup, 'select * from page_sessions').length, 1);
    const { page_sessions: exported } = await store.visitors.traces(byAddress('ada@example.org'));
    assert.deepEqual(exported, [
      {
        jti: 'j1',
        created_at: '2026-11-21T12:00:00.000Z',
        expires_at: '2026-12-21T12:00:00.000Z',
        is_remembered: false,
        is_token_shown: false,
        draft: null,
      },
    ]);
  },
);

test('a draft is kept with its session, exported with it, and dropped when the message is sent', async (t) => {
  const { sessions, add, store } = await openSessions(t);
  const { secret, session } = await sessions.open(await add(month), forgotten, null);
  const other = await sessions.open(month, forgotten, null);
  await sessions.keepDraft(session, '{"name":"","message":"Hello"}');
  assert.equal((await sessions.find(secret))!.draft, '{"name":"","message":"Hello"}');
  assert.equal((await sessions.find(other.secret))!.draft, null);
  const { page_sessions: exported } = await store.visitors.traces(byAddress('ada@example.org'));
  assert.deepEqual(new Set(exported.map(({ draft }) => draft)), new Set([{ name: '', message: 'Hello' }, null]));
  await sessions.markConfirmed(session);
  assert.notEqual((await sessions.find(secret))!.draft, null);
  await sessions.confirmLater(session, 'c1');
  assert.equal((await sessions.find(secret))!.draft, null);
});

test('a draft may name anybody: when a visitor is erased, those of others are dropped, and nobody is signed out', async (t) => {
  const { sessions, add, store } = await openSessions(t);
  const { secret, session } = await sessions.open(await add(month), forgotten, null);
  await sessions.keepDraft(session, '{"email":"eve@example.org"}');
  await store.visitors.erase(byAddress('eve@example.org'));
  assert.equal((await sessions.find(secret))!.draft, null);
});

test('the confirmation of a sent message is kept until a page has shown it; erasing the message signs nobody out', async (t) => {
  const { sessions, add, store } = await openSessions(t);
  const { secret, session } = await sessions.open(await add(month), forgotten, null);
  const contact = { name: 'N', company: 'C', message: 'M', email: 'eve@example.org', subject: month.subject };
  await store.contacts.add({ ...contact, id: 'c1', receivedAt: noon }, notice, null);
  await sessions.confirmLater(session, 'c1');
  assert.equal((await sessions.find(secret))!.unconfirmedEmail, 'eve@example.org');
  await sessions.markConfirmed(session);
  assert.equal((await sessions.find(secret))!.unconfirmedEmail, null);
  await sessions.confirmLater(session, 'c1');
  await store.visitors.eraseContact('c1');
  assert.equal((await sessions.find(secret))!.unconfirmedEmail, null);
});

test('of the tokens of the page, the first of an address in 24 hours is reported; of other tokens each', async (t) => {
  const { store, path } = await openSessions(t);
  const issue = (jti: string, seconds: number, isOfPage: boolean, subject = token.subject) => {
    const issued = { ...month, jti, subject, issuedAt: afterNoon(seconds) };
    const queued = { ...notice, kind: 'auth_request', about: jti } as const;
    return store.tokens.add(issued, queued, [], issued.issuedAt, { isOfPage });
  };
  await issue('rest', 0, false);
  await issue('first', 10, true);
  await issue('second', 20, true);
  await issue('spelled otherwise', 30, true, byAddress('ADA@EXAMPLE.ORG'));
  await issue('of another', 40, true, byAddress('bob@example.org'));
  await issue('rest again', 50, false);
  await issue('a day later', 10 + day, true);
  assert.deepEqual(
    rowsOf(path, 'select about from outbox order by created_at').map(({ about }) => about),
    ['rest', 'first', 'of another', 'rest again', 'a day later'],
  );
  assert.equal((await store.tokens.listOf([visitorKeyOf(token.subject)])).length, 6);
});
