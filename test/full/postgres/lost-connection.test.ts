import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import type { Tables } from '../../../src/adapters/store/tables.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { eventually } from '../../support/process.ts';

const server = await startPostgres(['fsync=off']);
after(() => server.close());

test('if a connection is lost between two statements of a transaction, the transaction fails, and the process lives on', async (t) => {
  const url = await server.createDatabase();
  const database = openPostgres(url);
  const db = new Kysely<Tables>({ dialect: database.dialect });
  t.after(() => db.destroy());
  const write = database.openWrite(db, 0);
  const others = "from pg_stat_activity where application_name = 'candidate-profile'";

  const lost = write(async (trx) => {
    await runSql(url, `select pg_terminate_backend(pid) ${others}`);
    await eventually(async () => (await runSql(url, `select pid ${others}`)).length === 0);
    await sql`select 1`.execute(trx);
  });
  await assert.rejects(lost, database.isUnavailable);
  await write((trx) => sql`select 1`.execute(trx));
});
