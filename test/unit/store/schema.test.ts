import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { restore } from '../../../src/adapters/store/sqlite/backup.ts';
import { readDatabaseFile } from '../../../src/adapters/store/sqlite/database-file.ts';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { createDatabase, rowsOf } from '../../support/database.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { newDatabasePath, noon } from '../../support/store.ts';

/** A backup of an earlier version; `fixtures/README.md` says which program made it. */
function backupOf(t: TestContext, version: '0.1.0' | '0.2.0' | '0017'): string {
  const path = join(newFolder(t), `${version}.db`);
  using database = openSqliteFile(path);
  database.exec(readFileSync(fixture(`database-${version}.sql`), 'utf8'));
  return path;
}

const migrations = ['0001-schema', '0002-one-sender', '0003-working-copy'].map((name) => ({ name }));

const contentOf = (path: string) =>
  ['sqlite_schema', 'kysely_migration', 'contacts', 'issued_tokens'].map((table) =>
    rowsOf(path, `select * from ${table}`),
  );

test('a database at migration 17 is brought forward with its rows, and has the schema of a new one', async (t) => {
  const path = backupOf(t, '0017');
  const store = await openStore(openSqlite(path));
  t.after(() => store.close());
  assert.deepEqual(
    (await store.contacts.list()).map(({ id, message }) => [id, message]),
    [['contact_9ffa50b88545aac0b9daa3b2d2e99753', 'Hello']],
  );
  assert.equal((await store.links.find('727e12d1cde2'))?.name, 'Acme, staff engineer');
  assert.deepEqual(await store.revocations.listAfter(0), [
    {
      sequence: 1,
      kind: 'jti',
      value: '973a8e459f509f2667a06e6a1bc3e73a',
      revokedAt: new Date('2026-11-28T05:01:14.928Z'),
    },
  ]);
  assert.deepEqual(rowsOf(path, 'select name from kysely_migration order by name'), migrations);
  const schema = 'select type, name, tbl_name, sql from sqlite_schema order by name';
  assert.deepEqual(rowsOf(path, schema), rowsOf(await createDatabase(newDatabasePath(t)), schema));
});

test('drafts of earlier versions become proposals with their names, which start anew', async (t) => {
  const path = backupOf(t, '0017');
  rowsOf(
    path,
    "insert into profile_drafts values ('d1', 'cv.pdf', 'base', 'r', 6, '2026-01-01T00:00:00.000Z', 'name: x')",
  );
  const store = await openStore(openSqlite(path));
  t.after(() => store.close());
  const [{ savedAt, ...proposal }] = (await store.proposals.list(new Date())) as unknown as [
    { savedAt: Date; id: string },
  ];
  assert.deepEqual(proposal, { id: 'd1', name: 'cv.pdf', baseRevision: 'base', revision: 'r', bytes: 6 });
  assert.ok(Date.now() - savedAt.getTime() < 60_000);
  assert.equal((await store.proposals.find('d1', new Date()))?.text, 'name: x');
  assert.equal(await store.workingCopy.load(), null);
});

test('a database whose migrations were half renamed, by a process that was killed, is brought forward', async (t) => {
  const path = backupOf(t, '0017');
  rowsOf(path, "delete from kysely_migration where name < '0017-links'");
  await (await openStore(openSqlite(path))).close();
  assert.deepEqual(rowsOf(path, 'select name from kysely_migration order by name'), migrations);
});

test('a backup of migration 17 is restored, and valid before and after a start and ANALYZE', async (t) => {
  const path = newDatabasePath(t);
  const { contents } = await restore(backupOf(t, '0017'), path, noon);
  assert.deepEqual([contents.contacts, contents.tokens], [1, 2]);
  await (await openStore(openSqlite(path))).close();
  rowsOf(path, 'analyze');
  assert.equal((await readDatabaseFile(path, 'integrity_check')).tokens, 2);
});

for (const version of ['0.1.0', '0.2.0'] as const)
  test(`a database and a backup of ${version} are refused unchanged, with the commands that migrate them`, async (t) => {
    const path = backupOf(t, version);
    const before = contentOf(path);
    const refusal =
      'was written by a version that is too old for this one. First migrate it with commit 2ea7c7b3: git checkout 2ea7c7b3 && npm ci && ';
    await assert.rejects(openStore(openSqlite(path)), {
      message: `The database ${refusal}npm run cli -- tokens list`,
    });
    assert.deepEqual(contentOf(path), before);
    const current = await createDatabase(newDatabasePath(t));
    await assert.rejects(restore(path, current, noon), {
      message: `${path}: ${refusal}DATABASE_URL='${path}' npm run cli -- tokens list`,
    });
    assert.deepEqual(contentOf(path), before);
    assert.deepEqual(rowsOf(current, 'select name from kysely_migration order by name'), migrations);
  });

test('a migration named like a property of every object is an unknown one', async (t) => {
  const path = backupOf(t, '0017');
  rowsOf(path, "insert into kysely_migration values ('toString', '2026-11-21T12:00:00.000Z')");
  await assert.rejects(readDatabaseFile(path, 'integrity_check'), {
    message: `${path}: was written by a newer version of candidate-profile; run that version`,
  });
});
