import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { refusal } from '../unit/inbox.ts';
import { openSending, usual } from './sending.ts';

const poison = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
const unassigned = '\u{10fffd}'.repeat(10_000);

/** A mail server that refuses whatever holds the poison; `tries` counts the mails it was offered. */
async function openPicky(t: Parameters<typeof openSending>[0]) {
  const tries = { count: 0 };
  const sending = await openSending(t, usual, {
    answer: async ({ text }) => {
      tries.count += 1;
      if (text!.includes(poison)) throw refusal(554, '5.7.1 spam');
    },
  });
  const told = () => sending.received.flatMap(({ email }) => email.text!.match(/(?<=^> Name: {4})\w+ \d+/gm) ?? []);
  return { ...sending, tries, told };
}

suite('A mail that is refused', { concurrency: true }, () => {
  test('one message that a mail server refuses is given up alone: the others of its digest go out at once [TRUST-35]', {
    expectFailure: true,
  }, async (t) => {
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
    // 19 alone; of the digest of 40 what halving it five or six times leaves.
    assert.ok(received.length <= 19 + 6, `${received.length} mails`);
  });

  test('mails are at most 2 MB, and what a digest has no room for comes in the next [TRUST-35]', {
    expectFailure: true,
  }, async (t) => {
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

  test('a message that takes more than a mail is cut there, with a line that says so, and whole in the store [TRUST-35]', {
    expectFailure: true,
  }, async (t) => {
    const { write, send, received, store } = await openSending(t, usual);
    await write('é'.repeat(500_000));
    await send();
    const [{ email, bytes } = assert.fail()] = received;
    assert.ok(bytes > 1_800_000 && bytes <= 2_000_000, `${bytes} bytes`);
    assert.match(
      email.text!,
      /^> é+\n\nCut here, because a mail is at most 2 MB\. The whole: candidate-profile contacts export\n$/m,
    );
    assert.equal((await store.listContacts())[0]!.message, 'é'.repeat(500_000));
  });
});
