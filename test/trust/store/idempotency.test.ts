import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../../src/client.ts';
import type { Failure } from '../../../src/model/failure.ts';
import { rowsOf } from '../../support/database.ts';
import { openLimited, statusesOf } from '../../support/visitors.ts';

suite('The same request sent again under its Idempotency-Key', () => {
  test('has the same answer, stores one message and one notice, and counts against no quota', async (t) => {
    const { visitor, count } = await openLimited(t);
    const ada = await visitor('ada@example.org', '198.51.100.1');
    const before = count('outbox') as number;
    const first = await (await ada.write({}, 'key-1')).text();
    for (let n = 0; n < 20; n += 1) {
      const again = await ada.write({}, 'key-1');
      assert.deepEqual([again.status, await again.text()], [201, first]);
    }
    assert.deepEqual([count('contacts'), count('outbox')], [1, before + 1]);
    assert.deepEqual(await statusesOf(5, (n) => ada.write({}, `other-${n}`)), { 201: 4, 429: 1 });
    assert.deepEqual(await (await ada.write({}, 'key-1')).text(), first);
  });

  test('with another body is 422; with the same fields spelled differently it is the same request', async (t) => {
    const { visitor, count } = await openLimited(t);
    const ada = await visitor('ada@example.org', '198.51.100.1');
    const first = await (await ada.write({}, 'key-1')).text();
    const other = await ada.write({ message: 'Hello!' }, 'key-1');
    assert.deepEqual(
      [other.status, await other.text()],
      [
        422,
        '{"error":{"code":"IDEMPOTENCY_MISMATCH","message":"This Idempotency-Key was used with another request body."}}',
      ],
    );
    assert.equal(await (await ada.write({ email: ' ada@EXAMPLE.org', unknown: 1 }, 'key-1')).text(), first);
    assert.equal(count('contacts'), 1);
  });

  test('is sent by the typed client, which also learns when to retry after a 429', async (t) => {
    const { app, baseUrl, token, count } = await openLimited(t);
    const fetch = (request: Request) => app.fetch(request, { address: '198.51.100.1', requestId: null });
    const client = createClient({ baseUrl, token, fetch });
    const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
    const first = await client.createContact(contact, { idempotencyKey: 'key-1' });
    assert.deepEqual(await client.createContact(contact, { idempotencyKey: 'key-1' }), first);
    assert.equal(count('contacts'), 1);
    for (let n = 0; n < 4; n += 1) await client.createContact(contact);
    const { code, retryAfterSeconds } = await client.createContact(contact).then(
      () => assert.fail(),
      (error: Failure) => error,
    );
    assert.equal(code, 'RATE_LIMITED');
    assert.ok(retryAfterSeconds! > 3_500 && retryAfterSeconds! <= 3_600);
  });

  test('by another subject is another request', async (t) => {
    const { visitor, count } = await openLimited(t);
    await (await visitor('ada@example.org', '198.51.100.1')).write({}, 'key-1');
    assert.equal((await (await visitor('bob@example.org', '198.51.100.1')).write({}, 'key-1')).status, 201);
    assert.equal(count('contacts'), 2);
  });

  test('sixteen times at once stores one message, returns its id to all, and counts once', async (t) => {
    const { visitor, count } = await openLimited(t);
    const ada = await visitor('ada@example.org', '198.51.100.1');
    await ada.read('/candidate'); // caches the token, so that all sixteen take equally long
    const finishes = await Promise.all(Array.from({ length: 16 }, () => ada.begin('key-1')));
    const answers = await Promise.all(finishes.map(async (finish) => (await finish()).text()));
    assert.equal(new Set(answers).size, 1);
    assert.match(answers[0]!, /^\{"id":"contact_[0-9a-f]{32}","status":"received"\}$/);
    assert.equal(count('contacts'), 1);
    assert.deepEqual(await statusesOf(5, (n) => ada.write({}, `other-${n}`)), { 201: 4, 429: 1 });
  });

  test('is answered while the body of the first one hangs; both store one message, which counts once [TRUST-38]', async (t) => {
    const { visitor, count } = await openLimited(t);
    const ada = await visitor('ada@example.org', '198.51.100.1');
    const finish = await ada.begin('key-1');
    const again = await Promise.race([ada.write({}, 'key-1'), pause(60_000, null, { ref: false })]);
    assert.equal(again?.status, 201);
    const first = await finish();
    assert.deepEqual([first.status, await first.text()], [201, await again.text()]);
    assert.equal(count('contacts'), 1);
    assert.deepEqual(await statusesOf(5, (n) => ada.write({}, `other-${n}`)), { 201: 4, 429: 1 });
  });

  test('counts against the quota if the first one was invalid', async (t) => {
    const { visitor, count } = await openLimited(t);
    const ada = await visitor('ada@example.org', '198.51.100.1');
    const [finishFirst, finishSecond] = [await ada.begin('key-1'), await ada.begin('key-1')];
    assert.equal((await finishFirst({ name: '' })).status, 400);
    assert.equal((await finishSecond()).status, 201);
    assert.equal(count('contacts'), 1);
    assert.deepEqual(await statusesOf(4, (n) => ada.write({}, `other-${n}`)), { 201: 3, 429: 1 });
  });

  test('after a day is a new request', async (t) => {
    const { visitor, count, folder } = await openLimited(t);
    const ada = await visitor('ada@example.org', '198.51.100.1');
    await ada.write({}, 'key-1');
    const dayAgo = new Date(Date.now() - 24 * 60 * 60 * 1_000).toISOString();
    rowsOf(join(folder, 'candidate-profile.db'), `update idempotency_keys set created_at = '${dayAgo}'`);
    assert.equal((await ada.write({ message: 'Hello again' }, 'key-1')).status, 201);
    assert.equal(count('contacts'), 2);
  });

  test('is refused if the key is empty, too long or has other characters than visible ASCII', async (t) => {
    const { visitor } = await openLimited(t);
    const ada = await visitor('ada@example.org', '198.51.100.1');
    const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters';
    // White space around the value of a header is removed.
    for (const key of ['\t', 'a b', 'ä', 'x'.repeat(256), 'one, two']) {
      const response = await ada.write({}, key);
      assert.deepEqual(
        [response.status, await response.json()],
        [400, { error: { code: 'BAD_REQUEST', message } }],
        key,
      );
    }
  });
});
