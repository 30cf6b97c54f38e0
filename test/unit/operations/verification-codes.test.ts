import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { storedChargesOf } from '../../../src/adapters/limits.ts';
import { hmac } from '../../../src/adapters/node-crypto.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { Failure } from '../../../src/model/failure.ts';
import type { AuditEntry } from '../../../src/model/log-entry.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { verificationCodesOf } from '../../../src/operations/oauth.ts';
import { openDatabase, rowsOf, testOnSqlite } from '../../support/database.ts';
import { afterNoon, noon, openTestStore } from '../../support/store.ts';

const clientName = 'Reader';
const ada = 'ada@example.org';
const hash = (text: string) => hmac(Buffer.from('secret'), text);

async function openParts(t: TestContext) {
  const { path, store } = await openTestStore(t);
  const clock = { now: noon };
  const audited: AuditEntry[] = [];
  let sent = 0;
  const parts = {
    limits: { toStored: storedChargesOf(1, String) },
    newCode: () => String(100_000 + sent++),
    hash,
    candidateName: () => 'Lena',
    audit: (entry: AuditEntry) => void audited.push(entry),
    now: () => clock.now,
  };
  const codes = verificationCodesOf({ ...parts, store });
  return {
    path,
    store,
    audited,
    codes,
    at: (seconds: number) => {
      clock.now = afterNoon(seconds);
    },
    send: (to = ada, from: string | null = '192.0.2.1', requestId = 'request') =>
      codes.send({ requestId, clientName }, byAddress(to), from),
    mails: () => rowsOf(path, "select text, recipient from outbox where kind = 'verification_code' order by text"),
    /** Opens the same on the same database, as another replica does. */
    async beside() {
      const other = await openStore(openDatabase(path));
      t.after(() => other.close());
      return verificationCodesOf({ ...parts, store: other });
    },
  };
}

const isLimit = (seconds: number) => (error: unknown) =>
  error instanceof Failure && error.code === 'RATE_LIMITED' && error.retryAfterSeconds === seconds;

test('of many guesses at once, at two replicas, five are compared; a code that is entered often works once', async (t) => {
  const { send, codes, beside } = await openParts(t);
  const other = await beside();
  const enter = (code: string) =>
    Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? codes : other).confirm('request', byAddress(ada), code, null),
      ),
    );
  await send();
  const guesses = await enter('999999');
  assert.deepEqual(
    guesses
      .filter((one) => typeof one === 'object')
      .map((one) => one!.triesLeft)
      .toSorted(),
    [1, 2, 3, 4],
  );
  assert.equal(guesses.filter((one) => one === 'used up').length, 16);
  await send();
  assert.equal((await enter('100001')).filter((one) => one === null).length, 1);
});

test('a network is sent ten codes an hour, and everybody together thirty', async (t) => {
  const { send, mails } = await openParts(t);
  for (let n = 0; n < 10; n += 1) await send(`visitor-${n}@example.org`, '2001:db8::1', `a${n}`);
  await assert.rejects(send('more@example.org', '2001:db8::2', 'b'), isLimit(3_600));
  for (let n = 0; n < 20; n += 1) await send(`other-${n}@example.org`, `192.0.2.${n}`, `c${n}`);
  await assert.rejects(send('more@example.org', '198.51.100.1', 'd'), isLimit(3_600));
  assert.equal(mails().length, 30);
});

testOnSqlite('the database holds no code but in the mail that waits', async (t) => {
  const { send, path, store } = await openParts(t);
  await send();
  rowsOf(path, "update outbox set text = ''");
  await store.scrub();
  const bytes = readFileSync(path, 'latin1');
  assert.ok(!bytes.includes('100000'));
  assert.ok(bytes.includes(hash('verification code request 100000')));
});
