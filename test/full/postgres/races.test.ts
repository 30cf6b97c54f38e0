import '../../support/on-postgres.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { Kysely } from 'kysely';
import { applyMigrations } from '../../../src/adapters/store/migrations.ts';
import { type DurableStore, openStore } from '../../../src/adapters/store/store.ts';
import type { Tables } from '../../../src/adapters/store/tables.ts';
import { createDatabase, openDatabase, rowsOf } from '../../support/database.ts';
import { fixture } from '../../support/files.ts';
import { afterNoon, contact, newDatabasePath, noon, notice, token } from '../../support/store.ts';

/** Opens stores on one database, as replicas do. */
async function openReplicas(t: TestContext, count: number, mailsPerHour?: number) {
  const path = await createDatabase(newDatabasePath(t));
  const open = async () => {
    const store = await openStore(openDatabase(path), {
      ...(mailsPerHour && { mailsPerHour }),
      lockWaitMilliseconds: 30_000,
    });
    t.after(() => store.close());
    return store;
  };
  const stores = await Promise.all(Array.from({ length: count }, open));
  /** Runs something `times` at once, spread over the stores; returns what it returned or the codes it failed with. */
  const race = async <Result>(times: number, run: (store: DurableStore, n: number) => Promise<Result>) => {
    const settled = await Promise.allSettled(
      Array.from({ length: times }, (_, n) => run(stores[n % stores.length]!, n)),
    );
    return settled.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason.code ?? one.reason)));
  };
  return { path, stores, race };
}

const charges = (count: number, ...keys: string[]) => keys.map((key) => ({ key, count, seconds: 3_600 }));
const sender = (claim: { key: string; fingerprint: string } | null = null) => ({
  token,
  subjectHashes: ['hash'],
  claim,
});
const countOf = (path: string, table: string) => rowsOf(path, `select count(*) as count from ${table}`)[0]!.count;

test('of 200 uses of a quota by 20 clients at once through two replicas, exactly the quota is allowed', async (t) => {
  const { path, race } = await openReplicas(t, 2);
  const outcomes = (
    await race(20, async (store, n) => {
      const codes: unknown[] = [];
      // Every other client names the two quotas in another order.
      const keys = n % 4 < 2 ? ['a', 'b'] : ['b', 'a'];
      for (let use = 0; use < 10; use += 1)
        codes.push(await store.quotas.take(charges(70, ...keys), noon).catch(({ code }) => code));
      return codes;
    })
  ).flat();
  assert.equal(outcomes.filter((outcome) => outcome === undefined).length, 70);
  assert.equal(outcomes.filter((outcome) => outcome === 'RATE_LIMITED').length, 130);
  assert.deepEqual(rowsOf(path, 'select key, used from quota_windows order by key'), [
    { key: 'a', used: 70 },
    { key: 'b', used: 70 },
  ]);
});

test('of 50 requests at once under one idempotency key through two replicas, one is kept for all', async (t) => {
  const { path, race } = await openReplicas(t, 2);
  const ids = await race(50, (store, n) =>
    store.contacts.add(
      { ...contact, id: `c${n}` },
      notice,
      sender({ key: 'key-1', fingerprint: 'f' }),
      charges(10, 'a'),
    ),
  );
  const [row] = rowsOf(path, 'select id from contacts');
  assert.deepEqual(new Set(ids), new Set([row!.id]));
  assert.deepEqual([countOf(path, 'contacts'), countOf(path, 'outbox')], [1, 1]);
  assert.deepEqual(rowsOf(path, 'select used from quota_windows'), [{ used: 1 }]);
});

test('revocations at once through two replicas are numbered without gaps, and none is lost', async (t) => {
  const { stores, race } = await openReplicas(t, 2);
  const outcomes = await race(60, (store, n) =>
    store.revocations.add({ kind: 'jti', value: `j${n}`, revokedAt: noon }).then(() => 'kept'),
  );
  assert.deepEqual(outcomes, Array(60).fill('kept'));
  const revocations = await stores[0]!.revocations.listAfter(0);
  assert.deepEqual(
    revocations.map(({ sequence }) => sequence),
    Array.from({ length: 60 }, (_, n) => n + 1),
  );
  assert.equal(new Set(revocations.map(({ value }) => value)).size, 60);
});

test('nothing is stored with a token after its revocation has been acknowledged, on whichever replica', async (t) => {
  const { path, stores, race } = await openReplicas(t, 2);
  let isRevoked = false;
  let isOver = false;
  const revoking = race(1, async () => {
    while (Number(countOf(path, 'contacts')) < 5) await new Promise(setImmediate);
    await stores[1]!.revocations.add({ kind: 'subject', value: 'hash', revokedAt: noon });
    isRevoked = true;
  });
  const late: string[] = [];
  const writing = race(4, async (store, writer) => {
    for (let n = 0; !isOver; n += 1) {
      const beganAfter = isRevoked;
      const id = `c${writer}-${n}`;
      const refused = await store.contacts.add({ ...contact, id }, notice, sender()).catch(({ code }) => code);
      if (refused === 'UNAUTHORIZED') return;
      if (beganAfter) late.push(id);
    }
  });
  await revoking;
  const kept = countOf(path, 'contacts');
  await writing;
  isOver = true;
  assert.deepEqual(late, []);
  assert.equal(countOf(path, 'contacts'), kept);
});

test('nothing is left of a visitor who is erased while replicas store messages and reads', async (t) => {
  const { path, stores, race } = await openReplicas(t, 3);
  await stores[0]!.tokens.add(token, { ...notice, kind: 'auth_request', about: token.jti });
  const read = { operation: 'get_candidate', item: null, surface: 'rest', client: null, readAt: noon } as const;
  let isErased = false;
  // A visitor who is erased is revoked first: what is stored later is refused.
  const erasing = race(1, async () => {
    while (Number(countOf(path, 'reads')) < 5) await new Promise(setImmediate);
    await stores[2]!.revocations.add({ kind: 'subject', value: 'hash', revokedAt: afterNoon(1) });
    await stores[2]!.visitors.erase(token.subject);
    isErased = true;
  });
  const writing = race(6, async (store, writer) => {
    for (let n = 0, extra = 0; extra < 3; n += 1, extra += isErased ? 1 : 0)
      if (writer < 2) await store.reads.add([{ ...sender(), reads: [read] }]);
      else {
        const id = `c${writer}-${n}`;
        await store.contacts.add({ ...contact, id }, { ...notice, about: id }, sender()).catch(() => {});
      }
  });
  await Promise.all([erasing, writing]);
  for (const table of ['contacts', 'issued_tokens', 'reads', 'outbox']) assert.equal(countOf(path, table), 0, table);
});

test('of tokens that the page issues to an address on several replicas at once, the owner gets one mail', async (t) => {
  const { path, race } = await openReplicas(t, 3);
  await race(12, (store, n) => {
    const jti = `j${n}`;
    const queued = { ...notice, kind: 'auth_request', about: jti } as const;
    return store.tokens.add({ ...token, jti }, queued, [], noon, { isOfPage: true });
  });
  assert.deepEqual([countOf(path, 'issued_tokens'), countOf(path, 'outbox')].map(Number), [12, 1]);
});

test('reads of a token that replicas store at once are trimmed to the latest thousand', async (t) => {
  const { path, stores, race } = await openReplicas(t, 2);
  await stores[0]!.tokens.add(token, notice);
  const read = { operation: 'get_candidate', item: null, surface: 'rest', client: null } as const;
  const outcomes = await race(30, (store, n) =>
    store.reads.add([
      { ...sender(), reads: Array.from({ length: 100 }, (_, m) => ({ ...read, readAt: afterNoon(n * 100 + m) })) },
    ]),
  );
  assert.deepEqual(outcomes, Array(30).fill(undefined));
  assert.equal(countOf(path, 'reads'), 1_000);
});

test('four replicas that open an empty database at once migrate it once', async (t) => {
  const path = newDatabasePath(t);
  await createDatabase(path, { isEmpty: true });
  const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(openDatabase(path))));
  await Promise.all(stores.map((store) => store.close()));
  assert.deepEqual(rowsOf(path, 'select name from kysely_migration order by name'), [
    { name: '0001-schema' },
    { name: '0002-one-sender' },
    { name: '0003-working-copy' },
  ]);
});

test('replicas that open a database at migration 17 at once bring it forward, and refuse one of 0.1.0', async (t) => {
  const recorded = readFileSync(fixture('database-0017.sql'), 'utf8').match(
    /^INSERT INTO kysely_migration VALUES.+$/gm,
  )!;
  const path = await createDatabase(newDatabasePath(t), { isEmpty: true });
  const db = new Kysely<Tables>({ dialect: openDatabase(path).dialect });
  await applyMigrations(db, ['0001-schema']);
  await db.destroy();
  rowsOf(path, `delete from kysely_migration; ${recorded.join('')}`);
  const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(openDatabase(path))));
  await Promise.all(stores.map((store) => store.close()));
  assert.deepEqual(rowsOf(path, 'select name from kysely_migration order by name'), [
    { name: '0001-schema' },
    { name: '0002-one-sender' },
    { name: '0003-working-copy' },
  ]);
  rowsOf(path, `delete from kysely_migration; ${recorded.slice(0, 10).join('')}`);
  await assert.rejects(openStore(openDatabase(path)), /^Error: The database was written by a version that is too old/);
  assert.equal(countOf(path, 'kysely_migration'), 10);
});

test('of three processes at once, one sends the mail of the hour, the last one with all that waits', async (t) => {
  const { path, race } = await openReplicas(t, 3, 4);
  rowsOf(
    path,
    `insert into outbox (id, kind, subject, text, about, line, created_at, attempts, scheduled_at, due_at)
     select 'n' || n, 'contact_request', 's', 't', 'n' || n, 'l', at, 0, at, at
     from generate_series(1, 40) as n, (select '2026-11-21T11:00:00.000Z' as at) as instant`,
  );
  const sent = await race(3, async (store) => {
    const sizes: number[] = [];
    for (let mail = await store.outbox.claim(noon); mail !== null; mail = await store.outbox.claim(noon)) {
      sizes.push(mail.notices.length);
      assert.equal(await store.outbox.markSent(mail, noon), true);
    }
    return sizes;
  });
  assert.deepEqual(
    sent.filter(({ length }) => length > 0),
    [[1, 1, 1, 37]],
  );
});
