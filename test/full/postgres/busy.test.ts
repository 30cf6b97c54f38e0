import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { signingKey } from '../../support/database.ts';
import type { Cleanup } from '../../support/files.ts';
import { postJson } from '../../support/post-json.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { afterNoon, noon, notice, token } from '../../support/store.ts';

const server = await startPostgres(['fsync=off']);
after(() => server.close());

const read = { operation: 'get_candidate', item: null, surface: 'rest', client: null, readAt: noon } as const;
const storeLock = 0x70726f66;
const outage = 'the store failed';
const partial = 'the store is busy or refuses some work';

async function start(t: Cleanup, user = 'owner') {
  const url = await server.createDatabase();
  const service = await startProcess(t, { DATABASE_URL: url.replace('owner@', `${user}@`), SIGNING_KEY: signingKey });
  const authorization = `Bearer ${await service.token()}`;
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Shall we talk?' };
  return {
    url,
    service,
    write: async () => (await fetch(`${service.url}/contact`, postJson(contact, { authorization }))).status,
    storeState: async () => ((await (await fetch(`${service.url}/readyz`)).json()) as { store: string }).store,
    logged: (message: string) => service.lines.filter((line) => JSON.parse(line).msg === message).length,
  };
}

/** Runs SQL in a transaction that stays open until the test rolls it back. */
async function hold(t: Cleanup, url: string, sql: string): Promise<() => Promise<unknown>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  t.after(() => client.end());
  await client.query('begin');
  await client.query(sql);
  return () => client.query('rollback');
}

test('while a table is locked, more requests than connections are refused, and the store stays healthy', async (t) => {
  const { url, service, write, storeState, logged } = await start(t);
  const release = await hold(t, url, 'lock table contacts');
  const statuses = await Promise.all(Array.from({ length: 25 }, write));
  assert.deepEqual(new Set(statuses), new Set([503]));
  await service.token('other@example.org'); // stored in another table
  assert.equal(await storeState(), 'ok');
  await release();
  assert.equal(await write(), 201);
  await eventually(() => logged(partial) > 0);
  assert.deepEqual([logged(partial), logged(outage)], [1, 0]);
  assert.ok(service.lines.some((line) => /is busy: all 10 connections to it are in use/.test(line)));
});

test('a role that may not write one table is told in the log, once, and all else goes on', async (t) => {
  await runSql(await server.createDatabase(), 'create role web superuser login');
  const { url, write, storeState, logged } = await start(t, 'web');
  await runSql(url, 'alter table contacts owner to owner; alter role web nosuperuser');
  assert.deepEqual([await write(), await write()], [503, 503]);
  await eventually(() => logged(partial) > 0);
  assert.deepEqual([logged(partial), logged(outage), await storeState()], [1, 0, 'ok']);
});

test('while all writes wait for a lock, the store is called read-only', async (t) => {
  const { url, write, storeState } = await start(t);
  const release = await hold(t, url, `select pg_advisory_xact_lock(${storeLock})`);
  assert.equal(await write(), 503);
  await eventually(async () => (await storeState()) === 'readonly');
  await release();
  await eventually(async () => (await storeState()) === 'ok');
});

test('what the server quotes of a row is in no line of the log', async (t) => {
  const { url, service, write } = await start(t);
  await runSql(
    url,
    `create function quote() returns trigger language plpgsql as $$
    begin raise exception 'row %', new using detail = new, hint = new; end $$;
    create trigger quote before insert on contacts for each row execute function quote()`,
  );
  assert.equal(await write(), 500);
  const line = await eventually(() => service.lines.find((line) => line.includes('SQLSTATE P0001')) ?? false);
  assert.equal(JSON.parse(line).err.message, 'the server refused a value (SQLSTATE P0001)');
  assert.doesNotMatch(service.lines.join('\n'), /ada@example|Shall we talk/);
});

/** Opens two stores on one database, as replicas do, with a token. */
async function openReplicas(t: Cleanup) {
  const url = await server.createDatabase();
  const open = async () => {
    const store = await openStore(openPostgres(url, { lockWaitMilliseconds: 5_000 }), { lockWaitMilliseconds: 5_000 });
    t.after(() => store.close());
    return store;
  };
  const [one, other] = [await open(), await open()];
  await one.tokens.add(token, notice);
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  /** Waits until so many statements wait for a lock. */
  const areWaiting = (count: number) => eventually(async () => (await runSql(url, waiting)).length === count);
  return { url, one, other, areWaiting };
}

const holder = { token, subjectHashes: ['hash'] };

test('while what was read with one token is being erased, tokens are issued to others and reads recorded [TRUST-65]', async (t) => {
  const { url, one, other, areWaiting } = await openReplicas(t);
  await one.reads.erase(holder, noon);
  const release = await hold(t, url, 'select from erased_reads for update');
  const erasing = one.reads.erase(holder, afterNoon(1));
  await areWaiting(1);
  const another = { ...token, jti: 'j2', subject: byAddress('bob@example.org') };
  await other.tokens.add(another, notice);
  await other.reads.add([{ token: another, subjectHashes: [], reads: [read] }]);
  await release();
  await erasing;
  assert.deepEqual(await runSql(url, 'select jti from reads'), [{ jti: 'j2' }]);
});

test('reads that are recorded while they are erased, with another token of the same grant, are erased', async (t) => {
  const { url, one, other, areWaiting } = await openReplicas(t);
  await runSql(
    url,
    `update issued_tokens set grant_id = 'g1';
     insert into issued_tokens select 'j2', subject, issued_at, expires_at, canonical_subject, grant_id from issued_tokens;
     create function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(7); return null; end $$;
     create trigger wait after insert on reads execute function wait()`,
  );
  const release = await hold(t, url, 'select pg_advisory_xact_lock(7)');
  const adding = one.reads.add([{ ...holder, reads: [read] }]);
  await areWaiting(1);
  const erasing = other.reads.erase({ ...holder, token: { ...token, jti: 'j2' } }, afterNoon(1));
  await Promise.race([areWaiting(2), erasing]);
  await release();
  await Promise.all([adding, erasing]);
  assert.deepEqual(await runSql(url, 'select jti from reads'), []);
});
