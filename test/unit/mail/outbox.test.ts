import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { openMailer } from '../../../src/adapters/mail/mailer.ts';
import { startSender } from '../../../src/adapters/mail/sender.ts';
import { type DurableStore, openStore } from '../../../src/adapters/store/store.ts';
import type { Notice } from '../../../src/model/notice.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { createDatabase, openDatabase, testOnSqlite } from '../../support/database.ts';
import { openInbox, refusal } from '../../support/inbox.ts';
import { eventually } from '../../support/process.ts';
import { afterNoon, noon } from '../../support/store.ts';

const notice: Notice = {
  kind: 'auth_request',
  about: 'token-1',
  subject: 'Secret subject',
  text: 'Secret text',
  line: 'Secret line',
  messageHash: null,
  replyTo: null,
};
const baseUrl = 'https://profile.example';

/** Queues a notice with a text at an instant. */
const queue = (store: DurableStore, text: string, at = noon) =>
  store.tokens.add(
    { jti: text, subject: byAddress('ada@example.org'), issuedAt: at, expiresAt: at },
    { ...notice, text },
  );

async function openParts(t: TestContext, smtpUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  const database = openDatabase(await createDatabase(join(folder, 'candidate-profile.db')));
  const lines: { level: string; fields: Record<string, unknown>; text: string }[] = [];
  const logAt = (level: string) => (fields: object, text?: string) =>
    void lines.push({ level, fields: { ...fields }, text: text ?? '' });
  const log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
  const clock = { now: noon, owner: 'owner@example.com' as string | undefined };

  const store = await openStore(database);
  store.outbox.onQueued((lane) => outbox?.wake(lane));
  const mailer = openMailer({
    smtpUrl,
    from: undefined,
    baseUrl,
    directory: join(folder, 'mail'),
    log,
  });
  let outbox: ReturnType<typeof startSender> | undefined;
  t.after(async () => {
    await outbox?.stop();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const start = () => {
    outbox = startSender({
      store,
      mailer,
      toEmail: ([notice]) => notice!,
      to: () => clock.owner,
      audit: () => {},
      now: () => clock.now,
      log,
    });
    return outbox;
  };
  const hasLogged = (text: string, times = 1) => lines.filter((line) => line.text === text).length >= times;
  return { store, start, clock, lines, hasLogged, beside: new Kysely({ dialect: database.dialect }) };
}

suite('The outbox', { concurrency: true }, () => {
  test('each mail is sent once, whether it was queued before the start or after', async (t) => {
    const { url, received } = await openInbox(t);
    const { store, start, hasLogged } = await openParts(t, url);
    await queue(store, 'before');
    const outbox = start();
    await eventually(() => hasLogged('mail sent'));
    await queue(store, 'after');
    await eventually(() => hasLogged('mail sent', 2));
    outbox.wake('owner');
    await outbox.stop();

    assert.deepEqual(
      received.map(({ to, email }) => [to, email.text]),
      [
        [['owner@example.com'], 'before\n'],
        [['owner@example.com'], 'after\n'],
      ],
    );
    assert.equal(await store.outbox.nextDueAt(noon, 'owner'), null);
    assert.equal(outbox.isHealthy(), true);
  });

  test('the log names the mail and the reason, and contains no address, subject or text', async (t) => {
    const { url } = await openInbox(t, {
      onRcptTo: (_address, _session, callback) => callback(refusal(550, 'owner@example.com: Secret subject')),
    });
    const { store, start, lines, hasLogged } = await openParts(t, url);
    start();
    await queue(store, 'Secret text');
    await eventually(() => hasLogged('mail given up'));
    assert.deepEqual(Object.keys(lines[0]!.fields), ['id', 'reason']);
    assert.doesNotMatch(JSON.stringify(lines), /secret|@/i);
  });

  test('a refused mail is retried later under the same Message-ID, a sent one never', async (t) => {
    const tries: (string | undefined)[] = [];
    const { url, received } = await openInbox(t, {
      answer: async ({ messageId }) => {
        if (tries.push(messageId) === 1) throw refusal(451, 'try again later');
      },
    });
    const { store, start, clock, hasLogged } = await openParts(t, url);
    const outbox = start();
    await queue(store, 'text');
    await eventually(() => hasLogged('mail deferred'));
    assert.equal(outbox.isHealthy(), false);
    assert.equal(received.length, 0);

    clock.now = afterNoon(30);
    outbox.wake('owner');
    await eventually(() => hasLogged('mail sent'));
    assert.equal(outbox.isHealthy(), true);

    clock.now = afterNoon(1_000_000);
    outbox.wake('owner');
    await outbox.stop();
    assert.equal(received.length, 1);
    assert.equal(tries.length, 2);
    assert.match(tries[0]!, /^<[0-9a-f-]{36}@profile\.example>$/);
    assert.equal(tries[1], tries[0]);
  });

  test('a permanently refused mail becomes a dead letter at once', async (t) => {
    const { url, received } = await openInbox(t, { answer: () => Promise.reject(refusal(550, 'no')) });
    const { store, start, lines, hasLogged } = await openParts(t, url);
    start();
    await queue(store, 'text');
    await eventually(() => hasLogged('mail given up'));
    assert.deepEqual([lines[0]?.level, lines[0]?.fields.reason], ['error', 'EMESSAGE 550']);
    assert.equal(await store.outbox.nextDueAt(noon, 'owner'), null);
    assert.equal(received.length, 0);
  });

  test('a refused link to sign in is discarded: mail stays healthy, and no dead letter is left', async (t) => {
    const { url } = await openInbox(t, { answer: () => Promise.reject(refusal(550, 'no')) });
    const { store, start, hasLogged } = await openParts(t, url);
    const outbox = start();
    const link = { hash: 'hash', createdAt: noon, expiresAt: afterNoon(900), path: '/desk' };
    await store.desk.addLink(link, { ...notice, kind: 'sign_in', about: 'hash' }, []);
    await eventually(() => hasLogged('mail with a link to sign in refused'));
    assert.equal(outbox.isHealthy(), true);
    assert.deepEqual(await store.outbox.listUnsent(noon), []);
  });

  test('mail is unhealthy for a day after a mail was given up, even if others are sent', async (t) => {
    const { url } = await openInbox(t, {
      answer: async ({ text }) => {
        if (text === 'bad\n') throw refusal(550, 'no');
      },
    });
    const { store, start, clock, hasLogged } = await openParts(t, url);
    const outbox = start();
    await queue(store, 'bad');
    await eventually(() => hasLogged('mail given up'));
    await queue(store, 'good');
    await eventually(() => hasLogged('mail sent'));
    assert.equal(outbox.isHealthy(), false);
    clock.now = afterNoon(86_400);
    outbox.wake('owner');
    await eventually(() => outbox.isHealthy());
  });

  test('retries back off to one an hour and end after a day', async (t) => {
    const { store, start, clock, hasLogged } = await openParts(t, 'smtp://127.0.0.1:1');
    const outbox = start();
    await queue(store, 'text');
    const waits: number[] = [];
    for (let tries = 1; !hasLogged('mail given up'); tries += 1) {
      await eventually(() => hasLogged('mail deferred', tries) || hasLogged('mail given up'));
      const dueAt = await store.outbox.nextDueAt(noon, 'owner');
      if (dueAt === null) break;
      waits.push((dueAt.getTime() - clock.now.getTime()) / 1_000);
      clock.now = dueAt;
      outbox.wake('owner');
    }
    for (const [tries, longest] of [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600].entries())
      assert.ok(waits[tries]! <= longest && waits[tries]! >= longest / 2, `${tries}: ${waits[tries]} s`);
    assert.ok(Math.max(...waits) <= 3_600);
    const dayInSeconds = 86_400;
    const givenUpAfter = (clock.now.getTime() - noon.getTime()) / 1_000;
    assert.ok(givenUpAfter >= dayInSeconds && givenUpAfter <= dayInSeconds + 3_600, `${givenUpAfter} s`);
  });

  test('a mail claimed by a killed process is sent once its lease has expired', async (t) => {
    const { url, received } = await openInbox(t);
    const { store, start, clock, hasLogged } = await openParts(t, url);
    await queue(store, 'text');
    await store.outbox.claim(noon, afterNoon(120), 'owner');
    const outbox = start();
    await queue(store, 'other');
    await eventually(() => hasLogged('mail sent'));
    assert.deepEqual(
      received.map(({ email }) => email.text),
      ['other\n'],
    );
    clock.now = afterNoon(120);
    outbox.wake('owner');
    await eventually(() => hasLogged('mail sent', 2));
    assert.equal(received[1]?.email.text, 'text\n');
  });

  test('a mail that was sent, but could not be marked, is marked later and not sent again', async (t) => {
    const { url, received } = await openInbox(t);
    const { store, start, clock, hasLogged, beside } = await openParts(t, url);
    const outbox = start();
    await queue(store, 'first');
    await eventually(() => hasLogged('mail sent'));
    await sql`create unique index one_sent on outbox ((sent_at is not null))`.execute(beside);
    await queue(store, 'text');
    await eventually(() => hasLogged('the outbox could not read or write the store'));
    assert.equal(outbox.isHealthy(), false);
    await sql`drop index one_sent`.execute(beside);
    clock.now = afterNoon(20);
    outbox.wake('owner');
    await eventually(() => hasLogged('mail sent', 2));
    assert.equal(received.length, 2);
    assert.equal(outbox.isHealthy(), true);
  });

  test('mail is sent at once after the clock was set back by a year', async (t) => {
    const { url, received } = await openInbox(t);
    const { store, start, clock, hasLogged } = await openParts(t, url);
    await queue(store, 'text');
    clock.now = new Date('2025-11-21T12:00:00.000Z');
    start();
    await eventually(() => hasLogged('mail sent'));
    assert.equal(received.length, 1);
  });

  test('mail is deferred while the owner has no address', async (t) => {
    const { url, received } = await openInbox(t);
    const { store, start, clock, hasLogged } = await openParts(t, url);
    clock.owner = undefined;
    const outbox = start();
    await queue(store, 'text');
    await eventually(() => hasLogged('mail deferred'));
    clock.owner = 'new@example.com';
    clock.now = afterNoon(30);
    outbox.wake('owner');
    await eventually(() => hasLogged('mail sent'));
    assert.deepEqual(received[0]?.to, ['new@example.com']);
  });

  testOnSqlite('the outbox goes on after the store could not be written', async (t) => {
    const { url, received } = await openInbox(t);
    const { store, start, hasLogged, beside } = await openParts(t, url);
    await queue(store, 'text');
    await sql`pragma query_only = 1`.execute(beside);
    const outbox = start();
    await eventually(() => !outbox.isHealthy());
    await sql`pragma query_only = 0`.execute(beside);
    outbox.wake('owner');
    await eventually(() => hasLogged('mail sent'));
    assert.equal(received.length, 1);
    assert.equal(outbox.isHealthy(), true);
  });

  testOnSqlite('a mail that was sent while the store could not be written is not sent again', async (t) => {
    const { url, received } = await openInbox(t, {
      answer: async () => void (await sql`pragma query_only = 1`.execute(parts.beside)),
    });
    const parts = await openParts(t, url);
    const { store, start, clock, hasLogged, beside } = parts;
    await queue(store, 'text');
    const outbox = start();
    await eventually(() => !outbox.isHealthy());
    await sql`pragma query_only = 0`.execute(beside);
    clock.now = afterNoon(120);
    outbox.wake('owner');
    await eventually(() => hasLogged('mail sent'));
    assert.equal(received.length, 1);
    assert.equal(await store.outbox.nextDueAt(noon, 'owner'), null);
  });
});

// Not concurrent with other tests: two of these mock timers of the whole process.
suite('Stopping', () => {
  test('the mail being sent is finished, no other begun', async (t) => {
    const answer = Promise.withResolvers<void>();
    let isBeingSent = false;
    const { url, received } = await openInbox(t, {
      answer: () => {
        isBeingSent = true;
        return answer.promise;
      },
    });
    const { store, start } = await openParts(t, url);
    await queue(store, 'first');
    await queue(store, 'second');
    const outbox = start();
    await eventually(() => isBeingSent);
    const stopped = outbox.stop();
    answer.resolve();
    await stopped;
    assert.equal(received.length, 1);
    assert.deepEqual((await store.outbox.claim(noon, afterNoon(120), 'owner'))?.notices[0]?.text, 'second');
    assert.deepEqual(await store.outbox.claim(noon, afterNoon(120), 'owner'), null);
  });

  test('the lease is renewed while a mail is being sent', async (t) => {
    const answer = Promise.withResolvers<void>();
    const { url, received } = await openInbox(t, { answer: () => answer.promise });
    const { store, start, clock, hasLogged } = await openParts(t, url);
    t.mock.timers.enable({ apis: ['setInterval'] });
    await queue(store, 'text');
    start();
    await eventually(async () => (await store.outbox.nextDueAt(noon, 'owner'))?.getTime() === afterNoon(15).getTime());
    for (const seconds of [5, 10, 15, 20]) {
      clock.now = afterNoon(seconds);
      t.mock.timers.tick(5_000);
      await eventually(
        async () => (await store.outbox.nextDueAt(noon, 'owner'))?.getTime() === afterNoon(seconds + 15).getTime(),
      );
    }
    assert.equal(await store.outbox.claim(afterNoon(34), afterNoon(49), 'owner'), null);
    answer.resolve();
    await eventually(() => hasLogged('mail sent'));
    t.mock.timers.tick(5_000);
    assert.equal(await store.outbox.nextDueAt(noon, 'owner'), null);
    assert.equal(received.length, 1);
  });

  test('a mail that takes longer than 5 s is aborted and due at the next start', async (t) => {
    let isBeingSent = false;
    const { url } = await openInbox(t, {
      onRcptTo: () => {
        isBeingSent = true; // never calls back
      },
    });
    const { store, start } = await openParts(t, url);
    await queue(store, 'text');
    const outbox = start();
    await eventually(() => isBeingSent);

    t.mock.timers.enable({ apis: ['setTimeout'] });
    const stopped = outbox.stop();
    t.mock.timers.tick(5_000);
    await stopped;
    t.mock.timers.reset();
    assert.equal((await store.outbox.claim(noon, afterNoon(120), 'owner'))?.notices[0]?.text, 'text');
  });
});
