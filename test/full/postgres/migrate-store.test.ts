import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { registry } from '../../../src/adapters/store/registry.ts';
import { type DatabasePlace, openDatabase, openStore } from '../../../src/adapters/store/store.ts';
import type { Tables } from '../../../src/adapters/store/tables.ts';
import { type Cleanup, newFolder } from '../../support/files.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { runCommand } from '../../support/process.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';

const server = await startPostgres(['fsync=off']);
after(() => server.close());

type Values = readonly (string | number | null)[];

/** The columns and rows of each table, some of which must not be copied: each value is one that a careless copy changes. */
const rows: Record<keyof Tables, readonly [string, ...Values[]]> = {
  contacts: [
    'id, name, email, company, message, subject, received_at, canonical_email, canonical_subject, state, jti',
    ...['contact_1', 'Contact_2', 'ä', '😀'].map(
      (id): Values => [
        ...[id, "O'Hara \\ \t 日本", 'ada@example.org', '', 'one\r\ntwo\u0001', null, '2026-11-21T12:00:00.000Z'],
        ...['ada@example.org', null, 'archived', 'j1'],
      ],
    ),
  ],
  replies: ['id, contact_id, text, written_at', ['r1', 'contact_1', 'Dear Ada,\n\nyes', '2026']],
  issued_tokens: [
    'jti, subject, issued_at, expires_at, canonical_subject, grant_id',
    ['j1', 'A', '2026', '2027', 'a', 'g1'],
  ],
  revocations: ['sequence, kind, value, revoked_at', [7, 'jti', 'j1', '2026'], [12, 'all', '', '2026']],
  idempotency_keys: [
    'subject, key, fingerprint, contact_id, created_at',
    ...['k', 'l', 'Z'].map((key): Values => ['a', key, 'f', 'contact_1', '2026']),
  ],
  leases: ['name, holder, ends_at', ['mail', 'h', '2027']],
  quota_windows: ['key, used, ends_at', ['hash', 2_147_483_647, '2027']],
  profile_changes: ['part, changes', ['candidate-profile://profile/candidate', 3]],
  reads: [
    'id, jti, subject, canonical_subject, operation, item, surface, client, read_at',
    ...[3, 40].map((id): Values => [id, 'j1', 'A', 'a', 'get_resume', null, 'rest', 'curl', '2026']),
  ],
  erased_reads: ['jti, subject, canonical_subject, erased_at', ['j1', 'A', 'a', '2026']],
  reader_notes: ['canonical_subject, note, noted_at, seen_at', ['a', 'met in Bern', '2026', '2026']],
  sign_in_links: ['hash, created_at, expires_at, path, used_at', ['h1', '2026', '2027', '/desk', null]],
  desk_sessions: ['hash, created_at, expires_at', ['h2', '2026', '2027']],
  page_sessions: [
    'hash, jti, created_at, expires_at, is_remembered, is_token_shown, unconfirmed_id, draft',
    ['h3', 'j1', '2026', '2027', 1, 0, null, '{"message":"日本"}'],
  ],
  links: [
    'id, name, view, until, may_write, made_at, opened_at, ended_at',
    ['0123456789ab', 'Acme, 日本', 'all', '2027', 1, '2026', null, null],
  ],
  mail_schedules: ['kind, schedule', ['auth_request', 'daily']],
  profile_versions: ['id, revision, text, bytes, kind, kept_at', [7, 'r1', 'name: Léna\n', 12, 'outside', '2026']],
  proposals: [
    'id, name, base_revision, revision, text, bytes, saved_at',
    ['d1', 'cv.json', 'r1', 'r2', 'name: Lena\n', 11, '2026'],
  ],
  working_copy: [
    'id, revision, base_revision, conflicts, changed_at, base_text',
    ['profile', 'r3', 'r1', '[]', '2026', 'name: Léna\n'],
  ],
  working_changes: [
    'id, sequence, step, state, changed_at, patch, text',
    ['w1', 1, 's1', 'made', '2026', '[{"op":"remove","path":"/日本"}]', null],
    ['w2', 2, 's2', 'gone', '2026', null, null],
  ],
  owner_events: ['kind, at', ['backup', '2026']],
  oauth_clients: ['id, metadata, registered_at, used_at', ['c1', '{"client_name":"日本"}', '2026', null]],
  oauth_grants: [
    'id, subject, canonical_subject, is_verified, client_id, client_name, redirect_uri, scope, is_for_mcp, created_at, expires_at',
    ['g1', 'A', 'a', 0, 'c1', '日本', 'https://client.example/callback', 'profile:read', 1, '2026', '2027'],
  ],
  oauth_records: [
    'id, grant_id, canonical_subject, payload, expires_at, consumed_at',
    ['hash', 'g1', null, '{}', '2027', null],
  ],
  verification_codes: ['request_id, canonical_subject, code_hash, tries, expires_at', ['g1', 'a', 'hash', 1, '2026']],
  outbox: [
    'id, kind, subject, text, about, line, created_at, attempts, scheduled_at, due_at, last_error',
    ...['contact_request', 'sign_in', 'verification_code'].map(
      (kind): Values => [
        ...[kind, kind, 'Hello', 'A line\n', 'contact_1', 'Ada wrote', '2026', 2, '2026', '2026', 'refused'],
      ],
    ),
  ],
};

type Kind = 'SQLite' | 'PostgreSQL';

const directions = [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const;

async function newPlace(t: Cleanup, kind: Kind): Promise<DatabasePlace> {
  if (kind === 'PostgreSQL') {
    const url = await server.createDatabase();
    return { name: url, url };
  }
  const file = join(newFolder(t), 'store.db');
  return { name: file, file };
}

const addressOf = (place: DatabasePlace) => ('url' in place ? place.url : place.file);
const createTables = async (place: DatabasePlace) => (await openStore(await openDatabase(place, {}))).close();

/** Makes a database with the rows above. */
async function filledPlace(t: Cleanup, kind: Kind): Promise<DatabasePlace> {
  const place = await newPlace(t, kind);
  await createTables(place);
  const db = new Kysely<Tables>({ dialect: (await openDatabase(place, {})).dialect });
  for (const [table, [columns, ...values]] of Object.entries(rows))
    for (const row of values)
      await sql`insert into ${sql.table(table)} (${sql.raw(columns)}) values (${sql.join(row)})`.execute(db);
  await db.destroy();
  return place;
}

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

suite('Moving the store to another database', () => {
  for (const [from, to] of directions)
    test(`from ${from} to ${to} each row arrives as it was, but for links to sign in, sessions and codes`, async (t) => {
      const [source, target] = [await filledPlace(t, from), await newPlace(t, to)];
      const before = await everyRowOf(source);
      const { code, stdout, stderr } = await migrate(t, source, target, '--json');
      assert.equal(code, 0, stderr);
      const { tables } = JSON.parse(stdout) as { tables: Record<string, { rows: number; sha256: string }> };
      const expected = {
        ...before,
        sign_in_links: [],
        desk_sessions: [],
        verification_codes: [],
        outbox: before.outbox!.filter(({ kind }) => kind === 'contact_request'),
      };
      assert.deepEqual(await everyRowOf(target), expected);
      assert.deepEqual(
        Object.entries(tables).map(([name, copied]) => [name, copied.rows]),
        Object.keys(registry).map((name) => [name, expected[name as keyof typeof expected]!.length]),
      );
      assert.deepEqual(await everyRowOf(source), before);
      // The hash is the same on both databases.
      assert.equal(tables.contacts!.sha256, '24176cad8da0dc56b12ea9f01879f75bae6d5d6590a1afea183439ca45065971');
      const values = "'j', 's', 's', 'get_resume', 'rest', '2026'";
      const columns = 'jti, subject, canonical_subject, operation, surface, read_at';
      const [added] = await select(target, `insert into reads (${columns}) values (${values}) returning id`);
      assert.equal(Number(added!.id), 41);
    });

  for (const [from, to] of directions)
    test(`from ${from} to ${to} nothing is copied if the target has rows`, async (t) => {
      const [source, target] = [await filledPlace(t, from), await newPlace(t, to)];
      await createTables(target);
      await select(target, "insert into quota_windows values ('k', 1, '2026')");
      const before = await everyRowOf(target);
      const { code, stdout, stderr } = await migrate(t, source, target);
      assert.deepEqual([code, stdout], [1, '']);
      assert.equal(stderr, 'The target is not empty: quota_windows has rows.\n');
      assert.deepEqual(await everyRowOf(target), before);
    });

  test('a copy is compared with the source before it is committed', async (t) => {
    const [source, target] = [await filledPlace(t, 'SQLite'), await newPlace(t, 'PostgreSQL')];
    await createTables(target);
    const shorten = `create function shorten() returns trigger language plpgsql as $$ begin new.note = 'met'; return new; end $$;
      create trigger shorten before insert on reader_notes for each row execute function shorten()`;
    await select(target, shorten);
    const { code, stderr } = await migrate(t, source, target);
    assert.deepEqual([code, stderr], [1, 'reader_notes: the copy differs from the source, so it was undone\n']);
    assert.deepEqual(await select(target, 'select id from contacts'), []);
  });

  test('what is copied must be a database of this version', async (t) => {
    const faultOf = async (from: DatabasePlace) => {
      const { code, stderr } = await migrate(t, from, await newPlace(t, 'PostgreSQL'));
      assert.equal(code, 1);
      return stderr.replace(/^\S+: /, '');
    };
    assert.equal(await faultOf(await newPlace(t, 'PostgreSQL')), 'is not a database of candidate-profile\n');
    assert.match(await faultOf(await newPlace(t, 'SQLite')), /^cannot be read: unable to open database file\n$/);
    for (const kind of ['SQLite', 'PostgreSQL'] as const) {
      const source = await filledPlace(t, kind);
      await select(source, "insert into kysely_migration values ('9999-later', '2027')");
      assert.equal(await faultOf(source), 'was written by a newer version of candidate-profile; run that version\n');
    }
    const earlier = await newPlace(t, 'SQLite');
    assert.ok('file' in earlier);
    using database = openSqliteFile(earlier.file);
    database.exec(readFileSync(new URL('../../fixtures/database-0.2.0.sql', import.meta.url), 'utf8'));
    assert.match(await faultOf(earlier), /^was written by a version that is too old for this one\. [^\n]+\n$/);
  });

  test('no table of the store is forgotten', async (t) => {
    const place = await newPlace(t, 'SQLite');
    await createTables(place);
    const found = await select(place, "select name from sqlite_schema where type = 'table'");
    const names = found.map(({ name }) => String(name)).filter((name) => !name.startsWith('kysely_'));
    assert.deepEqual(names.sort(), Object.keys(registry).sort());
  });
});
