import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openReaderRecord } from '../../../src/adapters/reader-record.ts';
import type { Reader } from '../../../src/adapters/store/reads.ts';
import { Failure } from '../../../src/model/failure.ts';
import type { RecordedRead } from '../../../src/model/reader.ts';
import { toVisitorText } from '../../../src/model/visitor.ts';
import { noon, token } from '../../support/store.ts';

const read: RecordedRead = { operation: 'get_project', item: 'a', surface: 'rest', client: null, readAt: noon };

/** A record whose clock stands still, and what it was asked to store; `state.fault` is thrown instead. */
function open(t: TestContext, { isOn = true } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const batches: (readonly Reader[])[] = [];
  const logged: unknown[][] = [];
  const state: { fault: Error | null; isReady: Promise<void> } = { fault: null, isReady: Promise.resolve() };
  const record = openReaderRecord({
    isOn,
    keepSeconds: 60,
    now: () => noon,
    tokens: { subjectHashes: (subject) => [`hash of ${toVisitorText(subject)}`] },
    store: {
      reads: {
        async add(readers) {
          await state.isReady;
          if (state.fault) throw state.fault;
          batches.push(readers);
        },
        recordOf: async () => ({ total: 0, reads: [], erasedAt: null }),
        erase: async () => {},
      },
    },
    log: { warn: (...line) => logged.push(line), error: (...line) => logged.push(line) },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    record,
    state,
    batches,
    logged,
    add: (jti: string, ...items: string[]) => {
      for (const item of items) record.add({ ...token, jti }, { ...read, item });
    },
    async tick(milliseconds: number) {
      t.mock.timers.tick(milliseconds);
      await settle();
    },
    /** The items of each batch, by token. */
    stored: () =>
      batches.map((readers) =>
        Object.fromEntries(readers.map(({ token: { jti }, reads }) => [jti, reads.map(({ item }) => item)])),
      ),
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));

test('reads are stored together, a second after the first of them, with the hashes of their subjects', async (t) => {
  const { add, tick, batches, stored } = open(t);
  add('j1', 'a');
  await tick(500);
  add('j2', 'b');
  add('j1', 'c');
  await tick(499);
  assert.equal(batches.length, 0);
  await tick(1);
  assert.deepEqual(stored(), [{ j1: ['a', 'c'], j2: ['b'] }]);
  assert.deepEqual(batches[0]![0]!.subjectHashes, ['hash of ada@example.org']);
  await tick(60_000);
  add('j1', 'd');
  await tick(1_000);
  assert.deepEqual(stored().slice(1), [{ j1: ['d'] }]);
});

test('what waits is stored at once when somebody leaves, who waits for a batch that is being stored, too', async (t) => {
  const { record, state, add, tick, stored } = open(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.isReady = promise;
  add('j1', 'a');
  add('j2', 'b');
  const left: string[] = [];
  const leaving = ['j1', 'j2'].map((jti) => record.storeNow().then(() => left.push(jti)));
  await tick(0);
  assert.deepEqual([left, stored()], [[], []]);
  resolve();
  await Promise.all(leaving);
  assert.deepEqual(stored(), [{ j1: ['a'], j2: ['b'] }]);
  add('j1', 'c');
  await tick(1_000);
  assert.deepEqual(stored().slice(1), [{ j1: ['c'] }]);
});

test('while the store cannot be written, reads wait, and are stored in their order once it can', async (t) => {
  const { state, add, tick, stored, logged } = open(t);
  state.fault = new Failure('UNAVAILABLE');
  add('j1', 'a');
  await tick(1_000);
  add('j1', 'b');
  await tick(1_000);
  state.fault = null;
  await tick(1_000);
  assert.deepEqual(stored(), [{ j1: ['a', 'b'] }]);
  assert.deepEqual(logged, []);
});

test('a bug while storing is logged, and costs no reads that come later', async (t) => {
  const { state, add, tick, stored, logged } = open(t);
  state.fault = new Error('a bug');
  add('j1', 'a');
  await tick(1_000);
  state.fault = null;
  add('j1', 'b');
  await tick(1_000);
  assert.deepEqual(stored(), [{ j1: ['b'] }]);
  assert.deepEqual(logged, [[{ err: new Error('a bug') }, 'reads not recorded']]);
});

test('of one token 120 reads a second are recorded, and the log says how many were not [TRUST-49]', async (t) => {
  const { add, tick, stored, logged } = open(t);
  add('j1', ...numbers(123));
  await tick(1_000);
  assert.deepEqual(stored()[0]!.j1, numbers(120));
  assert.deepEqual(logged, [[{ dropped: 3 }, 'more reads than are recorded']]);
});

test('five hundred reads wait at most, and a flood by many tokens does not keep out a visitor [TRUST-49]', async (t) => {
  const { add, tick, stored } = open(t);
  add('visitor', 'first');
  for (let n = 0; n < 100; n += 1) add(`flood-${n}`, ...numbers(120));
  add('visitor', 'last');
  await tick(1_000);
  const [batch] = stored();
  assert.deepEqual(batch!.visitor, ['first', 'last']);
  const counts = Object.values(batch!).map(({ length }) => length);
  assert.equal(counts.length, 101);
  assert.ok(counts.reduce((sum, count) => sum + count) <= 500);
});
