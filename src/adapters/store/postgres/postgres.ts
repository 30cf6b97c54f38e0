import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { dialectOf } from './dialect.ts';
import { isLocked, isUnavailable } from './error-codes.ts';
import { openPool } from './pool.ts';
import { scrub } from './scrub.ts';
import { transactionsOf } from './transactions.ts';

/** Opens a PostgreSQL database by its address, `postgres://…`; connects when it is first used. Throws a one-line error if the address is wrong. */
export const openPostgres = (url: string): Database => ({
  dialect: dialectOf(openPool(url)),
  isLocked,
  isUnavailable,
  openWrite: transactionsOf,
  async probeWrite(trx) {
    // Refused by a standby, even though it changes no row.
    await sql`update quota_windows set used = used where false`.execute(trx);
  },
  scrub: () => scrub(url),
  // Columns are compared byte by byte, where LOWER knows no letters but those of ASCII.
  lowerCase: (text) => sql`lower(${text} collate "default")`,
});
