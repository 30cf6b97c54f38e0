import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { unlimitedMails } from '../../../src/adapters/store/due-mail.ts';
import { toSignInNotice } from '../../../src/operations/notices.ts';
import { refusal } from '../../support/inbox.ts';
import { openSending, usual } from './sending.ts';

/** An instant of a day in the time zone of this machine. */
const on = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);

const daily = { contact_request: 'daily', auth_request: 'daily' } as const;
const atOnce = { contact_request: 'at_once', auth_request: 'at_once' } as const;

suite('Daily e-mails', { concurrency: true }, () => {
  for (const [limits, mailsPerHour] of [
    ['the usual limits', usual],
    ['LIMITS off', unlimitedMails],
  ] as const)
    test(`with ${limits}, what comes in a day is one e-mail of each kind at 08:00 of the next`, async (t) => {
      const { store, clock, write, issue, send, subjects } = await openSending(t, mailsPerHour);
      await store.outbox.setSchedules(daily);
      for (const [hour, name] of [
        [9, 'Ada'],
        [13, 'Bob'],
        [23, 'Cleo'],
      ] as const) {
        clock.now = on(20, hour);
        await write(`I am ${name}`, name);
        await issue(`${name}@example.org`);
        await send();
      }
      clock.now = on(21, 7, 59);
      await send();
      assert.deepEqual(subjects(), []);
      clock.now = on(21, 8);
      await issue('late@example.org');
      clock.now = on(21, 8, 1);
      await issue('later@example.org');
      await send();
      assert.deepEqual(subjects(), ['3 notices from your profile', '4 notices from your profile']);
      clock.now = on(22, 8);
      await send();
      assert.deepEqual(subjects(), ['later@example.org asked for access to your profile']);
    });

  test('a link to sign in is mailed at once [TRUST-48]', async (t) => {
    const { store, clock, issue, send, subjects } = await openSending(t, usual);
    await store.outbox.setSchedules(daily);
    clock.now = on(20, 12);
    await issue('ada@example.org');
    const link = { hash: 'hash', createdAt: clock.now, expiresAt: on(20, 12, 15), path: '/desk' };
    await store.desk.addLink(link, toSignInNotice(link, 'https://profile.example/desk/sign-in?link=x'), []);
    await send();
    assert.deepEqual(subjects(), ['Sign in to your desk']);
  });

  test('notices of access may be sent daily and those of messages at once', async (t) => {
    const { store, clock, write, issue, send, subjects } = await openSending(t, usual);
    await store.outbox.setSchedules({ contact_request: 'at_once', auth_request: 'daily' });
    clock.now = on(20, 12);
    await issue('ada@example.org');
    await write('Hello', 'Ada');
    await send();
    assert.deepEqual(subjects(), ['Contact request from Ada (Engines)']);
  });

  test('what waits for a daily e-mail is sent when the owner chooses to be notified at once, within the budget', async (t) => {
    const { store, clock, issue, send, subjects } = await openSending(t, usual);
    await store.outbox.setSchedules(daily);
    clock.now = on(20, 12);
    for (let n = 1; n <= 30; n += 1) await issue(`visitor-${n}@example.org`);
    await send();
    assert.deepEqual(subjects(), []);
    await store.outbox.setSchedules(atOnce);
    await send();
    const sent = subjects();
    assert.equal(sent.length, 10);
    assert.equal(sent.at(-1), '21 notices from your profile');
  });

  test('what waits for the next attempt or hour is sent when the owner chooses a daily e-mail', async (t) => {
    let isDown = true;
    const { store, clock, issue, send, subjects } = await openSending(
      t,
      { contact_request: 1, auth_request: 2 },
      {
        answer: async () => {
          if (isDown) throw refusal(451, 'later');
        },
      },
    );
    clock.now = on(20, 12);
    await issue('tried@example.org');
    await send();
    await store.outbox.setSchedules(daily);
    isDown = false;
    await issue('waiting@example.org');
    clock.now = on(20, 12, 5);
    await send();
    assert.deepEqual(subjects(), ['tried@example.org asked for access to your profile']);
    clock.now = on(21, 8);
    await send();
    assert.deepEqual(subjects(), ['waiting@example.org asked for access to your profile']);
  });

  test('the owner can see that a notice waits for the daily e-mail, and until when', async (t) => {
    const { store, clock, issue } = await openSending(t, usual);
    await store.outbox.setSchedules(daily);
    const waits = async () =>
      (await store.outbox.listUnsent(clock.now)).map(({ waitsFor, waitsUntil }) => [waitsFor, waitsUntil]);
    clock.now = on(20, 7);
    await issue('ada@example.org');
    assert.deepEqual(await waits(), [['daily_mail', on(20, 8)]]);
    assert.deepEqual(await store.outbox.nextDueAt(clock.now, 'owner'), on(20, 8));
    clock.now = on(20, 8);
    assert.deepEqual(await waits(), [['due', null]]);
  });

  test('a notice from a clock that was a year ahead is not delayed by a year', async (t) => {
    const { store, clock, issue, send, subjects } = await openSending(t, usual);
    await store.outbox.setSchedules(daily);
    clock.now = new Date(2027, 10, 20, 12);
    await issue('ada@example.org');
    clock.now = on(20, 12);
    await send();
    assert.deepEqual(subjects(), ['ada@example.org asked for access to your profile']);
  });

  test('a daily e-mail that is refused is sent in halves at once, without the notice that is refused', async (t) => {
    const { store, clock, write, send, received, deadLetters } = await openSending(t, usual, {
      answer: async ({ text = '' }) => {
        if (text.includes('I am Bob')) throw refusal(554, 'refused');
      },
    });
    await store.outbox.setSchedules(daily);
    clock.now = on(20, 12);
    for (const name of ['Ada', 'Bob', 'Cleo']) await write(`I am ${name}`, name);
    clock.now = on(21, 8);
    await send();
    const texts = received.map(({ email }) => email.text!).join('\n');
    assert.match(texts, /I am Ada/);
    assert.match(texts, /I am Cleo/);
    assert.equal((await deadLetters()).length, 1);
  });
});
