import { existsSync } from 'node:fs';
import { type Dialect, Kysely } from 'kysely';
import { refuseOtherVersion } from './migrations.ts';
import type { DatabasePlace } from './store.ts';
import type { Tables } from './tables.ts';
import { viewsIn } from './tokens.ts';

const waitMilliseconds = 5_000;

/** Returns the names of the views that tokens read, or throws; creates and changes nothing. */
export async function readViewsInUse(place: DatabasePlace): Promise<ReadonlySet<string>> {
  if ('file' in place && !existsSync(place.file)) return new Set();
  const db = new Kysely<Tables>({ dialect: await dialectToRead(place) });
  try {
    await refuseOtherVersion(db);
    return new Set((await viewsIn(db, new Date())).values());
  } finally {
    await db.destroy();
  }
}

export async function dialectToRead(place: DatabasePlace): Promise<Dialect> {
  if ('url' in place) {
    const { openPool, readAddress } = await import('./postgres/pool.ts');
    const { dialectOf } = await import('./postgres/dialect.ts');
    const limits = { max: 1, connectionTimeoutMillis: waitMilliseconds, query_timeout: waitMilliseconds };
    return dialectOf(openPool(readAddress(place.url), limits));
  }
  const { openToRead } = await import('./sqlite/database-file.ts');
  const { dialectOf } = await import('./sqlite/dialect.ts');
  return dialectOf(openToRead(place.file));
}
