import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import type { Tables } from '../../../src/adapters/store/tables.ts';
import { signingKey } from '../../support/database.ts';
import type { Cleanup } from '../../support/files.ts';
import { postJson } from '../../support/post-json.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { openProxy } from '../../support/stalling-proxy.ts';

const server = await startPostgres(['fsync=off']);
after(() => server.close());

/** Opens a database through a proxy. The limits that end a test are short, those that must not are long: machines may be busy. */
async function openBehindProxy(t: Cleanup, lockWaitMilliseconds = 1_000) {
  const direct = await server.createDatabase();
  const proxy = await openProxy(t, server.port);
  const url = direct.replace(`:${server.port}/`, `:${proxy.port}/`);
  const open = (address: string) => {
    const database = openPostgres(address, { lockWaitMilliseconds });
    const db = new Kysely<Tables>({ dialect: database.dialect });
    t.after(() => db.destroy());
    return { ...database, db, write: database.openWrite(db, lockWaitMilliseconds) };
  };
  await runSql(direct, 'create table rows (id int)');
  const add = (id: number) => sql`insert into rows values (${id})`;
  const ids = async () => (await runSql(direct, 'select id from rows order by id')).map(({ id }) => id);
  return { direct, url, proxy, open, add, ids, ...open(url) };
}

/** Starts a service whose database is behind a proxy. */
async function startBehindProxy(t: Cleanup, env: Record<string, string> = {}) {
  const direct = await server.createDatabase();
  const proxy = await openProxy(t, server.port);
  const DATABASE_URL = direct.replace(`:${server.port}/`, `:${proxy.port}/`);
  const service = await startProcess(t, { DATABASE_URL, SIGNING_KEY: signingKey, ...env });
  const token = await service.token();
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Shall we talk?' };
  // The service ends a connection that is idle for 5 s, maybe just when another request is sent on it.
  const connection = 'close';
  const headers = { authorization: `Bearer ${token}`, connection };
  const write = async () => {
    const response = await fetch(`${service.url}/contact`, postJson(contact, headers));
    const { error } = (await response.json()) as { error?: { code: string } };
    return error === undefined ? response.status : error.code;
  };
  const read = async () => (await fetch(`${service.url}/candidate`, { headers })).status;
  const readiness = () => fetch(`${service.url}/readyz`, { headers: { connection } });
  const storeState = async () => ((await (await readiness()).json()) as { store: string }).store;
  const logged = (message: string) => service.lines.filter((line) => JSON.parse(line).msg === message).length;
  return { direct, proxy, service, write, read, storeState, logged };
}

test('while the network to the database is gone, writes are refused, reads answered, and it is logged once', async (t) => {
  const { proxy, write, read, storeState, logged } = await startBehindProxy(t);
  assert.equal(await write(), 201);

  proxy.stall();
  assert.deepEqual(await Promise.all([write(), write(), write()]), ['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
  assert.equal(await read(), 200);
  assert.equal(await write(), 'UNAVAILABLE');
  assert.equal(await storeState(), 'readonly');

  proxy.resume();
  await eventually(async () => (await storeState()) === 'ok');
  assert.equal(await write(), 201);
  await eventually(() => logged('the store can be written again') > 0);
  assert.deepEqual([logged('the store failed'), logged('the store can be written again')], [1, 1]);
});

test('after the server was killed and is up again, the service is ready without a restart', async (t) => {
  const { service, write, read, storeState, logged } = await startBehindProxy(t);
  await server.stopHard();
  try {
    assert.deepEqual(await Promise.all([write(), write()]), ['UNAVAILABLE', 'UNAVAILABLE']);
    assert.equal(await read(), 200);
    await eventually(async () => (await storeState()) === 'readonly');
  } finally {
    await server.restart();
  }
  await eventually(async () => (await storeState()) === 'ok');
  assert.equal(await write(), 201);
  await eventually(() => logged('the store can be written again') > 0);
  assert.deepEqual([logged('the store failed'), logged('the store can be written again')], [1, 1]);
  service.kill('SIGTERM');
  assert.equal(await service.exited(), 0);
});

test('a database that was read-only for a while is written again as soon as it can be [TRUST-63]', async (t) => {
  const { direct, write, read, storeState, logged } = await startBehindProxy(t, { LIMITS: 'off' });
  const name = new URL(direct).pathname.slice(1);
  const administer = (statement: string) => runSql(direct.replace(`/${name}`, '/postgres'), statement);
  // Connections keep the default that they were opened with.
  const disconnect = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
  await administer(`alter database ${name} set default_transaction_read_only = on`);
  await administer(disconnect);
  await eventually(async () => (await write()) === 'UNAVAILABLE' && (await storeState()) === 'readonly');
  assert.equal(await read(), 200);
  // As many at once as there are connections, so that none of them is idle for long enough to be closed.
  const writes = () => Promise.all(Array.from({ length: 10 }, write));
  assert.deepEqual(await writes(), Array(10).fill('UNAVAILABLE'));

  await administer(`alter database ${name} reset default_transaction_read_only`);
  await eventually(async () => (await writes()).every((answer) => answer === 201));
  assert.equal(await storeState(), 'ok');
  await eventually(() => logged('the store can be written again') > 0);
});

test('a service stops while the network to its database is gone', async (t) => {
  const { proxy, service, write } = await startBehindProxy(t);
  proxy.stall();
  assert.equal(await write(), 'UNAVAILABLE');
  service.kill('SIGTERM');
  assert.equal(await service.exited(), 0);
});

test('a transaction whose network goes between two of its statements fails, and leaves nothing', async (t) => {
  const { proxy, write, add, ids, isUnavailable } = await openBehindProxy(t);
  const work = write(async (trx) => {
    await add(1).execute(trx);
    proxy.stall();
    await add(2).execute(trx);
  });
  await assert.rejects(work, isUnavailable);
  proxy.resume();
  await write((trx) => add(3).execute(trx));
  assert.deepEqual(await ids(), [3]);
});

test('a process that is cut off in a transaction gives back its locks', async (t) => {
  const { direct, proxy, open, write, add, isUnavailable, ids } = await openBehindProxy(t);
  const work = write(async (trx) => {
    await add(1).execute(trx);
    proxy.stall();
  });
  await assert.rejects(work, isUnavailable);
  const other = open(direct);
  const isExclusive = await eventually(() =>
    other.write(async () => true, { isExclusive: true }).catch((error) => (other.isUnavailable(error) ? false : error)),
  );
  assert.equal(isExclusive, true);
  assert.deepEqual(await ids(), []);
});

test('a transaction whose connection is lost between two statements fails, and the process lives on', async (t) => {
  const { direct, db, write, isUnavailable } = await openBehindProxy(t);
  const others = "from pg_stat_activity where application_name = 'candidate-profile'";
  const lost = write(async (trx) => {
    await runSql(direct, `select pg_terminate_backend(pid) ${others}`);
    await eventually(async () => (await runSql(direct, `select pid ${others}`)).length === 0);
    await sql`select 1`.execute(trx);
  });
  await assert.rejects(lost, isUnavailable);
  await sql`select 1`.execute(db);
});
