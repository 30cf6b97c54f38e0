import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { afterNoon, contact, grant, keyOf, noon, notice, token } from '../../support/store.ts';

const server = await startPostgres(['fsync=off', 'autovacuum=off']);
after(() => server.close());

const read = { operation: 'get_candidate', item: null, surface: 'rest', client: 'agent', readAt: noon } as const;

/** Opens a store with what two visitors have left. */
async function open(t: TestContext) {
  const url = await server.createDatabase();
  const store = await openStore(openPostgres(url));
  t.after(() => store.close());
  for (const [n, email] of ['erased@example.org', 'stays@example.org'].entries()) {
    const own = { ...token, jti: `j${n}`, subject: byAddress(email) };
    await store.tokens.add(own, {
      ...notice,
      kind: 'auth_request',
      about: own.jti,
      text: `${email} asked`,
      replyTo: email,
    });
    await store.reads.add([{ token: own, subjectHashes: [], reads: [{ ...read, client: `agent of ${email}` }] }]);
    await store.readers.note(keyOf(email), `Note of ${email}`, noon);
    await store.oauth.grants.add(
      { ...grant, id: `g${n}`, subject: byAddress(email) },
      { ...notice, kind: 'auth_request', about: `g${n}` },
    );
    const record = {
      grantId: null,
      canonicalSubject: keyOf(email),
      payload: `{"email":"${email}"}`,
      expiresAt: afterNoon(60),
    };
    await store.oauth.records.put({ ...record, id: `r${n}` }, noon);
    const code = {
      requestId: `r${n}`,
      subject: byAddress(email),
      hash: 'h',
      createdAt: noon,
      expiresAt: afterNoon(60),
    };
    await store.oauth.codes.add(code, { ...notice, kind: 'verification_code', about: `r${n}`, text: email }, []);
    // Too long for the table itself, and not compressible.
    const message = `From ${email}: ${randomBytes(9_000).toString('base64')}`;
    const claim = { key: `key of ${email}`, fingerprint: 'f' };
    const sender = { token: own, subjectHashes: [], claim };
    await store.contacts.add(
      { ...contact, id: `c${n}`, email, subject: byAddress(email), message },
      { ...notice, about: `c${n}`, text: email },
      sender,
    );
  }
  return { url, store };
}

/** Returns how often the files of a database hold a text, once PostgreSQL has written what it has in memory. */
async function hitsOf(url: string, text: string): Promise<number> {
  await runSql(url, 'checkpoint');
  const [database] = await runSql(url, 'select oid from pg_database where datname = current_database()');
  const files = globSync(join(server.data, `base/${database!.oid}/*`)).filter((file) => statSync(file).isFile());
  return files.reduce((hits, file) => hits + readFileSync(file, 'latin1').split(text).length - 1, 0);
}

test('no byte of a visitor who was erased is left in a table or an index [TRUST-58]', async (t) => {
  const { url, store } = await open(t);
  const [before, others] = [await hitsOf(url, 'erased@example.org'), await hitsOf(url, 'stays@example.org')];
  assert.ok(before > 10, `${before}`);
  await store.visitors.erase(byAddress('erased@example.org'));
  await store.scrub();
  assert.equal(await hitsOf(url, 'erased@example.org'), 0);
  assert.ok((await hitsOf(url, 'stays@example.org')) > others / 2);
});

test('reads and writes of other replicas wait while two replicas rewrite the tables, and none fails', async (t) => {
  const { url, store } = await open(t);
  const other = await openStore(openPostgres(url));
  t.after(() => other.close());
  let isOver = false;
  const failures: unknown[] = [];
  const using = (async () => {
    for (let n = 0; !isOver; n += 1)
      await Promise.all([
        other.contacts.list(),
        other.readers.list({}, 10),
        other.contacts.add({ ...contact, id: `later-${n}` }, { ...notice, about: `later-${n}` }, null),
      ]).catch((error) => failures.push(error));
  })();
  await store.visitors.erase(byAddress('erased@example.org'));
  await Promise.all([store.scrub(), other.scrub()]);
  isOver = true;
  await using;
  assert.deepEqual(failures, []);
});

test('a scrub fails, and says why, while a transaction still sees what was erased', async (t) => {
  const { url, store } = await open(t);
  const reader = new Client({ connectionString: url });
  await reader.connect();
  await reader.query('begin transaction isolation level repeatable read; select 1');
  await store.visitors.erase(byAddress('erased@example.org'));
  let instant = 0;
  t.mock.method(performance, 'now', () => {
    instant += 6_000;
    return instant;
  });
  const fault =
    'Erased data is still in the files of the database, which cannot be rewritten: a transaction that began before the erasing still runs, such as that of pg_dump; try again when that is solved.';
  await assert.rejects(store.scrub(), { name: 'Error', message: fault });
  await reader.end();
  t.mock.restoreAll();
  await store.scrub();
  assert.equal(await hitsOf(url, 'erased@example.org'), 0);
});

test('a role that does not own the tables cannot scrub, and is told so', async (t) => {
  const { url } = await open(t);
  await runSql(
    url,
    'create role guest login; grant select, insert, update, delete on all tables in schema public to guest',
  );
  const address = new URL(url);
  address.username = 'guest';
  const guest = await openStore(openPostgres(address.href));
  t.after(() => guest.close());
  await assert.rejects(guest.scrub(), /permission denied to vacuum "\w+".* \(the role must own the tables\)/);
});
