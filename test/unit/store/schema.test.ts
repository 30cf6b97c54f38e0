import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readDatabaseFile } from '../../../src/adapters/store/sqlite/database-file.ts';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { rowsOf } from '../../support/database.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { newDatabasePath } from '../../support/store.ts';

/** The schema that the first migration creates, literally: what the migration creates today must not differ. */
const firstVersion = `
  CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
  CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
  CREATE TABLE "contacts" ("id" text primary key, "name" text not null, "email" text not null, "company" text not null, "message" text not null, "subject" text, "received_at" text not null);
  CREATE TABLE "issued_tokens" ("jti" text primary key, "subject" text not null, "issued_at" text not null, "expires_at" text not null);
  CREATE TABLE "revocations" ("sequence" integer primary key, "kind" text not null, "value" text not null, "revoked_at" text not null);
  CREATE TABLE "outbox" ("id" text primary key, "kind" text not null, "subject" text not null, "text" text not null, "reply_to" text, "created_at" text not null, "attempts" integer not null, "scheduled_at" text not null, "due_at" text, "sent_at" text, "last_error" text);
  CREATE INDEX "outbox_due_at" on "outbox" ("due_at") where "due_at" is not null;
  insert into kysely_migration values ('0001-what-visitors-cause', '2026-11-21T12:00:00.000Z');
  insert into kysely_migration_lock values ('migration_lock', 0);
  insert into issued_tokens values ('j1', 'ada@example.org', '2026-11-21T12:00:00.000Z', '2026-11-22T12:00:00.000Z');
`;

function makeFirstVersion(t: TestContext): string {
  const path = newDatabasePath(t);
  using database = openSqliteFile(path);
  database.exec(firstVersion);
  return path;
}

test('a database of the first version is valid, and still is after the migrations and ANALYZE', async (t) => {
  const path = makeFirstVersion(t);
  assert.equal((await readDatabaseFile(path, 'integrity_check')).tokens, 1);
  await (await openStore(openSqlite(path))).close();
  rowsOf(path, 'analyze');
  assert.equal((await readDatabaseFile(path, 'integrity_check')).tokens, 1);
});

test('a database whose schema differs from its recorded migrations is refused', async (t) => {
  const path = makeFirstVersion(t);
  rowsOf(path, "insert into kysely_migration values ('0002-trust', '2026-11-21T12:00:00.000Z')");
  await assert.rejects(readDatabaseFile(path, 'integrity_check'), {
    message: `${path}: its schema is not the one that candidate-profile makes: table outbox was changed`,
  });
});

test('a migration named like a property of every object is an unknown one', async (t) => {
  const path = makeFirstVersion(t);
  rowsOf(path, "insert into kysely_migration values ('toString', '2026-11-21T12:00:00.000Z')");
  await assert.rejects(readDatabaseFile(path, 'integrity_check'), {
    message: `${path}: was written by a newer version of candidate-profile; run that version`,
  });
});
