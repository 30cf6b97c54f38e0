import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { close, closeSync, open, openSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import type { Tables } from '../../../src/adapters/store/tables.ts';
import { signingKey } from '../../support/database.ts';
import { type Cleanup, newFolder } from '../../support/files.ts';
import { postJson } from '../../support/post-json.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { openProxy } from '../../support/stalling-proxy.ts';
import { keyOf, notice, token } from '../../support/store.ts';

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
  const authorization = `Bearer ${token}`;
  const write = async () => {
    const response = await fetch(`${service.url}/contact`, postJson(contact, { authorization }));
    const { error } = (await response.json()) as { error?: { code: string } };
    return error === undefined ? response.status : error.code;
  };
  const read = async () => (await fetch(`${service.url}/candidate`, { headers: { authorization } })).status;
  const storeState = async () => ((await (await fetch(`${service.url}/readyz`)).json()) as { store: string }).store;
  const logged = (message: string) => service.lines.filter((line) => JSON.parse(line).msg === message).length;
  return { direct, proxy, service, write, read, storeState, logged };
}

test('while the network to the database is gone, writes are refused, reads are answered, and the log says so once', async (t) => {
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

test('a database that was read-only for a while, as of a provider whose disk was full, is written again as soon as it can be [TRUST-63]', async (t) => {
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

/** Keeps every thread waiting that names are looked up in, as unanswered questions to a name server do. */
function holdThreads(t: Cleanup): () => void {
  const pipes = Array.from({ length: 4 }, (_, n) => join(newFolder(t), `pipe-${n}`));
  execFileSync('mkfifo', pipes);
  for (const pipe of pipes) open(pipe, 'r', (_error, file) => close(file));
  return () => {
    for (const pipe of pipes) closeSync(openSync(pipe, 'w'));
  };
}

test('while a name server does not answer, new connections lead to the addresses that the host of the database had before [TRUST-61]', async (t) => {
  const url = (await server.createDatabase()).replace('127.0.0.1', 'localhost');
  const store = await openStore(openPostgres(url, { lockWaitMilliseconds: 5_000 }));
  t.after(() => store.close());
  await store.tokens.add(token, notice);
  const release = holdThreads(t);
  try {
    // As after ten seconds without use.
    const ours = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}'`;
    await runSql(url.replace(/localhost(:\d+)\/.*/, '127.0.0.1$1/postgres'), ours);
    await Promise.all(['j2', 'j3'].map((jti) => store.tokens.add({ ...token, jti }, notice)));
  } finally {
    release();
  }
  assert.equal((await store.tokens.listOf([keyOf('ada@example.org')])).length, 3);
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

test('a transaction whose network goes before its commit fails as well', async (t) => {
  const { proxy, write, add, isUnavailable } = await openBehindProxy(t);
  const work = write(async (trx) => {
    await add(1).execute(trx);
    proxy.stall();
  });
  await assert.rejects(work, isUnavailable);
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

test('once one of ten connections has not answered, none of them is used again', async (t) => {
  const { proxy, write, add, ids, isUnavailable } = await openBehindProxy(t, 2_000);
  const { promise: areOpen, resolve: open } = Promise.withResolvers<void>();
  let opened = 0;
  const inTransaction = Array.from({ length: 10 }, (_, id) =>
    write(async (trx) => {
      await add(id).execute(trx);
      opened += 1;
      if (opened === 10) open();
      await areOpen;
    }),
  );
  await Promise.all(inTransaction);
  assert.ok(proxy.connections() >= 10);
  proxy.forget();
  await assert.rejects(
    write((trx) => add(10).execute(trx)),
    isUnavailable,
  );
  await write((trx) => add(11).execute(trx));
  assert.deepEqual(await ids(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
});

test('a lock that another transaction holds breaks no connection', async (t) => {
  const { direct, open, write, add, db, isLocked } = await openBehindProxy(t);
  const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
  await write((trx) => add(1).execute(trx));
  const before = await pid();
  const other = open(direct);
  await other.write(
    () =>
      assert.rejects(
        write((trx) => add(2).execute(trx)),
        isLocked,
      ),
    { isExclusive: true },
  );
  assert.equal(await pid(), before);
});

test('work that finds no free connection is refused, and runs once there is one', async (t) => {
  const { write, add, ids, isUnavailable } = await openBehindProxy(t, 2_000);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const { promise: areTaken, resolve: take } = Promise.withResolvers<void>();
  let taken = 0;
  const held = Array.from({ length: 10 }, () =>
    write(async (trx) => {
      taken += 1;
      if (taken === 10) take();
      const beat = setInterval(() => void sql`select 1`.execute(trx), 50); // the server ends what is idle
      await end;
      clearInterval(beat);
    }),
  );
  await areTaken;
  await assert.rejects(
    write((trx) => add(1).execute(trx)),
    isUnavailable,
  );
  resolve();
  await Promise.all(held);
  await write((trx) => add(2).execute(trx));
  assert.deepEqual(await ids(), [2]);
});
