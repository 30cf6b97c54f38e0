import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { report } from '../../support/figures.ts';
import { postJson } from '../../support/post-json.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';

// In a process of its own, whose replicas run the sources: the next version is made of them.
delete process.env.TEST_PROGRAM;
const { startReplicas } = await import('../../support/replicas.ts');

const server = await startPostgres(['fsync=off']);
after(() => server.close());

/** Makes a process the next version of the program: it has one more migration, which adds a column and a table. */
const isNext = { NODE_OPTIONS: `--import ${new URL('../../support/next-version.ts', import.meta.url).href}` };

test('a replica of this version and one of the next, which extended the schema, serve side by side', async (t) => {
  const database = await server.createDatabase();
  const replicas = await startReplicas(t, database);
  await replicas.restart(1, isNext);
  const added = await runSql(database, "select name from kysely_migration where name = '9999-next-version'");
  assert.equal(added.length, 1);

  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  const tokens: string[] = [];
  for (const { token } of replicas.replicas) tokens.push(await token());
  for (const token of tokens)
    for (const { url } of replicas.replicas) {
      const authorization = `Bearer ${token}`;
      assert.equal((await fetch(`${url}/candidate`, { headers: { authorization } })).status, 200);
      assert.equal((await fetch(`${url}/contact`, postJson(contact, { authorization }))).status, 201);
    }
  const rows = await runSql(database, 'select next_column, count(*) as count from contacts group by next_column');
  assert.deepEqual(rows, [{ next_column: 'as before', count: 4 }]);

  replicas.replicas[0]!.kill('SIGTERM');
  assert.equal(await replicas.replicas[0]!.exited(), 0);
  await assert.rejects(
    replicas.start(0),
    /exit code 1: The database was written by a newer version of candidate-profile; run that version$/,
  );
  report(
    'one replica a version behind during a roll-out',
    'tokens and contact requests of either are accepted by the other, 4 of 4 stored; once the schema is extended, the version behind serves on, and does not start again',
  );
});
