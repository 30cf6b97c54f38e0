import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import type { Tables } from '../../../src/adapters/store/tables.ts';
import type { Cleanup } from '../../support/files.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { eventually } from '../../support/process.ts';

const server = await startPostgres(['fsync=off', 'unix_socket_directories=.']);
after(() => server.close());
const superuser = `postgres://owner@127.0.0.1:${server.port}/postgres`;
const password = 'p@ss:/?#[ ]%&+=\'"';

// All but the superuser need a password.
writeFileSync(
  join(server.data, 'pg_hba.conf'),
  'local all all trust\nhost all owner all trust\nhost all all all scram-sha-256\n',
);
for (const statement of [
  `create role reader login password '${password.replace("'", "''")}'`,
  "create database latin encoding 'LATIN1' template template0",
  'create database kept',
  'select pg_reload_conf()',
])
  await runSql(superuser, statement);
const as = (user: string, database = 'kept', port = server.port) => `postgres://${user}@127.0.0.1:${port}/${database}`;
const reader = `reader:${encodeURIComponent(password)}`;
const named = (database = 'kept', port = server.port) => `DATABASE_URL: postgres://127.0.0.1:${port}/${database}`;

function open(t: Cleanup, url: string, lockWaitMilliseconds = 1_000) {
  const database = openPostgres(url, { lockWaitMilliseconds });
  const db = new Kysely<Tables>({ dialect: database.dialect });
  t.after(() => db.destroy());
  return { ...database, db, write: database.openWrite(db, lockWaitMilliseconds) };
}

/** Opens a proxy to the server that replaces bytes of its answers by others of the same length. */
async function openForger(t: Cleanup, from: string, to: string): Promise<number> {
  const forger = createServer((client) => {
    const target = connect(server.port, '127.0.0.1');
    client.pipe(target);
    target.on('data', (bytes) => client.write(Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')));
    for (const [socket, other] of [[client, target] as const, [target, client] as const])
      socket.on('error', () => {}).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(forger, 'listening');
  t.after(() => void forger.close());
  return (forger.address() as { port: number }).port;
}

test('what is wrong with a database is said in one line, without its password', async (t) => {
  const [{ version, number }] = (await runSql(
    superuser,
    "select current_setting('server_version') as version, current_setting('server_version_num') as number",
  )) as [{ version: string; number: string }];
  const old = await openForger(t, number, '140019');
  const messages = {
    [as('reader:secret')]: `${named()} cannot be connected to: password authentication failed for user "reader"`,
    [as(reader)]: `${named()} cannot be used: permission denied for schema public`,
    [as('owner:secret', 'latin')]: `${named('latin')} has the encoding LATIN1: create it with ENCODING 'UTF8'`,
    [as('owner:secret', 'kept', old)]: `${named('kept', old)} is PostgreSQL ${version}, and must be 15 or later`,
    [as('owner:secret', 'kept', 1)]: `${named('kept', 1)} cannot be connected to: connect ECONNREFUSED 127.0.0.1:1`,
    'postgres://u:secret@nowhere.invalid/db':
      /^DATABASE_URL: postgres:\/\/nowhere\.invalid\/db cannot be connected to: getaddrinfo \w+ nowhere\.invalid$/,
    'postgres://u:sec%e9@a/db': 'DATABASE_URL: cannot be read; in a password, write @ / ? # % as %40 %2F %3F %23 %25',
  };
  for (const [url, message] of Object.entries(messages))
    await assert.rejects(async () => openStore(openPostgres(url)), { message });
});

test('a server is reached by its Unix socket', async (t) => {
  for (const url of [
    `postgres:///kept?host=${server.data}&port=${server.port}&user=owner`,
    `postgres://owner@${encodeURIComponent(server.data)}:${server.port}/kept`,
  ]) {
    const { rows } = await sql`select inet_client_addr() as address`.execute(open(t, url).db);
    assert.deepEqual(rows, [{ address: null }]);
  }
});

test('a connection sets nothing but its name and encoding when it is opened, as PgBouncer wants it', async (t) => {
  const { db } = open(t, as('owner'));
  const { rows } = await sql`select name, setting from pg_settings where source = 'client' order by name`.execute(db);
  assert.deepEqual(rows, [
    { name: 'application_name', setting: 'candidate-profile' },
    { name: 'client_encoding', setting: 'UTF8' },
  ]);
});

test('each transaction has limits, which end with it', async (t) => {
  const { write, db } = open(t, as('owner'));
  const limits = sql<Record<string, string>>`select current_setting('lock_timeout') as lock,
    current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`;
  const inTransaction = await write(async (trx) => (await limits.execute(trx)).rows);
  assert.deepEqual(inTransaction, [{ lock: '1s', statement: '1200ms', idle: '2s' }]);
  assert.deepEqual((await limits.execute(db)).rows, [{ lock: '0', statement: '0', idle: '0' }]);
});

test('a write is acknowledged once it is on the disk, also by a server with synchronous_commit=off', async (t) => {
  for (const [set, used] of [
    ['off', 'on'],
    ['local', 'local'],
    ['remote_apply', 'remote_apply'],
  ] as const) {
    const { write } = open(t, `${as('owner')}?options=-c%20synchronous_commit%3D${set}`);
    const { rows } = await write((trx) => sql`show synchronous_commit`.execute(trx));
    assert.deepEqual(rows, [{ synchronous_commit: used }]);
  }
});

test('a statement that takes too long is ended, and a migration is not', async (t) => {
  const { write, db, migrate, isUnavailable } = open(t, as('owner'), 50);
  const sleep = sql`select pg_sleep(0.3)`;
  await assert.rejects(
    write((trx) => sleep.execute(trx)),
    isUnavailable,
  );
  await migrate(db, async (own) => void (await own.transaction().execute((trx) => sleep.execute(trx))));
});

test('a server that is not up yet is waited for, if that is wanted', async (t) => {
  const url = await server.createDatabase();
  await server.stopHard();
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const opening = openStore(openPostgres(url, { startWaitMilliseconds: 60_000, warn }));
  await eventually(() => warnings.length > 0).finally(() => server.restart());
  const store = await opening;
  t.after(() => store.close());
  const name = `postgres://127.0.0.1:${server.port}/${url.split('/').at(-1)}`;
  assert.deepEqual(warnings, [
    `${name} cannot be connected to: connect ECONNREFUSED 127.0.0.1:${server.port}; trying again for 60 s`,
  ]);
});
