import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { toLocalTime } from '../../../src/operations/local-time.ts';
import { refusal } from '../../support/inbox.ts';
import { noon } from '../../support/store.ts';
import { openSending, usual } from './sending.ts';

suite('Digests', { concurrency: true }, () => {
  test('at most 20 mails an hour report messages, and the last one is a digest of all others [TRUST-10]', async (t) => {
    const { write, send, received, at, subjects } = await openSending(t, usual);
    for (let n = 1; n <= 30; n += 1) await write(`Message ${n}`, `Visitor ${n}`);
    await send();
    assert.equal(received.length, 20);
    assert.deepEqual(
      received.slice(0, 19).map(({ email }) => email.subject),
      Array.from({ length: 19 }, (_, n) => `Contact request from Visitor ${n + 1} (Engines)`),
    );
    const { email } = received.at(-1)!;
    assert.equal(email.subject, '11 notices from your profile');
    for (let n = 20; n <= 30; n += 1) {
      assert.ok(email.text!.includes(`> Name:    Visitor ${n}\n`));
      assert.ok(email.text!.includes(`> Message ${n}\n`));
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

  test('at most 10 mails an hour report token requests, the last one is a digest of all others, and messages go first [TRUST-6] [TRUST-36]', async (t) => {
    const { write, issue, send, received } = await openSending(t, usual);
    for (let n = 1; n <= 700; n += 1) await issue(`visitor-${n}@example.org`);
    await write('Hello', 'Zoë');
    await send();
    assert.equal(received.length, 11);
    assert.equal(received[0]!.email.subject, 'Contact request from Zoë (Engines)');
    assert.equal(received.at(-1)!.email.subject, '691 notices from your profile');
    const told = received.flatMap(({ email }) => email.text!.match(/visitor-\d+@example\.org asked for access/g) ?? []);
    assert.equal(new Set(told).size, 700);
  });

  for (const [many, one, first, second, expected] of [
    ['token requests', 'a message', 'issue', 'write', 'Contact request from Ada (Engines)'],
    ['messages', 'an access notice', 'write', 'issue', 'late asked for access to your profile'],
  ] as const)
    test(`however many ${many} arrive, ${one} is sent at once [TRUST-36]`, async (t) => {
      const parts = await openSending(t, usual);
      for (let n = 1; n <= 31; n += 1) {
        await parts[first](`visitor ${n}`);
        await parts.send();
      }
      parts.subjects();
      await parts[second]('late');
      await parts.send();
      assert.deepEqual(parts.subjects(), [expected]);
    });

  for (const [many, most, what] of [
    [100, 'messages', 'write'],
    [2_000, 'access notices', 'issue'],
  ] as const)
    test(`one digest has up to ${many} ${most}, the next has the rest [TRUST-10]`, async (t) => {
      const parts = await openSending(t, { contact_request: 1, auth_request: 1 });
      await Promise.all(Array.from({ length: many + 2 }, (_, n) => parts[what](`visitor ${n}`)));
      await parts.send();
      assert.deepEqual(parts.subjects(), [`${many} notices from your profile`]);
      parts.at(61);
      await parts.send();
      assert.deepEqual(parts.subjects(), ['2 notices from your profile']);
    });

  test('equal messages from several senders are one mail, and each is stored [TRUST-10]', async (t) => {
    const { write, send, received, count } = await openSending(t, usual);
    await write('Buy  gold\nnow', 'Eve');
    await write('Something else', 'Ada');
    await write('buy gold now', 'Mallory');
    await write('Buy gold now ', 'Trudy');
    await send();
    assert.deepEqual(
      received.map(({ email }) => email.subject),
      ['Contact request from Eve (Engines) and 2 more with the same text', 'Contact request from Ada (Engines)'],
    );
    const text = received[0]!.email.text!;
    assert.deepEqual(text.split('\n').slice(5, 11), [
      `- Eve (Engines, ada@example.org) wrote on ${toLocalTime(noon)},`,
      '  request contact_1',
      `- Mallory (Engines, ada@example.org) wrote on ${toLocalTime(noon)},`,
      '  request contact_3',
      `- Trudy (Engines, ada@example.org) wrote on ${toLocalTime(noon)},`,
      '  request contact_4',
    ]);
    assert.equal(text.match(/gold/gi)?.length, 1);
    assert.equal(await count(), 4);
  });

  test('a message that was mailed is mailed again at most once an hour', async (t) => {
    const { write, send, subjects, at } = await openSending(t, usual);
    await write('Buy gold', 'Eve');
    await send();
    assert.deepEqual(subjects(), ['Contact request from Eve (Engines)']);
    at(10);
    await write('Buy gold', 'Mallory');
    at(50);
    await write('Buy gold', 'Trudy');
    await send();
    assert.deepEqual(subjects(), []);
    at(60);
    await send();
    assert.deepEqual(subjects(), ['Contact request from Mallory (Engines) and 1 more with the same text']);
    at(90);
    await write('Buy gold', 'Oscar');
    await send();
    assert.deepEqual(subjects(), []);
    at(121);
    await send();
    assert.deepEqual(subjects(), ['Contact request from Oscar (Engines)']);
  });

  test('the owner can see why each notice waits, and until when', async (t) => {
    const { write, issue, send, at, store, clock } = await openSending(t, { contact_request: 2, auth_request: 1 });
    const waits = async () =>
      (await store.outbox.listUnsent(clock.now)).map(({ waitsFor, waitsUntil }) => [
        waitsFor,
        waitsUntil?.toISOString(),
      ]);
    await write('Buy gold');
    await issue('ada@example.org');
    assert.deepEqual(await waits(), [
      ['due', undefined],
      ['due', undefined],
    ]);
    await send();
    at(1);
    await write('Buy gold');
    await issue('bob@example.org');
    await issue('eve@example.org');
    const repeat = ['same_words', '2026-11-21T13:00:00.000Z'];
    const full = ['hour_used_up', '2026-11-21T13:00:00.000Z'];
    assert.deepEqual(await waits(), [repeat, full, full]);
    await send();
    assert.deepEqual(await waits(), [repeat, full, full]);

    await write('Hello');
    const mail = await store.outbox.claim(clock.now, new Date('2026-11-21T12:01:15.000Z'), 'owner');
    assert.deepEqual((await waits()).at(-1), ['being_sent', '2026-11-21T12:01:15.000Z']);
    await store.outbox.defer(mail!, clock.now, new Date('2026-11-21T12:01:30.000Z'), 'ECONNECTION');
    assert.deepEqual((await waits()).at(-1), ['retry', '2026-11-21T12:01:30.000Z']);
    at(2);
    await send();
    await write('Late');
    assert.deepEqual(await waits(), [repeat, full, full, full]);
    at(61);
    assert.deepEqual(await waits(), Array(4).fill(['due', undefined]));
  });

  test('a deferred digest is retried with the same notices and Message-ID', async (t) => {
    const tries: (string | undefined)[] = [];
    const { write, send, received, at } = await openSending(
      t,
      { contact_request: 2, auth_request: 1 },
      {
        answer: async ({ messageId, subject }) => {
          if (subject?.startsWith('Contact')) return;
          if (tries.push(messageId) === 1) throw refusal(451, 'later');
        },
      },
    );
    for (const name of ['Ada', 'Bob', 'Cleo']) await write(`I am ${name}`, name);
    await send();
    assert.equal(received.length, 1);
    at(2);
    await write('I am late', 'Dan');
    await send();
    assert.equal(received.length, 2);
    assert.equal(received[1]!.email.subject, '2 notices from your profile');
    assert.equal(tries[0], tries[1]);
  });

  test('a clock that is set back delays no mail', async (t) => {
    const { write, send, subjects, at } = await openSending(t, { contact_request: 1, auth_request: 1 });
    at(24 * 60);
    await write('First');
    await send();
    at(0);
    await write('Second');
    await send();
    assert.equal(subjects().length, 2);
  });
});
