import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';

/** The tables as the last migration leaves them. Instants are ISO 8601 texts in UTC, which sort as they follow each other. */
export interface Tables {
  contacts: {
    id: string;
    name: string;
    email: string;
    company: string;
    message: string;
    subject: string | null;
    received_at: string;
  };
  issued_tokens: { jti: string; subject: string; issued_at: string; expires_at: string };
  revocations: { sequence: number; kind: 'jti' | 'subject' | 'all'; value: string; revoked_at: string };
  outbox: {
    id: string;
    kind: 'auth_request' | 'contact_request';
    subject: string;
    text: string;
    reply_to: string | null;
    created_at: string;
    attempts: number;
    /** When `due_at` was decided. */
    scheduled_at: string;
    /** When it may be claimed; the end of the lease while it is; null once it was sent or given up. */
    due_at: string | null;
    sent_at: string | null;
    last_error: string | null;
  };
}

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
};

/** Whether a migration that was applied to a database is one of this version. */
export const isKnown = (name: string): boolean => name in migrations;

/** Brings the tables up to date. Throws, and changes nothing, where a newer version of the program has been at them. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  if (!(await appliedTo(db)).every(isKnown)) {
    throw new Error(
      'The database was written by a newer version of candidate-profile; run that version, or restore an older backup.',
    );
  }
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
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
