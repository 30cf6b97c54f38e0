import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { sql } from 'kysely';
import { registry } from '../../../src/adapters/store/registry.ts';
import { type DatabasePlace, openDatabase, openStore } from '../../../src/adapters/store/store.ts';
import { copyStore, openCopySource, openCopyTarget } from '../../../src/adapters/store/store-copy.ts';
import type { Tables } from '../../../src/adapters/store/tables.ts';
import { type Cleanup, newFolder } from '../../support/files.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { eventually, inheritedEnv, main, runCommand } from '../../support/process.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';

const server = await startPostgres(['fsync=off']);
after(() => server.close());

/** A row of each table, and what must not be copied: each value is one that a careless copy would change. */
const rows: Record<keyof Tables, readonly Record<string, string | number | null>[]> = {
  contacts: ['contact_1', 'Contact_2', 'ä', '😀'].map((id) => ({
    id,
    name: "O'Hara \\ \t 日本",
    email: 'ada@example.org',
    company: '',
    message: 'one\r\ntwo\u0001',
    subject: null,
    received_at: '2026-11-21T12:00:00.000Z',
    canonical_email: 'ada@example.org',
    canonical_subject: null,
    state: 'archived',
    jti: 'j1',
  })),
  replies: [{ id: 'r1', contact_id: 'contact_1', text: 'Dear Ada,\n\nyes', written_at: '2026' }],
  issued_tokens: [
    {
      jti: 'j1',
      subject: 'a@example.org',
      issued_at: '2026',
      expires_at: '2027',
      canonical_subject: 'a@example.org',
      grant_id: 'g1',
    },
  ],
  revocations: [
    { sequence: 7, kind: 'jti', value: 'j1', revoked_at: '2026' },
    { sequence: 12, kind: 'all', value: '', revoked_at: '2026' },
  ],
  idempotency_keys: ['k', 'l', 'Z'].map((key) => ({
    subject: 'a@example.org',
    key,
    fingerprint: 'f',
    contact_id: 'contact_1',
    created_at: '2026',
  })),
  quota_windows: [{ key: 'hash', used: 2_147_483_647, ends_at: '2027' }],
  profile_changes: [{ part: 'candidate-profile://profile/candidate', changes: 3 }],
  reads: [3, 40].map((id) => ({
    id,
    jti: 'j1',
    subject: 'a@example.org',
    canonical_subject: 'a@example.org',
    operation: 'get_resume',
    item: null,
    surface: 'rest',
    client: 'curl',
    read_at: '2026',
  })),
  erased_reads: [{ jti: 'j1', subject: 'a@example.org', canonical_subject: 'a@example.org', erased_at: '2026' }],
  reader_notes: [{ canonical_subject: 'a@example.org', note: 'met in Bern', noted_at: '2026', seen_at: '2026' }],
  sign_in_links: [{ hash: 'h1', created_at: '2026', expires_at: '2027', path: '/desk', used_at: null }],
  desk_sessions: [{ hash: 'h2', created_at: '2026', expires_at: '2027' }],
  page_sessions: [
    {
      hash: 'h3',
      jti: 'j1',
      created_at: '2026',
      expires_at: '2027',
      is_remembered: 1,
      is_token_shown: 0,
      unconfirmed_id: null,
      draft: '{"message":"日本"}',
    },
  ],
  links: [
    {
      ...{ id: '0123456789ab', name: 'Acme, 日本', view: 'all', until: '2027', may_write: 1 },
      ...{ made_at: '2026', opened_at: null, ended_at: null },
    },
  ],
  mail_schedules: [{ kind: 'auth_request', schedule: 'daily' }],
  profile_versions: [{ id: 7, revision: 'r1', text: 'name: Léna\n', bytes: 12, kind: 'outside', kept_at: '2026' }],
  profile_drafts: [
    {
      ...{ id: 'd1', name: 'cv.json', base_revision: 'r1', revision: 'r2', text: 'name: Lena\n', bytes: 11 },
      saved_at: '2026',
    },
  ],
  owner_events: [{ kind: 'backup', at: '2026' }],
  oauth_clients: [{ id: 'c1', metadata: '{"client_name":"日本"}', registered_at: '2026', used_at: null }],
  oauth_grants: [
    {
      id: 'g1',
      subject: 'A@example.org',
      canonical_subject: 'a@example.org',
      is_verified: 0,
      client_id: 'c1',
      client_name: '日本',
      redirect_uri: 'https://client.example/callback',
      scope: 'profile:read',
      is_for_mcp: 1,
      created_at: '2026',
      expires_at: '2027',
    },
  ],
  oauth_records: [
    { id: 'hash', grant_id: 'g1', canonical_subject: null, payload: '{}', expires_at: '2027', consumed_at: null },
  ],
  verification_codes: [
    { request_id: 'g1', canonical_subject: 'ada@example.org', code_hash: 'hash', tries: 1, expires_at: '2026' },
  ],
  outbox: ['contact_request', 'sign_in', 'verification_code'].map((kind) => ({
    id: kind,
    kind,
    subject: 'Hello',
    text: 'A line\n',
    reply_to: null,
    about: 'contact_1',
    line: 'Ada wrote',
    words: 'hash',
    mail_id: null,
    is_part: 1,
    created_at: '2026',
    attempts: 2,
    scheduled_at: '2026',
    due_at: '2026',
    sent_at: null,
    last_error: 'refused',
    recipient: null,
    thread: null,
    visitor: null,
    visitor_name: null,
  })),
};

const expectedRows = {
  contacts: 4,
  replies: 1,
  issued_tokens: 1,
  revocations: 2,
  idempotency_keys: 3,
  quota_windows: 1,
  profile_changes: 1,
  reads: 2,
  erased_reads: 1,
  reader_notes: 1,
  sign_in_links: 0,
  desk_sessions: 0,
  page_sessions: 1,
  links: 1,
  mail_schedules: 1,
  profile_versions: 1,
  profile_drafts: 1,
  owner_events: 1,
  oauth_clients: 1,
  oauth_grants: 1,
  oauth_records: 1,
  verification_codes: 0,
  outbox: 1,
};

type Kind = 'SQLite' | 'PostgreSQL';

async function newPlace(t: Cleanup, kind: Kind): Promise<DatabasePlace> {
  if (kind === 'PostgreSQL') {
    const url = await server.createDatabase();
    return { name: url, url };
  }
  const file = join(newFolder(t), 'store.db');
  return { name: file, file };
}

const addressOf = (place: DatabasePlace) => ('url' in place ? place.url : place.file);

/** Makes a database with the rows above. */
async function filledPlace(t: Cleanup, kind: Kind): Promise<DatabasePlace> {
  const place = await newPlace(t, kind);
  await createTables(place);
  await using target = await openCopyTarget(place);
  await target.write(async (trx) => {
    for (const [table, values] of Object.entries(rows))
      for (const row of values)
        await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
          values (${sql.join(Object.values(row))})`.execute(trx);
  });
  target.keep();
  return place;
}

const createTables = async (place: DatabasePlace) =>
  (
    await openStore(
      await openDatabase(place, { lockWaitMilliseconds: 1_000, startWaitMilliseconds: 0, warn: assert.fail }),
    )
  ).close();

async function select(place: DatabasePlace, query: string): Promise<Record<string, unknown>[]> {
  if ('url' in place) return runSql(place.url, query);
  using database = openSqliteFile(place.file);
  return database.prepare(query).all();
}

async function everyRowOf(place: DatabasePlace) {
  const tables = Object.entries(registry).map(async ([name, { key }]) => {
    const found = await select(place, `select * from ${name} order by ${key.join()}`);
    return [
      name,
      found.map((row) => ({
        ...row,
        ...('sequence' in row && { sequence: Number(row.sequence) }),
        ...(name === 'reads' && { id: Number(row.id) }),
      })),
    ];
  });
  return Object.fromEntries(await Promise.all(tables)) as Record<string, Record<string, unknown>[]>;
}

const migrate = (t: Cleanup, from: DatabasePlace, to: DatabasePlace, ...options: string[]) =>
  runCommand(t, ['migrate-store', '--from', addressOf(from), '--to', addressOf(to), ...options]);

/** Adds a read as the service does, and returns its id. */
async function addRead(place: DatabasePlace): Promise<number> {
  const values = "'j', 's', 's', 'get_resume', 'rest', '2026'";
  const columns = 'jti, subject, canonical_subject, operation, surface, read_at';
  const [row] = await select(place, `insert into reads (${columns}) values (${values}) returning id`);
  return Number(row!.id);
}

/** The tables of a PostgreSQL database; the names of the files in the folder of a SQLite database. */
async function namesIn(place: DatabasePlace): Promise<string[]> {
  if ('file' in place) return readdirSync(dirname(place.file));
  const tables = await runSql(
    place.url,
    'select table_name as name from information_schema.tables where table_schema = current_schema()',
  );
  return tables.map(({ name }) => String(name));
}

const addReads = (count: number) =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
   insert into reads (id, jti, subject, canonical_subject, operation, item, surface, client, read_at)
   select 100 + i, 'j' || i, 'ada@example.org', 'ada@example.org', 'get_resume', null, 'rest', null, '2026' from n`;

suite('Moving the store to another database', () => {
  for (const [from, to] of [
    ['SQLite', 'PostgreSQL'],
    ['PostgreSQL', 'SQLite'],
    ['SQLite', 'SQLite'],
    ['PostgreSQL', 'PostgreSQL'],
  ] as const)
    test(`from ${from} to ${to} each row of each table arrives as it was, but for links to sign in, sessions and codes`, async (t) => {
      const [source, target] = [await filledPlace(t, from), await newPlace(t, to)];
      const before = await everyRowOf(source);
      const { code, stdout, stderr } = await migrate(t, source, target, '--json');
      assert.equal(code, 0, stderr);
      const { tables } = JSON.parse(stdout) as { tables: Record<string, { rows: number; sha256: string }> };
      assert.deepEqual(
        Object.fromEntries(Object.entries(tables).map(([name, copied]) => [name, copied.rows])),
        expectedRows,
      );
      const after = await everyRowOf(target);
      assert.deepEqual(after, {
        ...before,
        sign_in_links: [],
        desk_sessions: [],
        verification_codes: [],
        outbox: before.outbox!.filter(({ kind }) => kind === 'contact_request'),
      });
      assert.deepEqual(await everyRowOf(source), before);
      // The hash is the same on both databases.
      assert.equal(tables.contacts!.sha256, '87837e1e6ab1b7bc405dae43fc3953454d1ceeeda1b35119f5e912a450f6833e');
      assert.deepEqual(await addRead(target), 41);
    });

  for (const [from, to] of [
    ['SQLite', 'PostgreSQL'],
    ['PostgreSQL', 'SQLite'],
  ] as const) {
    test(`from ${from} to ${to} a failure in between leaves the target as it was, with one line that says so`, async (t) => {
      const source = await filledPlace(t, from);
      const target = await newPlace(t, to);
      await createTables(target);
      const refuse =
        to === 'PostgreSQL'
          ? 'alter table outbox add constraint refused check (attempts < 2)'
          : "insert into quota_windows values ('k', 1, '2026')";
      await select(target, refuse);
      const before = await everyRowOf(target);
      const { code, stdout, stderr } = await migrate(t, source, target);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        to === 'PostgreSQL'
          ? /^outbox cannot be copied: .*"refused".*; nothing was changed\n$/
          : /: is not empty \(quota_windows has rows\); name an empty database\n$/,
      );
      assert.deepEqual(await everyRowOf(target), before);
    });

    test(`from ${from} to ${to} a copy that is interrupted leaves no table and no file`, async (t) => {
      const [source, target] = [await filledPlace(t, from), await newPlace(t, to)];
      const interruption = new AbortController();
      await assert.rejects(
        async () => {
          await using opened = await openCopySource(source);
          await using openedTarget = await openCopyTarget(target);
          const restartRowIds: typeof openedTarget.restartRowIds = async (trx) => {
            await openedTarget.restartRowIds(trx);
            interruption.abort(new Error('Interrupted')); // after the last row
          };
          await copyStore(opened, { ...openedTarget, restartRowIds }, interruption.signal);
        },
        { message: 'Interrupted' },
      );
      assert.deepEqual(await namesIn(target), []);
    });
  }

  test('a copy is compared with the source before it is committed', async (t) => {
    const [source, target] = [await filledPlace(t, 'SQLite'), await newPlace(t, 'PostgreSQL')];
    await createTables(target);
    const shorten = `create function shorten() returns trigger language plpgsql as $$ begin new.note = 'met'; return new; end $$;
      create trigger shorten before insert on reader_notes for each row execute function shorten()`;
    await select(target, shorten);
    const { code, stderr } = await migrate(t, source, target);
    assert.equal(code, 1);
    assert.equal(stderr, 'reader_notes: the copy differs from the source (1 rows of 1), so it was undone\n');
    assert.deepEqual(await select(target, 'select id from contacts'), []);
  });

  test('SIGINT ends a copy, and nothing is left of it', async (t) => {
    const [source, target] = [await filledPlace(t, 'SQLite'), await newPlace(t, 'PostgreSQL')];
    assert.ok('url' in target && 'file' in source);
    await select(source, addReads(300_000));
    const child = spawn(process.execPath, [main, 'migrate-store', '--from', source.file, '--to', target.url], {
      env: inheritedEnv(),
    });
    t.after(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    const stderr = text(child.stderr);
    const active = 'pid <> pg_backend_pid() and query like \'insert into "reads"%\'';
    await eventually(async () => (await select(target, `select 1 from pg_stat_activity where ${active}`)).length > 0);
    child.kill('SIGINT');
    assert.deepEqual(await exited, [1, null]);
    assert.match(await stderr, /^Interrupted: postgres:\S+ is as it was before\.\n$/);
    assert.deepEqual(await namesIn(target), []);
  });

  test('a source that a service writes to is copied as it was when the copy began, and is not kept waiting', async (t) => {
    for (const [from, to] of [
      ['SQLite', 'PostgreSQL'],
      ['PostgreSQL', 'SQLite'],
    ] as const) {
      const [source, target] = [await filledPlace(t, from), await newPlace(t, to)];
      await using opened = await openCopySource(source);
      await using openedTarget = await openCopyTarget(target);
      const write: typeof openedTarget.write = async (work, options) => {
        await addRead(source); // after the snapshot has begun
        return await openedTarget.write(work, options);
      };
      const { reads } = await copyStore(opened, { ...openedTarget, write }, new AbortController().signal);
      assert.equal(reads.rows, 2);
      assert.equal((await select(source, 'select id from reads')).length, 3);
    }
  });

  test('what is copied must be a database of this version, and another than the one it is copied to', async (t) => {
    const empty = await newPlace(t, 'PostgreSQL');
    const target = await newPlace(t, 'PostgreSQL');
    const faultOf = async (from: DatabasePlace, to = target) => {
      const { code, stderr } = await migrate(t, from, to);
      assert.equal(code, 1);
      return stderr.replace(/^\S+: /, '');
    };
    assert.equal(await faultOf(empty), 'is not a database of candidate-profile\n');
    const missing = await newPlace(t, 'SQLite');
    assert.equal(await faultOf(missing), 'does not exist\n');
    for (const kind of ['SQLite', 'PostgreSQL'] as const) {
      const source = await filledPlace(t, kind);
      assert.equal(await faultOf(source, source), 'is the database that is copied\n');
      await select(source, "insert into kysely_migration values ('9999-later', '2027')");
      assert.equal(await faultOf(source), 'was written by a newer version of candidate-profile; run that version\n');
      const altered = await filledPlace(t, kind);
      await select(altered, 'alter table reads add column more text');
      assert.match(
        await faultOf(altered),
        /^its schema is not the one that candidate-profile makes: table reads was changed\n$/,
      );
    }
    const earlier = await newPlace(t, 'SQLite');
    assert.ok('file' in earlier);
    using database = openSqliteFile(earlier.file);
    database.exec(readFileSync(new URL('../../fixtures/database-0.2.0.sql', import.meta.url), 'utf8'));
    assert.match(await faultOf(earlier), /^was written by a version that is too old for this one\. [^\n]+\n$/);
    assert.deepEqual(await namesIn(target), []);
  });

  test('a database with a table of another program, of a name that the store has, is refused as a target', async (t) => {
    const [source, target] = [await filledPlace(t, 'SQLite'), await newPlace(t, 'PostgreSQL')];
    await select(target, 'create table contacts (phone text)');
    const { code, stderr } = await migrate(t, source, target);
    assert.equal(code, 1);
    assert.match(stderr, /^postgres:\/\/127\.0\.0\.1:\d+\/test_\d+: is not a database of candidate-profile\n$/);
  });

  test('a table of 100,000 rows is copied in pages, and not held in memory', async (t) => {
    const place = await newPlace(t, 'SQLite');
    await createTables(place);
    await select(place, addReads(100_000));
    const [middle, last] = [await newPlace(t, 'PostgreSQL'), await newPlace(t, 'SQLite')];
    for (const [from, to] of [
      [place, middle],
      [middle, last],
    ] as const) {
      // Held in memory, the rows alone would take more.
      const program = [process.execPath, '--max-old-space-size=40', main, 'migrate-store'] as const;
      const child = spawn(program[0], [...program.slice(1), '--from', addressOf(from), '--to', addressOf(to)], {
        env: inheritedEnv(),
      });
      const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      assert.match(stderr, /: 0 contacts, 0 tokens, 100000 reads, 0 other rows, /);
    }
  });

  test('no table of the store is forgotten', async (t) => {
    for (const kind of ['SQLite', 'PostgreSQL'] as const) {
      const place = await newPlace(t, kind);
      await createTables(place);
      const found = await select(
        place,
        'url' in place
          ? `select table_name as name from information_schema.tables where table_schema = current_schema()`
          : `select name from sqlite_schema where type = 'table'`,
      );
      const names = found.map(({ name }) => String(name)).filter((name) => !name.startsWith('kysely_'));
      assert.deepEqual(names.sort(), Object.keys(registry).sort());
      assert.deepEqual(Object.keys(rows).sort(), Object.keys(registry).sort());
    }
  });
});
