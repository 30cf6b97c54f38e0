import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { unlimitedMails } from '../../../src/adapters/store/due-mail.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { rowsOf } from '../../support/database.ts';
import { afterNoon, noon, openTestStore } from '../../support/store.ts';

/** A store, and functions that queue, claim and give up notices at a second after noon. */
async function open(t: TestContext, mailsPerHour = unlimitedMails) {
  const { path, store } = await openTestStore(t, { mailsPerHour });
  const claim = async (seconds: number) =>
    (await store.outbox.claim(afterNoon(seconds), afterNoon(seconds + 15), 'owner'))!;
  return {
    store,
    async queue(about: string, seconds: number) {
      const token = {
        jti: about,
        subject: byAddress('ada@example.org'),
        issuedAt: afterNoon(seconds),
        expiresAt: noon,
      };
      const notice = { kind: 'auth_request', about, subject: 'S', text: 'T', line: 'L', messageHash: null } as const;
      await store.tokens.add(token, { ...notice, replyTo: null });
    },
    claim,
    async giveUp(seconds: number) {
      const mail = await claim(seconds);
      await store.outbox.giveUp(mail, 'EENVELOPE 550');
      return mail.id;
    },
    idOf: (about: string) => rowsOf(path, `select id from outbox where about = '${about}'`)[0]?.id,
  };
}

test('the owner can see how many notices wait, since when, and how many were given up', async (t) => {
  const { store, queue, claim, giveUp } = await open(t);
  assert.deepEqual(await store.outbox.state(), { waiting: 0, dead: 0, oldestAt: null });
  for (const second of [0, 1, 2, 3]) await queue(`token-${second}`, second);
  assert.deepEqual(await store.outbox.state(), { waiting: 4, dead: 0, oldestAt: noon });
  await store.outbox.markSent(await claim(0), noon);
  await giveUp(1);
  assert.deepEqual(await store.outbox.state(), { waiting: 2, dead: 1, oldestAt: afterNoon(2) });
});

test('a dead letter is reported if its last attempt was after the given instant', async (t) => {
  const { store, queue, claim, giveUp } = await open(t);
  await queue('sent', 0);
  await store.outbox.markSent(await claim(0), noon);
  await queue('given up', 0);
  await queue('waits', 20);
  assert.equal(await store.outbox.hasDeadLetterSince(afterNoon(-1)), false);
  await giveUp(10);
  assert.equal(await store.outbox.hasDeadLetterSince(afterNoon(9)), true);
  assert.equal(await store.outbox.hasDeadLetterSince(afterNoon(10)), false);
});

test('the owner can retry one dead letter or all, and nothing else is sent again', async (t) => {
  const { store, queue, claim, giveUp } = await open(t);
  await queue('sent', 0);
  await store.outbox.markSent(await claim(0), noon);
  for (const about of ['first', 'second', 'third']) await queue(about, 0);
  const ids = [await giveUp(0), await giveUp(0), await giveUp(0)];
  await queue('waits', 50);

  assert.equal(await store.outbox.retryDead(afterNoon(10), 'unknown'), 0);
  assert.equal(await store.outbox.retryDead(afterNoon(10), ids[1]), 1);
  assert.equal(await store.outbox.claim(afterNoon(9), afterNoon(24), 'owner'), null);
  const { notices, ...mail } = await claim(10);
  assert.deepEqual([notices.length, notices[0]?.about], [1, 'second']);
  assert.deepEqual(mail, { id: ids[1], attempts: 1, createdAt: noon, expiresAt: null });
  assert.equal(await store.outbox.claim(afterNoon(10), afterNoon(25), 'owner'), null);
  assert.equal(await store.outbox.retryDead(afterNoon(20)), 2);
  assert.deepEqual(await store.outbox.state(), { waiting: 4, dead: 0, oldestAt: noon });
});

test('unsent notices are listed oldest first, with their state', async (t) => {
  const { store, queue, claim, giveUp, idOf } = await open(t);
  await queue('sent', 0);
  await store.outbox.markSent(await claim(0), noon);
  await queue('given up', 0);
  await giveUp(0);
  await queue('deferred', 1);
  await store.outbox.defer(await claim(1), afterNoon(1), afterNoon(30), 'ESOCKET');
  await queue('being sent', 2);
  await claim(2);
  await queue('waits', 3);
  const shared = { kind: 'auth_request', attempts: 1, lastError: null };
  assert.deepEqual(await store.outbox.listUnsent(afterNoon(4)), [
    {
      ...shared,
      id: idOf('given up'),
      createdAt: noon,
      dueAt: null,
      lastError: 'EENVELOPE 550',
      waitsFor: null,
      waitsUntil: null,
    },
    {
      ...shared,
      id: idOf('deferred'),
      createdAt: afterNoon(1),
      dueAt: afterNoon(30),
      lastError: 'ESOCKET',
      waitsFor: 'retry',
      waitsUntil: afterNoon(30),
    },
    {
      ...shared,
      id: idOf('being sent'),
      createdAt: afterNoon(2),
      dueAt: afterNoon(17),
      waitsFor: 'being_sent',
      waitsUntil: afterNoon(17),
    },
    {
      ...shared,
      id: idOf('waits'),
      createdAt: afterNoon(3),
      attempts: 0,
      dueAt: afterNoon(3),
      waitsFor: 'due',
      waitsUntil: null,
    },
  ]);
  // The lease has expired, and the deferred one is due.
  assert.deepEqual(
    (await store.outbox.listUnsent(afterNoon(30))).map(({ waitsFor }) => waitsFor),
    [null, 'due', 'due', 'due'],
  );
});

test('a retried dead letter does not wait for the hourly budget', async (t) => {
  const { store, queue, claim, giveUp } = await open(t, { contact_request: 1, auth_request: 1 });
  await queue('given up', 0);
  await giveUp(0);
  await queue('sent', 0);
  await store.outbox.markSent(await claim(0), noon);
  await queue('waits', 0);
  await store.outbox.retryDead(afterNoon(1));
  assert.deepEqual(
    (await store.outbox.listUnsent(afterNoon(1))).map(({ waitsFor }) => waitsFor),
    ['due', 'hour_used_up'],
  );
});
