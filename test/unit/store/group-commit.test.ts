import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { groupCommits, openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import type { Tables } from '../../../src/adapters/store/tables.ts';
import { newDatabasePath } from '../../support/store.ts';

/** A database with an empty table `kept`; `commits` counts the commits. */
async function open(t: TestContext) {
  let commits = 0;
  const db = new Kysely<Tables>({
    dialect: openSqlite(newDatabasePath(t)).dialect,
    log: ({ query }) => {
      if (query.sql === 'commit') commits += 1;
    },
  });
  t.after(() => db.destroy());
  await sql`create table kept (name text primary key)`.execute(db);
  const write = groupCommits(db, () => false, 1_000);
  const keep = (name: string) => write(async (trx) => void (await sql`insert into kept values (${name})`.execute(trx)));
  const kept = async () => {
    const { rows } = await sql<{ name: string }>`select name from kept`.execute(db);
    return rows.map(({ name }) => name);
  };
  return { write, keep, kept, commits: () => commits };
}

test('work that is requested in one turn of the event loop shares a commit', async (t) => {
  const { keep, kept, commits } = await open(t);
  const later = Promise.withResolvers<void>();
  process.nextTick(() => later.resolve(keep('later')));
  await Promise.all([keep('first'), keep('second'), later.promise]);
  assert.deepEqual([await kept(), commits()], [['first', 'second', 'later'], 1]);
});

for (const [between, toTurns] of [
  ['the writes', ({ write }, turnOf) => Array.from({ length: 3 }, () => write(async () => turnOf()))],
  [
    'the answers to the writes',
    ({ keep }, turnOf) => ['first', 'second', 'third'].map((name) => keep(name).then(turnOf)),
  ],
] as [string, (opened: Awaited<ReturnType<typeof open>>, turnOf: () => number) => Promise<number>[]][])
  test(`other work of the process goes on between ${between} that share a commit`, async (t) => {
    const opened = await open(t);
    let turns = 0;
    let isDone = false;
    const done = Promise.all(toTurns(opened, () => turns)).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await nextTurn();
      turns += 1;
    }
    const [first, second, third] = await done;
    assert.deepEqual([first! < second!, second! < third!, opened.commits()], [true, true, 1]);
  });

test('work that fails is undone alone, and the rest of its commit is kept', async (t) => {
  const { keep, kept, commits } = await open(t);
  await keep('one');
  const [first, again, second] = await Promise.allSettled([keep('zero'), keep('one'), keep('two')]);
  assert.deepEqual([first.status, again.status, second.status], ['fulfilled', 'rejected', 'fulfilled']);
  assert.deepEqual([await kept(), commits()], [['one', 'zero', 'two'], 2]);
});
