import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Write } from '../database.ts';
import type { Tables } from '../tables.ts';

interface CopySide extends AsyncDisposable {
  /** For messages; without a password. */
  readonly name: string;
  /** The same for the same database, however it was named. */
  readonly identity: string;
}

/** A database that is read, and never written. */
export interface CopySource extends CopySide {
  readonly db: Kysely<Tables>;
  /** Begins a transaction that sees one state of the database, and lets others write to it. */
  readonly beginSnapshot: RawBuilder<unknown>;
}

/** A database that is written as one transaction. Disposed of without `keep`, it leaves no file behind that was not there before. */
export interface CopyTarget extends CopySide {
  readonly write: Write;
  /** Makes the row ids of each table continue after the highest one that was copied. */
  restartRowIds(trx: Transaction<Tables>): Promise<void>;
  keep(): void;
}
