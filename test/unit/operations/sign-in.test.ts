import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { storedChargesOf } from '../../../src/adapters/limits.ts';
import { hash, newSecret } from '../../../src/adapters/node-crypto.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import type { AuditEntry } from '../../../src/model/log-entry.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import { createSignInLink, signOut, signOutEverywhere } from '../../../src/operations/owner/sign-in.ts';
import { signInOf } from '../../../src/operations/sign-in.ts';
import { openDatabase, rowsOf } from '../../support/database.ts';
import { afterNoon, noon, openTestStore } from '../../support/store.ts';

const minute = 60;
const hour = 60 * minute;

async function openParts(t: TestContext, setup = { isOpen: async () => false, isCode: (_: string) => false }) {
  const { path, store } = await openTestStore(t);
  const clock = { now: noon };
  const audited: AuditEntry[] = [];
  const parts = {
    limits: { toStored: storedChargesOf(1, String) },
    newSecret,
    hash,
    baseUrl: 'https://profile.example',
    audit: (entry: AuditEntry) => void audited.push(entry),
    now: () => clock.now,
    setup,
  };
  const signIn = signInOf({ ...parts, store });
  const run = invokerFor({ ...parts, store });
  const newLink = async (path = '/desk') => (await run(createSignInLink, { path })).url.split('?link=')[1]!;
  return {
    path,
    store,
    audited,
    signIn,
    run,
    at: (seconds: number) => {
      clock.now = afterNoon(seconds);
    },
    /** Prints a link and returns its secret. */
    newLink,
    /** Signs in and returns the secret of the session. */
    async session() {
      const confirmed = await signIn.confirm(await newLink(), null);
      return typeof confirmed === 'string' ? assert.fail(confirmed) : confirmed.session;
    },
    /** Opens signing in on the same database, as another process does. */
    async beside() {
      const other = await openStore(openDatabase(path));
      t.after(() => other.close());
      return { ...signInOf({ ...parts, store: other }), run: invokerFor({ ...parts, store: other }) };
    },
  };
}

test('a link has 32 random bytes, and leads to the page that was asked for, once', async (t) => {
  const { signIn, newLink } = await openParts(t);
  const secret = await newLink('/desk/inbox/contact_1');
  assert.equal(Buffer.from(secret, 'base64url').byteLength, 32);
  for (let n = 0; n < 3; n += 1) assert.equal(await signIn.check(secret), 'valid');
  const confirmed = await signIn.confirm(secret, null);
  assert.equal(typeof confirmed === 'string' ? confirmed : confirmed.path, '/desk/inbox/contact_1');
  assert.equal(await signIn.confirm(secret, null), 'used');
  assert.equal(await signIn.check(secret), 'used');
});

test('of many confirmations at once, in two processes, one signs in [TRUST-46]', async (t) => {
  const { signIn, newLink, beside, path } = await openParts(t);
  const other = await beside();
  const secret = await newLink();
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? signIn : other).confirm(secret, null)),
  );
  assert.equal(all.filter((one) => one === 'used').length, 19);
  assert.equal(rowsOf(path, 'select * from desk_sessions').length, 1);
});

test('a link works for 15 minutes; then it has expired, and a day later it is not known', async (t) => {
  const { signIn, newLink, at, store } = await openParts(t);
  const secret = await newLink();
  at(15 * minute - 1);
  assert.equal(await signIn.check(secret), 'valid');
  at(15 * minute);
  assert.equal(await signIn.check(secret), 'expired');
  assert.equal(await signIn.confirm(secret, null), 'expired');
  const bounds = { contacts: null, mail: noon, reads: noon };
  await store.expiry.erase(afterNoon(24 * hour), bounds);
  assert.equal(await signIn.check(secret), 'expired');
  await store.expiry.erase(afterNoon(25 * hour), bounds);
  assert.equal(await signIn.check(secret), 'unknown');
  assert.equal(await signIn.check('guessed'), 'unknown');
});

test('a session lasts 12 hours, however much it is used, and then its row is erased', async (t) => {
  const { signIn, session, at, store, path } = await openParts(t);
  const secret = await session();
  at(12 * hour - 1);
  assert.notEqual(await signIn.sessionOf(secret), null);
  at(12 * hour);
  assert.equal(await signIn.sessionOf(secret), null);
  await store.expiry.erase(afterNoon(12 * hour), { contacts: null, mail: noon, reads: noon });
  assert.deepEqual(rowsOf(path, 'select * from desk_sessions'), []);
});

test('each session ends on its own, and all at once with unused links, in every process', async (t) => {
  const { signIn, run, newLink, session, beside } = await openParts(t);
  const other = await beside();
  const [first, second, link] = [await session(), await session(), await newLink()];
  await run(signOut, { session: (await signIn.sessionOf(first))!.id });
  assert.equal(await other.sessionOf(first), null);
  assert.notEqual(await other.sessionOf(second), null);
  assert.deepEqual(await other.run(signOutEverywhere, {}), { ended: 1 });
  assert.equal(await signIn.sessionOf(second), null);
  assert.equal(await signIn.check(link), 'unknown');
});

test('the database holds neither the secret of a link nor that of a session', async (t) => {
  const { signIn, store, newLink, session, path } = await openParts(t);
  const secrets = [await newLink(), await session()];
  assert.notEqual(await signIn.sessionOf(secrets[1]!), null);
  await store.scrub();
  const bytes = readFileSync(path, 'latin1');
  for (const secret of secrets) {
    assert.ok(!bytes.includes(secret));
    assert.ok(bytes.includes(hash(secret)));
  }
});

test('a network is mailed three links an hour, all together five, and printed ones do not count [TRUST-48]', async (t) => {
  const { signIn, newLink, path, at, audited } = await openParts(t);
  const mails = () => rowsOf(path, "select * from outbox where kind = 'sign_in'").length;
  for (let n = 0; n < 5; n += 1) await signIn.mailLink('/desk', '192.0.2.1');
  assert.equal(mails(), 3);
  assert.equal(rowsOf(path, 'select * from sign_in_links').length, 3);
  await newLink();
  for (const from of ['192.0.2.2', null]) await signIn.mailLink('/desk', from);
  at(hour - 1);
  await signIn.mailLink('/desk', '192.0.2.3');
  assert.equal(mails(), 5);
  at(hour);
  await signIn.mailLink('/desk', '192.0.2.1');
  assert.equal(mails(), 6);
  assert.deepEqual(
    audited.map(({ event, operation, detail }) => [event, operation ?? detail]),
    [
      ...Array(3).fill(['desk_link_requested', 'mailed']),
      ['limit_hit', 'desk_sign_in'],
      ['limit_hit', 'desk_sign_in'],
      ['desk_link_requested', 'printed'],
      ['desk_link_requested', 'mailed'],
      ['desk_link_requested', 'mailed'],
      ['limit_hit', 'desk_sign_in'],
      ['desk_link_requested', 'mailed'],
    ],
  );
});

test('the audit log has who signed in and out, and what was refused', async (t) => {
  const { signIn, run, newLink, audited } = await openParts(t);
  const secret = await newLink();
  const confirmed = await signIn.confirm(secret, '192.0.2.1');
  await signIn.confirm(secret, '192.0.2.2');
  await signIn.confirm('guessed', '192.0.2.2');
  await run(signOut, { session: (await signIn.sessionOf((confirmed as { session: string }).session))!.id });
  await run(signOutEverywhere, {});
  assert.deepEqual(audited.slice(1), [
    { event: 'desk_signed_in', from: '192.0.2.1' },
    { event: 'desk_sign_in_refused', detail: 'used', from: '192.0.2.2' },
    { event: 'desk_sign_in_refused', detail: 'unknown', from: '192.0.2.2' },
    { event: 'desk_signed_out' },
    { event: 'desk_signed_out', detail: 'everywhere' },
  ]);
});

test('the audit log has who entered the setup code, and guesses of it', async (t) => {
  const setup = { isOpen: async () => true, isCode: (text: string) => text === 'the code' };
  const { signIn, audited } = await openParts(t, setup);
  assert.match((await signIn.useCode('the code', '192.0.2.1')) ?? '', /^[\w-]{43}$/);
  for (let tries = 1; tries < 10; tries += 1) assert.equal(await signIn.useCode('a guess', '192.0.2.1'), null);
  await assert.rejects(signIn.useCode('the code', '192.0.2.1'), { code: 'RATE_LIMITED' });
  assert.deepEqual(
    [audited[0], audited[1], audited.at(-1)],
    [
      { event: 'desk_signed_in', detail: 'code', from: '192.0.2.1' },
      { event: 'desk_sign_in_refused', detail: 'code', from: '192.0.2.1' },
      { event: 'limit_hit', operation: 'desk_setup', from: '192.0.2.1' },
    ],
  );
  assert.equal(audited.length, 11);
});
