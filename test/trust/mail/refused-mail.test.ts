import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { refusal } from '../../support/inbox.ts';
import { openSending, usual } from './sending.ts';

const poison = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
const unassigned = '\u{10fffd}'.repeat(10_000);

/** A mail server that refuses mails with the poison text; `tries` counts the mails it was offered. */
async function openPicky(t: TestContext, mailsPerHour = usual, code = 554) {
  const tries = { count: 0 };
  const sending = await openSending(t, mailsPerHour, {
    answer: async ({ text }) => {
      tries.count += 1;
      if (text!.includes(poison)) throw refusal(code, 'spam');
    },
  });
  const told = () =>
    sending.received.flatMap(
      ({ email }) => email.text!.match(/(?<=^> Name: {4})\w+ \d+|Visitor \d+(?= asked)/gm) ?? [],
    );
  return { ...sending, tries, told };
}

suite('A mail that is refused', { concurrency: true }, () => {
  test('a message that the mail server refuses is given up alone, and the others of its digest are sent at once [TRUST-35]', async (t) => {
    const { write, send, received, told, deadLetters } = await openPicky(t);
    for (let n = 1; n <= 59; n += 1) await write(n === 42 ? poison : `Message ${n}`, `Visitor ${n}`);
    await send();
    assert.deepEqual(
      told().sort(),
      Array.from({ length: 59 }, (_, n) => `Visitor ${n + 1}`)
        .filter((name) => name !== 'Visitor 42')
        .sort(),
    );
    assert.equal((await deadLetters()).length, 1);
    // 19 single mails, and the halves that remain after splitting the digest of 40 five or six times.
    assert.ok(received.length <= 19 + 6, `${received.length} mails`);
  });

  test('a mail is at most 2 MB, and notices that do not fit are in the next digest [TRUST-35]', async (t) => {
    const { write, send, received, at } = await openSending(t, { contact_request: 1, auth_request: 1 });
    for (let n = 1; n <= 25; n += 1) await write(`${n} ${unassigned}`);
    const told: number[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      at(hour * 61);
      await send();
      for (const { email, bytes } of received.splice(0)) {
        assert.ok(bytes <= 2_000_000, `${bytes} bytes`);
        told.push(email.text!.match(/^> \d+ \\u\{10fffd\}/gm)!.length);
      }
    }
    assert.deepEqual(told, [18, 7]);
  });

  test('the longest message that a visitor can send is mailed whole, in far less than 2 MB [TRUST-35]', async (t) => {
    const { write, send, received } = await openSending(t, usual);
    const longest = '🙂'.repeat(10_000); // a character is sent as twelve
    await write(longest);
    await send();
    const [{ email, bytes } = assert.fail()] = received;
    assert.ok(bytes < 200_000, `${bytes} bytes`);
    assert.ok(email.text!.includes(`> ${longest}\n`));
  });

  test('a digest whose messages are all refused is split until each is given up, without further attempts [TRUST-35]', async (t) => {
    const { write, send, tries, deadLetters } = await openPicky(t, { contact_request: 1, auth_request: 1 });
    for (let n = 1; n <= 8; n += 1) await write(`${poison} ${n}`);
    await send();
    assert.equal((await deadLetters()).length, 8);
    assert.equal(tries.count, 8 + 4 + 2 + 1);
  });

  test('parts of refused mails are at most 20 additional mails an hour, and the rest is sent afterwards [TRUST-35]', async (t) => {
    const { issue, send, at, received, told, deadLetters } = await openPicky(t);
    for (let n = 1; n <= 59; n += 1) {
      at(n / 1_000);
      await issue(`${n > 9 && n % 2 ? poison : 'Visitor'} ${n}`);
    }
    await send();
    assert.equal(received.length, 9 + 20);
    at(61);
    await send();
    assert.equal(told().length, 34);
    assert.equal(received.length, 34);
    assert.equal((await deadLetters()).length, 25);
  });

  test('a digest refused for its recipient is given up without splitting', async (t) => {
    let tries = 0;
    const { write, send, deadLetters, store, clock, subjects } = await openSending(
      t,
      { contact_request: 1, auth_request: 1 },
      {
        onRcptTo(_address, _session, callback) {
          tries += 1;
          callback(tries === 1 ? refusal(550, '5.1.1 no such user') : undefined);
        },
      },
    );
    for (const name of ['Ada', 'Bob', 'Eve']) await write(`I am ${name}`, name);
    await send();
    assert.equal(tries, 1);
    assert.equal((await deadLetters()).length, 3);

    assert.equal(await store.outbox.retryDead(clock.now), 3);
    await send();
    assert.deepEqual(subjects().sort(), [
      'Contact request from Ada (Engines)',
      'Contact request from Bob (Engines)',
      'Contact request from Eve (Engines)',
    ]);
  });

  test('retried notices, however many, do not delay later ones [TRUST-35]', async (t) => {
    let isRefusing = true;
    const { write, send, store, clock, subjects, at } = await openSending(t, usual, {
      onRcptTo: (_address, _session, callback) => callback(isRefusing ? refusal(550, '5.1.1 no such user') : undefined),
    });
    for (let n = 1; n <= 50; n += 1) await write(`Message ${n}`);
    await send();
    assert.equal(await store.outbox.retryDead(clock.now), 50);
    isRefusing = false;
    await send();
    subjects();
    at(1);
    await write('Later', 'Zoë');
    await send();
    assert.deepEqual(subjects(), ['Contact request from Zoë (Engines)']);
  });

  test('a digest whose content gets temporary refusals for a day is split before any notice is given up [TRUST-35]', async (t) => {
    const { write, send, told, deadLetters, store, clock } = await openPicky(
      t,
      { contact_request: 1, auth_request: 1 },
      451,
    );
    await write(poison, 'Visitor 1');
    await write('Hello', 'Visitor 2');
    const noon = clock.now;
    for (let dueAt: Date | null = noon; dueAt !== null; dueAt = await store.outbox.nextDueAt(clock.now, 'owner')) {
      clock.now = dueAt;
      await send();
    }
    assert.deepEqual(told(), ['Visitor 2']);
    assert.equal((await deadLetters()).length, 1);
    const hours = (clock.now.getTime() - noon.getTime()) / 3_600_000;
    assert.ok(hours >= 24 && hours <= 26, `${hours} hours`);
  });
});
