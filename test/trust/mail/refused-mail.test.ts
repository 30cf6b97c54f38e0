import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { toLocalTime } from '../../../src/operations/local-time.ts';
import { refusal } from '../../support/inbox.ts';
import { openSending } from '../../support/sending.ts';
import { afterNoon, noon } from '../../support/store.ts';

const poison = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

/** A mail server that refuses mails with the poison in the text or in a header; `tries` are the ids that it was offered. */
async function openPicky(t: TestContext, code = 554) {
  const tries: (string | undefined)[] = [];
  const sending = await openSending(t, {
    mailsPerHour: 1,
    answer: async (email) => {
      tries.push(email.messageId);
      if (JSON.stringify(email).includes(poison)) throw refusal(code, 'spam');
    },
  });
  return { ...sending, tries };
}

suite('A mail whose content the server refuses', { concurrency: true }, () => {
  test('reaches the owner without what visitors wrote: who, when and a link for each notice [TRUST-35]', async (t) => {
    const { write, issue, send, received, tries, hasLogged, deadLetters } = await openPicky(t);
    await write('Hello', 'Ada Lovelace');
    await write(poison, 'Eve');
    await write('Hello', `${poison} <a href="https://bad.example">`);
    await issue('bob@example.org');
    await send();
    const [{ email } = assert.fail()] = received;
    assert.deepEqual([received.length, email.subject, email.replyTo], [1, '4 notices from your profile', undefined]);
    assert.deepEqual(email.text!.replaceAll(toLocalTime(noon), 'DAY').split('\n'), [
      'Your mail server refused this e-mail with what visitors wrote in it. At your desk you can read that:',
      '',
      '- Ada Lovelace wrote on DAY:',
      '  https://profile.example/desk/inbox/contact_1',
      '- Eve wrote on DAY:',
      '  https://profile.example/desk/inbox/contact_2',
      '- XJS C4JDBQADN1 NSBN3 2IDNEN GTUBE STANDARD ANTI UBE TEST EM wrote on DAY:',
      '  https://profile.example/desk/inbox/contact_3',
      '- bob example org asked for access on DAY:',
      '  https://profile.example/desk/readers/of-bob@example.org',
      '',
    ]);
    assert.equal(email.from!.name, "Lena Vasquez's profile");
    assert.deepEqual([tries.length, tries[0]], [2, tries[1]]);
    assert.ok(hasLogged('mail refused: it is sent without what visitors wrote'));
    assert.deepEqual(await deadLetters(), []);
  });

  test('is sent so after a day of temporary refusals, and not before [TRUST-35]', async (t) => {
    const { write, send, subjects, clock, unsent } = await openPicky(t, 451);
    await write(poison);
    while ((await unsent()).length > 0) {
      assert.deepEqual(subjects(), []);
      await send();
      clock.now = (await unsent())[0]?.dueAt ?? clock.now;
    }
    assert.deepEqual(subjects(), ['A notice from your profile']);
    assert.ok(clock.now >= afterNoon(86_400) && clock.now <= afterNoon(90_000), `${clock.now}`);
  });

  test('is a dead letter if the server refuses it without texts as well, and can be retried [TRUST-35]', async (t) => {
    let isRefusing = true;
    const { write, issue, send, store, clock, at, subjects, deadLetters } = await openSending(t, {
      mailsPerHour: 1,
      answer: async () => {
        if (isRefusing) throw refusal(554, 'no');
      },
    });
    await write('Hello');
    await issue('bob@example.org');
    await send();
    assert.deepEqual(
      (await deadLetters()).map(({ lastError, attempts }) => [lastError, attempts]),
      Array(2).fill(['EMESSAGE 554', 1]),
    );
    isRefusing = false;
    at(1);
    const [one, other] = await deadLetters();
    assert.equal(await store.outbox.retryDead(clock.now, 'unknown'), 0);
    assert.equal(await store.outbox.retryDead(clock.now, one!.id), 1);
    await send();
    assert.deepEqual(subjects(), ['Contact request from Ada (Engines)']);
    assert.deepEqual(
      (await deadLetters()).map(({ id }) => id),
      [other!.id],
    );
    assert.equal(await store.outbox.retryDead(clock.now), 1);
    at(62);
    await send();
    assert.deepEqual(subjects(), ['bob@example.org asked for access to your profile']);
    assert.equal(await store.outbox.retryDead(clock.now), 0);
  });
});
