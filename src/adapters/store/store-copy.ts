import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Dialect, Kysely, sql } from 'kysely';
import { exclusively } from './database.ts';
import { migrate, refuseOtherVersion } from './migrations.ts';
import { registry, tableFacts } from './registry.ts';
import { readDatabaseFile } from './sqlite/database-file.ts';
import { type DatabasePlace, openDatabase } from './store.ts';
import type { Tables } from './tables.ts';
import { viewsIn } from './tokens.ts';

const lockWaitMilliseconds = 30_000;
const pageSize = 500;

/** Copies all rows without secrets to an empty database, in one transaction that compares both. Throws one line. */
export async function copyStore(from: DatabasePlace, to: DatabasePlace) {
  if ('file' in from) await readDatabaseFile(from.file, 'integrity_check');
  if ('file' in to && existsSync(to.file)) await readDatabaseFile(to.file, 'quick_check');
  const source = new Kysely<Tables>({ dialect: await dialectToRead(from) });
  const database = await openDatabase(to, { lockWaitMilliseconds });
  const target = new Kysely<Tables>({ dialect: database.dialect });
  const write = database.openWrite(target, lockWaitMilliseconds);
  const copies: Record<string, { readonly rows: number; readonly sha256: string }> = {};
  try {
    await source.connection().execute(async (snapshot) => {
      await sql.raw('url' in from ? 'begin isolation level repeatable read' : 'begin').execute(snapshot);
      await refuseOtherVersion(snapshot);
      await database.migrate(target, migrate);
      await write(async (trx) => {
        for (const [table] of tableFacts) copies[table] = await copyTable(snapshot, trx, table, 'url' in to);
      }, exclusively);
    });
    return copies;
  } finally {
    await Promise.all([source.destroy(), target.destroy()]);
  }
}

async function copyTable(from: Kysely<Tables>, to: Kysely<Tables>, table: keyof Tables, hasSequences: boolean) {
  const { key, secret } = registry[table];
  if ((await hashRows(to, table)).rows > 0) throw new Error(`The target is not empty: ${table} has rows.`);
  const { last, ...copy } = await hashRows(from, table, secret ?? 'false', to);
  if ((await hashRows(to, table)).sha256 !== copy.sha256)
    throw new Error(`${table}: the copy differs from the source, so it was undone`);
  // Ids continue after the last one. A column without a sequence needs nothing.
  if (hasSequences && typeof last[key[0]] === 'number')
    await sql`select setval(pg_get_serial_sequence(${table}, ${key[0]}), ${last[key[0]]})`.execute(to);
  return copy;
}

/** Reads a table in pages, in the order of its key, which is the same on both databases, and inserts them in `to`. */
async function hashRows(db: Kysely<Tables>, table: keyof Tables, without = 'false', to?: Kysely<Tables>) {
  const { key } = registry[table];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const hash = createHash('sha256');
  let [count, last, after] = [0, {} as Record<string, unknown>, sql``];
  for (;;) {
    const { rows } = await sql<typeof last>`select * from ${sql.table(table)} where not (${sql.raw(without)}) ${after}
      order by ${columns} limit ${pageSize}`.execute(db);
    hash.update(JSON.stringify(rows.map((row) => Object.entries(row).sort())));
    const insertion = rows.length > 0 ? to?.insertInto(table).values(rows as never) : undefined;
    await insertion?.execute();
    [count, last] = [count + rows.length, rows.at(-1) ?? last];
    if (rows.length < pageSize) return { rows: count, sha256: hash.digest('hex'), last };
    after = sql`and (${columns}) > (${sql.join(key.map((name) => last[name]))})`;
  }
}

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

async function dialectToRead(place: DatabasePlace): Promise<Dialect> {
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
