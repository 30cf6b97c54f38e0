import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { toCanonicalAddress } from '../../model/email-address.ts';
import type { Tables } from './tables.ts';

const migrations: Record<string, Migration> = {
  '0001-what-visitors-cause': {
    async up(db) {
      await db.schema
        .createTable('contacts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('company', 'text', (column) => column.notNull())
        .addColumn('message', 'text', (column) => column.notNull())
        .addColumn('subject', 'text')
        .addColumn('received_at', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('issued_tokens')
        .addColumn('jti', 'text', (column) => column.primaryKey())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('issued_at', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('revocations')
        .addColumn('sequence', 'integer', (column) => column.primaryKey())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('revoked_at', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('outbox')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('reply_to', 'text')
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('scheduled_at', 'text', (column) => column.notNull())
        .addColumn('due_at', 'text')
        .addColumn('sent_at', 'text')
        .addColumn('last_error', 'text')
        .execute();
      await db.schema
        .createIndex('outbox_due_at')
        .on('outbox')
        .column('due_at')
        .where('due_at', 'is not', null)
        .execute();
    },
  },
  '0002-trust': {
    async up(db) {
      await db.schema
        .createTable('idempotency_keys')
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('contact_id', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('idempotency_keys_primary', ['subject', 'key'])
        .execute();
      await db.schema
        .createTable('quota_windows')
        .addColumn('key', 'text', (column) => column.primaryKey())
        .addColumn('used', 'integer', (column) => column.notNull())
        .addColumn('ends_at', 'text', (column) => column.notNull())
        .execute();
      for (const column of ['about', 'line'])
        await db.schema
          .alterTable('outbox')
          .addColumn(column, 'text', (added) => added.notNull().defaultTo(''))
          .execute();
      for (const column of ['words', 'mail_id'])
        await db.schema.alterTable('outbox').addColumn(column, 'text').execute();
      // Mails that were tried before keep their Message-ID.
      await db
        .updateTable('outbox')
        .set({ mail_id: sql.ref('id') })
        .where('attempts', '>', 0)
        .execute();
      await db
        .updateTable('outbox')
        .set({ line: sql.ref('subject') })
        .execute();
      await db.schema.createIndex('outbox_mail_id').on('outbox').column('mail_id').execute();
      await db.schema.createIndex('outbox_sent_at').on('outbox').column('sent_at').execute();
    },
  },
  '0003-canonical-addresses': {
    async up(db: Kysely<Tables>) {
      for (const [table, column] of [
        ['contacts', 'canonical_email'],
        ['issued_tokens', 'canonical_subject'],
      ] as const)
        await db.schema
          .alterTable(table)
          .addColumn(column, 'text', (added) => added.notNull().defaultTo(''))
          .execute();
      await db.schema.alterTable('contacts').addColumn('canonical_subject', 'text').execute();
      for (const { id, email, subject } of await db.selectFrom('contacts').select(['id', 'email', 'subject']).execute())
        await db
          .updateTable('contacts')
          .set({ canonical_email: toCanonicalAddress(email) })
          .set({ canonical_subject: subject && toCanonicalAddress(subject) })
          .where('id', '=', id)
          .execute();
      for (const { jti, subject } of await db.selectFrom('issued_tokens').select(['jti', 'subject']).execute())
        await db
          .updateTable('issued_tokens')
          .set({ canonical_subject: toCanonicalAddress(subject) })
          .where('jti', '=', jti)
          .execute();
    },
  },
  '0004-parts-of-mails': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .alterTable('outbox')
        .addColumn('is_part', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      const untried = db.updateTable('outbox').where('mail_id', 'is not', null).where('attempts', '=', 0);
      await untried.set({ is_part: 1 }).execute();
      // Queried at each new notice, when many may wait and many have been sent.
      const outbox = (name: string) => db.schema.createIndex(name).on('outbox');
      const due = outbox('outbox_lane_due').columns(['kind', 'is_part', 'due_at']);
      await due.where('due_at', 'is not', null).execute();
      const sent = outbox('outbox_lane_sent').columns(['kind', 'is_part', 'sent_at', 'mail_id']);
      await sent.where('sent_at', 'is not', null).execute();
    },
  },
  '0005-equal-messages': {
    async up(db) {
      await db.schema.dropIndex('outbox_due_at').execute(); // outbox_lane_due has taken its place
      // With `mail_id`, which is null while a notice waits: SQLite would go through all that wait otherwise.
      const words = db.schema.createIndex('outbox_words').on('outbox').columns(['words', 'mail_id']);
      await words.where('words', 'is not', null).execute();
    },
  },
  '0006-desk': {
    async up(db) {
      const table = (name: string, columns: readonly string[], nullable: readonly string[] = []) =>
        columns.reduce(
          (builder, column, index) =>
            builder.addColumn(column, 'text', (added) =>
              index === 0 ? added.primaryKey().notNull() : nullable.includes(column) ? added : added.notNull(),
            ),
          db.schema.createTable(name),
        );
      await db.schema
        .alterTable('contacts')
        .addColumn('state', 'text', (added) => added.notNull().defaultTo('unread'))
        .execute();
      // The state stands after the messages, which are long.
      await db.schema.createIndex('contacts_state').on('contacts').columns(['state', 'received_at']).execute();
      await db.schema
        .createTable('reads')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('jti', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('canonical_subject', 'text', (column) => column.notNull())
        .addColumn('operation', 'text', (column) => column.notNull())
        .addColumn('item', 'text')
        .addColumn('surface', 'text', (column) => column.notNull())
        .addColumn('client', 'text')
        .addColumn('read_at', 'text', (column) => column.notNull())
        .execute();
      // With all that the desk counts, so that it goes through an index alone.
      const reads = (name: string) => db.schema.createIndex(name).on('reads');
      await reads('reads_subject').columns(['canonical_subject', 'operation', 'item', 'read_at']).execute();
      await reads('reads_read_at').columns(['read_at', 'canonical_subject', 'operation', 'item']).execute();
      await reads('reads_token').column('jti').execute();
      const issued = db.schema.createIndex('issued_tokens_subject').on('issued_tokens');
      await issued.columns(['canonical_subject', 'issued_at']).execute();
      await db.schema.createIndex('revocations_value').on('revocations').column('value').execute();
      await table('erased_reads', ['jti', 'subject', 'canonical_subject', 'erased_at']).execute();
      await table('reader_notes', ['canonical_subject', 'note', 'noted_at']).execute();
      await table('sign_in_links', ['hash', 'created_at', 'expires_at', 'path', 'used_at'], ['used_at']).execute();
      await table('desk_sessions', ['hash', 'created_at', 'expires_at']).execute();
      await table('owner_events', ['kind', 'at']).execute();
    },
  },
};

/** Whether this version has the migration. */
export const isKnown = (name: string): boolean => Object.hasOwn(migrations, name);

/** Returns the migrations that a database has had. Throws if it is not of this program, or a newer version has migrated it. */
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

/** Applies the missing migrations, all or none. Throws, and changes nothing, if a newer version of the program has migrated the database. */
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
