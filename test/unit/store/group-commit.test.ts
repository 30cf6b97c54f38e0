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

test('other work of the process goes on between the writes that share a commit', async (t) => {
  const { write, commits } = await open(t);
  let turns = 0;
  const turnOf = () => write(async () => turns);
  const written = Promise.all([turnOf(), turnOf(), turnOf()]);
  let isWritten = false;
  void written.then(() => {
    isWritten = true;
  });
  while (!isWritten) {
    await nextTurn();
    turns += 1;
  }
  const [first, second, third] = await written;
  assert.deepEqual([first! < second!, second! < third!, commits()], [true, true, 1]);
});

test('other work of the process goes on between the answers to the writes that share a commit', async (t) => {
  const { keep, commits } = await open(t);
  let turns = 0;
  const answered = Promise.all(['first', 'second', 'third'].map((name) => keep(name).then(() => turns)));
  let isAnswered = false;
  void answered.then(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    await nextTurn();
    turns += 1;
  }
  const [first, second, third] = await answered;
  assert.deepEqual([first! < second!, second! < third!, commits()], [true, true, 1]);
});

test('work that fails is undone alone, and the rest of its commit is kept', async (t) => {
  const { keep, kept, commits } = await open(t);
  await keep('one');
  const [first, again, second] = await Promise.allSettled([keep('zero'), keep('one'), keep('two')]);
  assert.deepEqual([first.status, again.status, second.status], ['fulfilled', 'rejected', 'fulfilled']);
  assert.deepEqual([await kept(), commits()], [['one', 'zero', 'two'], 2]);
});
