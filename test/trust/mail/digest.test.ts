import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { refusal } from '../../support/inbox.ts';
import { openSending } from '../../support/sending.ts';
import { afterNoon } from '../../support/store.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

suite('The mails of an hour', { concurrency: true }, () => {
  test('are 30 at most, and the last one has all that waits, messages first [TRUST-10]', async (t) => {
    const { write, issue, send, received, at, subjects } = await openSending(t);
    for (const n of numbers(11)) await issue(`visitor-${n}@example.org`);
    for (const n of numbers(40)) await write(`Message ${n}`, `Visitor ${n}`);
    await send();
    assert.equal(received.length, 30);
    assert.deepEqual(
      received.slice(0, 29).map(({ email }) => email.subject),
      numbers(29).map((n) => `Contact request from Visitor ${n} (Engines)`),
    );
    const { email } = received.at(-1)!;
    assert.equal(email.subject, '22 notices from your profile');
    for (const n of numbers(11)) {
      assert.ok(email.text!.includes(`- visitor-${n}@example.org asked for access on `));
      assert.ok(email.text!.includes(`> Name:    Visitor ${n + 29}\n`));
      assert.ok(email.text!.includes(`> Message ${n + 29}\n`));
    }
    assert.equal(email.replyTo, undefined);

    subjects();
    at(30);
    await write('Later', 'Zoë');
    await send();
    assert.deepEqual(subjects(), []);
    at(61);
    await send();
    assert.deepEqual(subjects(), ['Contact request from Zoë (Engines)']);
  });

  test('if token requests use them up, a message comes first within the hour [TRUST-6] [TRUST-36]', async (t) => {
    const { write, issue, send, received, at, subjects } = await openSending(t);
    for (const n of numbers(100)) await issue(`visitor-${n}@example.org`);
    await send();
    assert.deepEqual([received.length, received.at(-1)!.email.subject], [30, '71 notices from your profile']);
    const reported = received.flatMap(
      ({ email }) => email.text!.match(/visitor-\d+@example\.org asked for access/g) ?? [],
    );
    assert.equal(new Set(reported).size, 100);
    subjects();
    await issue('late@example.org');
    await write('Hello', 'Zoë');
    await send();
    assert.deepEqual(subjects(), []);
    at(60);
    await send();
    assert.deepEqual(subjects(), [
      'Contact request from Zoë (Engines)',
      'late@example.org asked for access to your profile',
    ]);
  });

  test('are no more after an outage of the mail server [TRUST-10]', async (t) => {
    let isDown = true;
    const { write, send, at, subjects } = await openSending(t, {
      mailsPerHour: 3,
      onRcptTo: (_address, _session, callback) => callback(isDown ? refusal(451, 'later') : undefined),
    });
    for (const minutes of [0, 40, 90, 180]) {
      at(minutes);
      for (const n of numbers(4)) await write(`Message ${n}`);
      await send();
    }
    isDown = false;
    at(300);
    await send();
    assert.equal(subjects().length, 3);
    at(361);
    await send();
    assert.deepEqual(subjects().at(-1), '10 notices from your profile');
  });

  test('a mail is at most 2 MB, and notices that do not fit are in the next digest [TRUST-35]', async (t) => {
    const { write, send, received, at } = await openSending(t, { mailsPerHour: 1 });
    const longest = '文'.repeat(9_997); // three bytes each, encoded as nine
    for (const n of numbers(25)) await write(`${n} ${longest}`);
    const counts: number[] = [];
    for (const minutes of [0, 61, 122]) {
      at(minutes);
      await send();
      for (const { email, bytes } of received.splice(0)) {
        assert.ok(bytes <= 2_000_000, `${bytes} bytes`);
        counts.push(email.text!.match(/^> \d+ 文/gm)!.length);
      }
    }
    assert.deepEqual(counts, [19, 6]);
  });

  test('the owner can see why each notice waits, and until when', async (t) => {
    const sending = await openSending(t, { mailsPerHour: 2 });
    const { write, issue, send, at, store, clock, unsent } = sending;
    const waits = async () => (await unsent()).map(({ waitsFor, waitsUntil }) => [waitsFor, waitsUntil]);
    const hourAfter = (minutes: number) => afterNoon((minutes + 60) * 60);
    await write('Hello');
    await issue('ada@example.org');
    assert.deepEqual(await waits(), Array(2).fill(['due', null]));
    await send();
    assert.deepEqual(await store.outbox.budget(clock.now), { used: 2, perHour: 2 });
    at(1);
    await write('Late');
    at(2);
    await issue('late@example.org');
    assert.deepEqual(await waits(), Array(2).fill(['hour_used_up', hourAfter(0)]));
    at(60);
    const mail = (await store.outbox.claim(clock.now))!;
    assert.deepEqual(
      (await waits()).map(([reason]) => reason),
      ['being_sent', 'due'],
    );
    await store.outbox.defer(mail, afterNoon(3_630), 'ECONNECTION');
    assert.deepEqual(await waits(), [
      ['retry', afterNoon(3_630)],
      ['due', null],
    ]);
    await store.outbox.setSchedules({ contact_request: 'at_once', auth_request: 'daily' });
    await issue('bob@example.org');
    assert.equal((await waits()).at(-1)![0], 'daily_mail');
  });
});

/** An instant of a day in the time zone of this machine. */
const on = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);
const daily = { contact_request: 'daily', auth_request: 'daily' } as const;

suite('The daily e-mail', { concurrency: true }, () => {
  test('has at 08:00 what came until then', async (t) => {
    const { store, clock, write, issue, send, subjects } = await openSending(t);
    await store.outbox.setSchedules(daily);
    for (const [hour, name] of [
      [9, 'Ada'],
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
    assert.deepEqual(subjects(), ['5 notices from your profile']);
    clock.now = on(22, 8);
    await send();
    assert.deepEqual(subjects(), ['later@example.org asked for access to your profile']);
  });

  test('may be chosen for access, and messages are sent at once', async (t) => {
    const { store, clock, write, issue, send, subjects } = await openSending(t);
    await store.outbox.setSchedules({ ...daily, contact_request: 'at_once' });
    clock.now = on(20, 12);
    await issue('ada@example.org');
    await write('Hello', 'Ada');
    await send();
    assert.deepEqual(subjects(), ['Contact request from Ada (Engines)']);
    await store.outbox.setSchedules({ contact_request: 'at_once', auth_request: 'at_once' });
    await send();
    assert.deepEqual(subjects(), ['ada@example.org asked for access to your profile']);
  });
});
