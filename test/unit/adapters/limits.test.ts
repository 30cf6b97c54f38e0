import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { openLocalLimits, storedChargesOf } from '../../../src/adapters/limits.ts';
import type { DurableStore } from '../../../src/adapters/store/store.ts';
import { visitorHashOf } from '../../../src/adapters/tokens/keys.ts';
import { Failure } from '../../../src/model/failure.ts';
import type { QuotaCharge } from '../../../src/model/quota.ts';
import { rowsOf } from '../../support/database.ts';
import { openTestStore } from '../../support/store.ts';

const noon = Date.parse('2026-11-21T12:00:00.000Z');
const hashedUnder = (secret: Buffer) => visitorHashOf({ secretsFor: () => [secret] });
const minutely = (holder: string, count = 2) => ({ key: `read token ${holder}`, count, seconds: 60 });
const hourly = (holder: string, count = 2) => ({ key: `read token ${holder}`, count, seconds: 3_600 });

interface Parts {
  limits: { take(charge: QuotaCharge): number | Promise<number> };
  /** Sets the clock to milliseconds after noon. */
  at(milliseconds: number): void;
}

async function openShared(t: TestContext, multiplier = 1) {
  const { path, store } = await openTestStore(t);
  const clock = { now: noon };
  const now = () => new Date(clock.now);
  const limits = takingFrom(store, now, storedChargesOf(multiplier, hashedUnder(Buffer.alloc(32))));
  return {
    path,
    store,
    now,
    limits,
    at: (milliseconds: number) => {
      clock.now = noon + milliseconds;
    },
  };
}

/** Counts in the store; `take` resolves with the seconds to wait, 0 if the charges were counted. */
const takingFrom = (
  store: DurableStore,
  now: () => Date,
  toStored: (charges: readonly QuotaCharge[]) => readonly QuotaCharge[],
) => ({
  take: (...charges: readonly QuotaCharge[]) =>
    store.quotas.take(toStored(charges), now()).then(
      () => 0,
      (error: unknown) =>
        error instanceof Failure && error.code === 'RATE_LIMITED' ? error.retryAfterSeconds! : Promise.reject(error),
    ),
});

function openLocal(_: TestContext, multiplier = 1): Parts {
  const clock = { now: noon };
  const at = (milliseconds: number) => {
    clock.now = noon + milliseconds;
  };
  const take = openLocalLimits({ multiplier, now: () => new Date(clock.now) });
  return { limits: { take }, at };
}

for (const [name, open] of [
  ['local', openLocal],
  ['shared', openShared],
] as const)
  suite(`The ${name} limits`, () => {
    test('a used up quota has room again at the end of its window', async (t) => {
      const { limits, at } = await open(t);
      assert.equal(await limits.take(minutely('ada')), 0);
      at(30_000);
      assert.equal(await limits.take(minutely('ada')), 0);
      assert.equal(await limits.take(minutely('ada')), 30);
      at(59_999);
      assert.equal(await limits.take(minutely('ada')), 1);
      at(60_000);
      assert.deepEqual(
        [await limits.take(minutely('ada')), await limits.take(minutely('ada')), await limits.take(minutely('ada'))],
        [0, 0, 60],
      );
    });

    test('the multiplier scales each quota, and an infinite one lifts it', async (t) => {
      const half = await open(t, 0.5);
      assert.deepEqual([await half.limits.take(minutely('ada')), await half.limits.take(minutely('ada'))], [0, 60]);
      const none = await open(t, Number.POSITIVE_INFINITY);
      assert.deepEqual(
        [await none.limits.take(minutely('ada', 0)), await none.limits.take(minutely('ada', 0))],
        [0, 0],
      );
    });
  });

test('of several shared quotas all are counted or none, and the longest wait is returned', async (t) => {
  const { limits, at } = await openShared(t);
  assert.equal(await limits.take(minutely('a minute', 1), hourly('an hour')), 0);
  assert.equal(await limits.take(minutely('a minute', 1), hourly('an hour')), 60);
  at(60_000);
  // The refused call was not counted in the hour.
  assert.equal(await limits.take(hourly('an hour'), minutely('a minute', 1)), 0);
  assert.equal(await limits.take(minutely('a minute', 1), hourly('an hour')), 3_540);
  assert.equal(await limits.take(hourly('an hour'), minutely('a minute', 1)), 3_540);
});

test('windows of one kind of holder drop none of another: new networks reset no token and no total [TRUST-69]', async (t) => {
  const { limits } = openLocal(t);
  const ofService = { key: 'oauth_client_document service ', count: 1, seconds: 60 };
  await limits.take(minutely('ada', 1));
  await limits.take(ofService);
  for (let n = 0; n < 10_100; n += 1) {
    await limits.take({ key: `oauth_client_document block 2001:db8:0:${n.toString(16)}::/64`, count: 10, seconds: 60 });
    await limits.take({ key: `/files/resume.pdf block 2001:db8:0:${n.toString(16)}::/64`, count: 60, seconds: 60 });
  }
  assert.equal(await limits.take(minutely('ada', 1)), 60);
  assert.equal(await limits.take(ofService), 60);
});

test('the shared limits store keyed hashes: another secret counts from zero', async (t) => {
  const { limits, store, now, path } = await openShared(t);
  await limits.take(minutely('ada', 1));
  assert.equal(await limits.take(minutely('ada', 1)), 60);
  assert.equal(
    await takingFrom(store, now, storedChargesOf(1, hashedUnder(Buffer.alloc(32, 1)))).take(minutely('ada', 1)),
    0,
  );
  const keys = rowsOf(path, 'select key from quota_windows');
  assert.deepEqual(
    keys.map(({ key }) => /^[\w-]{43}$/.test(String(key))),
    [true, true],
  );
});
