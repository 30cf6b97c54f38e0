import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { suite, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { toCodeNotice } from '../../../src/operations/notices.ts';
import { openDatabase, rowsOf, testOnSqlite } from '../../support/database.ts';
import { refusal } from '../../support/inbox.ts';
import { eventually } from '../../support/process.ts';
import { openSending } from '../../support/sending.ts';
import { afterNoon, noon } from '../../support/store.ts';
import { explain, watched } from '../../support/watched-database.ts';

type Sending = Awaited<ReturnType<typeof openSending>>;

const unreachable = { smtpUrl: 'smtp://127.0.0.1:1' };
const endLease = ({ path }: Sending) => rowsOf(path, "update leases set ends_at = '2000-01-01T00:00:00.000Z'");

/** Sends a code to an address, as the page does. */
async function sendCode({ store, clock }: Sending, recipient: string) {
  const subject = byAddress(recipient);
  const code = { requestId: recipient, expiresAt: new Date(clock.now.getTime() + 600_000) };
  const mail = toCodeNotice({ ...code, recipient, code: '123456', clientName: 'Reader', candidateName: 'Lena' });
  await store.oauth.codes.add({ ...code, subject, hash: 'hash', createdAt: clock.now }, mail, []);
}

suite('The outbox', { concurrency: true }, () => {
  test('sends each mail once, whether it was queued before the start or after', async (t) => {
    const sending = await openSending(t);
    await sending.issue('before@example.org');
    const sender = sending.start();
    await eventually(() => sending.hasLogged('mail sent'));
    await sending.issue('after@example.org');
    await eventually(() => sending.hasLogged('mail sent', 2));
    sender.wake();
    await sender.stop();
    assert.deepEqual(
      sending.received.map(({ to, email }) => [to, email.subject]),
      ['before', 'after'].map((who) => [['owner@example.com'], `${who}@example.org asked for access to your profile`]),
    );
    assert.deepEqual([await sending.unsent(), sender.isHealthy()], [[], true]);
  });

  test('tries a refused mail later under the same Message-ID, and a sent one never', async (t) => {
    const tries: (string | undefined)[] = [];
    const { issue, start, clock, hasLogged, received, send } = await openSending(t, {
      answer: async ({ messageId }) => {
        if (tries.push(messageId) === 1) throw refusal(451, 'try again later');
      },
    });
    const sender = start();
    await issue('ada@example.org');
    await eventually(() => hasLogged('mail deferred'));
    assert.deepEqual([sender.isHealthy(), received.length], [false, 0]);
    clock.now = afterNoon(30);
    sender.wake();
    await eventually(() => hasLogged('mail sent'));
    assert.equal(sender.isHealthy(), true);
    await sender.stop();
    clock.now = afterNoon(1_000_000);
    await send();
    assert.equal(tries.length, 2);
    assert.match(tries[0]!, /^<[0-9a-f-]{36}@x>$/);
    assert.equal(tries[1], tries[0]);
  });

  test('backs off to one try an hour, and gives up after a day', async (t) => {
    const { issue, send, clock, unsent, hasLogged } = await openSending(t, unreachable);
    await issue('ada@example.org');
    const waits: number[] = [];
    for (;;) {
      await send();
      const { dueAt } = (await unsent())[0]!;
      if (dueAt === null) break;
      waits.push((dueAt.getTime() - clock.now.getTime()) / 1_000);
      clock.now = dueAt;
    }
    for (const [tries, longest] of [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600].entries())
      assert.ok(waits[tries]! <= longest && waits[tries]! >= longest / 2, `${tries}: ${waits[tries]} s`);
    assert.ok(Math.max(...waits) <= 3_600);
    assert.ok(clock.now >= afterNoon(86_400) && clock.now <= afterNoon(90_000), `${clock.now}`);
    assert.ok(hasLogged('mail given up'));
  });

  test('is unhealthy for a day after a mail was given up, even if others are sent', async (t) => {
    const { issue, start, clock, hasLogged } = await openSending(t, {
      onRcptTo: (_address, _session, callback) => callback(hasLogged('mail given up') ? undefined : refusal(550, 'no')),
    });
    const sender = start();
    await issue('bad@example.org');
    await eventually(() => hasLogged('mail given up'));
    await issue('good@example.org');
    await eventually(() => hasLogged('mail sent'));
    assert.equal(sender.isHealthy(), false);
    clock.now = afterNoon(86_400);
    sender.wake();
    await eventually(() => sender.isHealthy());
  });

  test('goes on with other mail if one fails, and says nothing of the owner by what fails for visitors', async (t) => {
    const sending = await openSending(t, {
      onRcptTo: ({ address }, _session, callback) =>
        callback(address.endsWith('@full.example') ? refusal(452, 'mailbox full') : undefined),
    });
    await sendCode(sending, 'ada@full.example');
    await sending.write('Hello');
    const sender = sending.start();
    await eventually(() => sending.hasLogged('mail sent'));
    await sender.stop();
    assert.deepEqual([sending.received[0]!.to, sender.isHealthy()], [['owner@example.com'], true]);
    sending.clock.now = afterNoon(30);
    await sendCode(sending, 'bob@example.org');
    await sending.send();
    assert.deepEqual(
      (await sending.unsent()).map(({ kind, attempts }) => [kind, attempts]),
      [['verification_code', 2]],
    );
    assert.deepEqual(sending.received[1]!.to, ['bob@example.org']);
  });

  test('is used by one process at a time: another one sends once the lease has ended', async (t) => {
    const sending = await openSending(t);
    const other = await sending.openStoreBeside();
    await sending.issue('ada@example.org');
    const ofAda = (await other.outbox.claim(noon))!;
    await sending.issue('bob@example.org');
    assert.equal(await sending.store.outbox.claim(noon), null);
    endLease(sending);
    const ofBob = (await sending.store.outbox.claim(noon))!;
    assert.deepEqual(
      [ofAda, ofBob].map(({ notices }) => notices[0]!.subject),
      ['ada', 'bob'].map((who) => `${who}@example.org asked for access to your profile`),
    );
    await other.outbox.renewLease();
    assert.equal(await other.outbox.claim(noon), null, 'a lease that was lost is not renewed');
    await other.outbox.markSent(ofAda, noon);
    await sending.store.outbox.releaseLease();
    assert.equal((await other.outbox.claim(afterNoon(1)))!.attempts, 2);
  });

  const index = ['create unique index one_sent on outbox ((sent_at is not null))', 'drop index one_sent'] as const;
  const table = ['alter table outbox rename to outbox_away', 'alter table outbox_away rename to outbox'] as const;
  for (const [what, [failing, repaired], goOn] of [
    ['mark it when it was sent', index, 'wake'],
    ['be written when it was sent', table, 'wake'],
    ['mark it until the service stopped', index, 'stop'],
  ] as const)
    test(`sends a mail once, even if the database could not ${what}`, async (t) => {
      const sending = await openSending(t, {
        answer: async ({ subject }) => void (subject?.startsWith('b') && (await sql.raw(failing).execute(beside))),
      });
      const beside = new Kysely({ dialect: openDatabase(sending.path).dialect });
      t.after(() => beside.destroy());
      const sender = sending.start();
      await sending.issue('ada@example.org');
      await eventually(() => sending.hasLogged('mail sent'));
      await sending.issue('bob@example.org');
      await eventually(() => !sender.isHealthy());
      await sql.raw(repaired).execute(beside);
      await sender[goOn]();
      await eventually(() => sending.hasLogged('mail sent', 2));
      assert.deepEqual([sending.received.length, sender.isHealthy()], [2, true]);
    });

  test('waits while the owner has no address', async (t) => {
    const { issue, send, clock, received, hasLogged } = await openSending(t);
    clock.owner = undefined;
    await issue('ada@example.org');
    await send();
    assert.ok(hasLogged('mail deferred'));
    clock.owner = 'new@example.com';
    clock.now = afterNoon(30);
    await send();
    assert.deepEqual(received[0]?.to, ['new@example.com']);
  });

  test('removes the file of a mail that is written while its visitor is erased, and no other', async (t) => {
    let written = 0;
    const sending = await openSending(t, {
      smtpUrl: undefined,
      wrap: (mailer) => ({
        ...mailer,
        async send(message, signal) {
          await mailer.send(message, signal);
          written += 1;
          if (written === 1) await sending.store.visitors.erase(byAddress('ada@example.org'));
        },
      }),
    });
    await sending.issue('ada@example.org');
    await sending.issue('bob@example.org');
    await sending.send();
    assert.ok(existsSync(sending.directory));
    assert.deepEqual([written, readdirSync(sending.directory).length], [2, 1]);
  });

  test('counts what waits, since when, and what was given up, without links and codes', async (t) => {
    const sending = await openSending(t, unreachable);
    const { store, issue, clock } = sending;
    assert.deepEqual(await store.outbox.state(), { waiting: 0, dead: 0, oldestAt: null });
    for (const seconds of [0, 1, 2]) {
      clock.now = afterNoon(seconds);
      await issue(`visitor-${seconds}@example.org`);
    }
    await store.outbox.giveUp((await store.outbox.claim(clock.now))!, 'EENVELOPE 550');
    await sendCode(sending, 'ada@example.org');
    assert.deepEqual(await store.outbox.state(), { waiting: 2, dead: 1, oldestAt: afterNoon(1) });
    assert.equal(await store.outbox.hasDeadLetterSince(afterNoon(1)), true);
    assert.equal(await store.outbox.hasDeadLetterSince(afterNoon(2)), false);
  });
});

testOnSqlite('the next mail is found by indexes, however many notices wait or were sent [TRUST-6]', async (t) => {
  const { path, write, issue } = await openSending(t);
  await write('Hello');
  await issue('ada@example.org');
  const { database, statements } = watched(openSqlite(path));
  const store = await openStore(database, { mailsPerHour: 1 });
  t.after(() => store.close());
  statements.length = 0;
  await store.outbox.markSent((await store.outbox.claim(noon))!, noon);
  assert.equal(await store.outbox.claim(noon), null);
  const looks = statements.filter(({ sql }) => /^\s*select/.test(sql) && /\boutbox\b/.test(sql));
  const plans = await Promise.all(looks.map((one) => explain(openSqlite(path), 'explain query plan', one)));
  const steps = plans.flat().filter((step) => / outbox /.test(step));
  assert.ok(steps.length >= 10, `${steps}`);
  const found =
    /^ SEARCH outbox USING INDEX (outbox_(waiting \(kind=|tried|sent_at|mail_id \(mail_id=)|sqlite_autoindex)/;
  assert.deepEqual(
    steps.filter((step) => !found.test(step)),
    [],
  );
});

// Not concurrent with other tests: two of these mock timers of the whole process.
suite('Stopping', () => {
  test('finishes the mail being sent, begins no other, and lets another process send at once', async (t) => {
    const answer = Promise.withResolvers<void>();
    let isBeingSent = false;
    const { issue, start, received, openStoreBeside } = await openSending(t, {
      answer: () => {
        isBeingSent = true;
        return answer.promise;
      },
    });
    for (const who of ['ada', 'bob']) await issue(`${who}@example.org`);
    const sender = start();
    await eventually(() => isBeingSent);
    const stopped = sender.stop();
    answer.resolve();
    await stopped;
    assert.equal(received.length, 1);
    const other = await openStoreBeside();
    assert.equal((await other.outbox.claim(noon))!.notices[0]!.about, 'bob@example.org');
  });

  test('aborts a mail that takes longer than 5 s, which is due at the next start', async (t) => {
    let isBeingSent = false;
    const { issue, start, store } = await openSending(t, {
      onRcptTo: () => {
        isBeingSent = true; // never calls back
      },
    });
    await issue('ada@example.org');
    const sender = start();
    await eventually(() => isBeingSent);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const stopped = sender.stop();
    t.mock.timers.tick(5_000);
    t.mock.timers.reset();
    await stopped;
    assert.equal((await store.outbox.claim(noon))!.attempts, 2);
  });

  test('the lease is renewed while a mail is being sent', async (t) => {
    const answer = Promise.withResolvers<void>();
    const sending = await openSending(t, { answer: () => answer.promise });
    const leases = () => rowsOf(sending.path, 'select ends_at from leases').map(({ ends_at }) => String(ends_at));
    t.mock.timers.enable({ apis: ['setInterval'] });
    await sending.issue('ada@example.org');
    const sender = sending.start();
    await eventually(() => leases().length === 1);
    for (let n = 0; n < 3; n += 1) {
      const [before] = leases();
      t.mock.timers.tick(5_000);
      await eventually(() => leases()[0]! > before!);
    }
    answer.resolve();
    await sender.stop();
    assert.deepEqual([leases(), sending.received.length], [[], 1]);
  });
});
