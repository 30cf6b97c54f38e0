import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import * as whatVisitorsCause from './migrations/0001-what-visitors-cause.ts';
import * as trust from './migrations/0002-trust.ts';
import * as canonicalAddresses from './migrations/0003-canonical-addresses.ts';
import * as partsOfMails from './migrations/0004-parts-of-mails.ts';
import * as equalMessages from './migrations/0005-equal-messages.ts';
import * as desk from './migrations/0006-desk.ts';
import * as profileChanges from './migrations/0007-profile-changes.ts';
import * as manyVisitors from './migrations/0008-many-visitors.ts';
import * as oauth from './migrations/0009-oauth.ts';
import * as verificationCodes from './migrations/0010-verification-codes.ts';
import * as notes from './migrations/0011-notes.ts';
import * as pageSessions from './migrations/0012-page-sessions.ts';
import * as visits from './migrations/0013-visits.ts';
import * as mail from './migrations/0014-mail.ts';
import * as profileTexts from './migrations/0015-profile-texts.ts';
import * as views from './migrations/0016-views.ts';
import * as links from './migrations/0017-links.ts';
import type { Tables } from './tables.ts';

const migrations: Record<string, Migration> = {
  '0001-what-visitors-cause': whatVisitorsCause,
  '0002-trust': trust,
  '0003-canonical-addresses': canonicalAddresses,
  '0004-parts-of-mails': partsOfMails,
  '0005-equal-messages': equalMessages,
  '0006-desk': desk,
  '0007-profile-changes': profileChanges,
  '0008-many-visitors': manyVisitors,
  '0009-oauth': oauth,
  '0010-verification-codes': verificationCodes,
  '0011-notes': notes,
  '0012-page-sessions': pageSessions,
  '0013-visits': visits,
  '0014-mail': mail,
  '0015-profile-texts': profileTexts,
  '0016-views': views,
  '0017-links': links,
};

/** Whether this version has the migration. */
export const isKnown = (name: string): boolean => Object.hasOwn(migrations, name);

/** Returns the migrations that a database has had. Throws if it is not of this program, or of a newer version. */
export async function refuseNewerVersion(db: Kysely<Tables>): Promise<readonly string[]> {
  const applied = await appliedTo(db);
  if (!applied.some(isKnown)) throw new Error('is not a database of candidate-profile');
  if (!applied.every(isKnown)) throw new Error('was written by a newer version of candidate-profile; run that version');
  return applied;
}

/** Throws if the migrations that a database has had are not exactly those of this version. */
export async function refuseOtherVersion(db: Kysely<Tables>): Promise<void> {
  const applied = await refuseNewerVersion(db);
  if (applied.length < Object.keys(migrations).length)
    throw new Error('was written by an earlier version; start this version with it once, which migrates it');
}

/** Applies the missing migrations, all or none. Throws if a newer version of the program has migrated the database. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const applied = await appliedTo(db);
  if (!applied.every(isKnown)) {
    throw new Error(
      'The database was written by a newer version of candidate-profile; run that version, or restore an older backup.',
    );
  }
  if (applied.length === Object.keys(migrations).length) return; // the migrator would take the write lock
  await applyMigrations(db, Object.keys(migrations));
}

/** Applies those of the named migrations that were not applied yet, in order. */
export async function applyMigrations(db: Kysely<Tables>, names: readonly string[]): Promise<void> {
  const chosen = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => chosen } }).migrateToLatest();
  if (error) throw error;
}

async function appliedTo(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const rows = await db
    .withTables<{ [DEFAULT_MIGRATION_TABLE]: { name: string } }>()
    .selectFrom(DEFAULT_MIGRATION_TABLE)
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}
