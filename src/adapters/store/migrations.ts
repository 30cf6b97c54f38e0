import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import * as schema from './migrations/0001-schema.ts';
import * as oneSender from './migrations/0002-one-sender.ts';
import * as workingCopy from './migrations/0003-working-copy.ts';
import type { Tables } from './tables.ts';

/** The changes of the schema, in the order of their names: each in its own file, which does not change once released. */
const migrations: Record<string, Migration> = {
  '0001-schema': schema,
  '0002-one-sender': oneSender,
  '0003-working-copy': workingCopy,
};

/** The first and the last of the 17 migrations that `0001-schema` replaced; they made the same tables. */
const replaced = { first: '0001-what-visitors-cause', last: '0017-links' };

/** The last commit whose program migrates every database to `replaced.last`. */
const migratingCommit = '2ea7c7b3';

export const isKnown = (name: string): boolean => Object.hasOwn(migrations, name);

/** Returns the applied migrations. Throws for another program or version; `setting` names the database in its remedy. */
export async function refuseNewerVersion(db: Kysely<Tables>, setting = ''): Promise<readonly string[]> {
  const applied = toKnown(await recordedIn(db));
  if (applied.includes(replaced.first))
    throw new Error(
      `was written by a version that is too old for this one. First migrate it with commit ${migratingCommit}: git checkout ${migratingCommit} && npm ci && ${setting}npm run cli -- tokens list`,
    );
  if (!applied.some(isKnown)) throw new Error('is not a database of candidate-profile');
  if (!applied.every(isKnown)) throw new Error('was written by a newer version of candidate-profile; run that version');
  return applied;
}

/** Throws unless a database has exactly the migrations of this version. */
export async function refuseOtherVersion(db: Kysely<Tables>): Promise<void> {
  const applied = await refuseNewerVersion(db);
  if (applied.length < Object.keys(migrations).length)
    throw new Error('was written by an earlier version; start this version with it once, which migrates it');
}

/** Applies the missing migrations, all or none. Throws as `refuseNewerVersion`, unless the database is empty. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const recorded = await recordedIn(db);
  const applied = recorded.length === 0 ? [] : await refuseNewerVersion(db).catch(toSentence);
  if (recorded.includes(replaced.last)) await recordAsSchema(db, recorded);
  if (applied.length === Object.keys(migrations).length) return; // the migrator would take the write lock
  await applyMigrations(db, Object.keys(migrations));
}

const toSentence = ({ message }: Error): never => {
  throw new Error(`The database ${message}`);
};

export async function applyMigrations(db: Kysely<Tables>, names: readonly string[]): Promise<void> {
  const chosen = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => chosen } }).migrateToLatest();
  if (error) throw error;
}

/** Replaces the names of the first 17 migrations by one. A database in which only the first step was done is still complete. */
async function recordAsSchema(db: Kysely<Tables>, recorded: readonly string[]): Promise<void> {
  const rows = db.withTables<MigrationTable>();
  const earlier = recorded.filter((name) => name < replaced.last);
  if (earlier.length > 0) await rows.deleteFrom(DEFAULT_MIGRATION_TABLE).where('name', 'in', earlier).execute();
  const last = rows.updateTable(DEFAULT_MIGRATION_TABLE).where('name', '=', replaced.last);
  await last.set({ name: '0001-schema' }).execute();
}

/** Returns the names of migrations with `0001-schema` in place of the 17, if the last of these was applied. */
const toKnown = (recorded: readonly string[]): readonly string[] =>
  recorded.includes(replaced.last) ? ['0001-schema', ...recorded.filter((name) => name > replaced.last)] : recorded;

type MigrationTable = {
  [DEFAULT_MIGRATION_TABLE]: { name: string };
};

async function recordedIn(db: Kysely<Tables>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const rows = await db.withTables<MigrationTable>().selectFrom(DEFAULT_MIGRATION_TABLE).select('name').execute();
  return rows.map(({ name }) => name);
}
