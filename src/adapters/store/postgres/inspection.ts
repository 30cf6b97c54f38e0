import { Kysely, sql } from 'kysely';
import { type Contents, contentsQuery, toContents } from '../contents.ts';
import { refuseNewerVersion } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { dialectOf } from './dialect.ts';
import { ConnectionFault } from './errors.ts';
import { maxConnections, openPool, readAddress } from './pool.ts';
import { refuseServer } from './postgres.ts';
import { replicasLock } from './replicas.ts';

const waitMilliseconds = 5_000;

interface Facts {
  readonly version: string;
  /** The protocol, such as `TLSv1.3`; null if the connection is not encrypted. */
  readonly tls: string | null;
  readonly clock: number;
  /** The number of connections that the server allows to all but superusers. */
  readonly allowed: number;
  readonly open: number;
  readonly replicas: number;
  readonly has_tables: boolean;
}

/** Connects to a PostgreSQL database and inspects it; changes nothing. Throws one line. */
export async function inspectPostgres(url: string) {
  const address = readAddress(url);
  const limits = { max: 1, connectionTimeoutMillis: waitMilliseconds, query_timeout: waitMilliseconds };
  const db = new Kysely<Tables>({ dialect: dialectOf(openPool(address, limits)) });
  try {
    await refuseServer(db, address);
    const before = Date.now();
    const { rows } = await sql<Facts>`select current_setting('server_version') as version,
      (select ssl.version from pg_stat_ssl ssl where ssl.pid = pg_backend_pid()) as tls,
      extract(epoch from clock_timestamp()) * 1000 as clock,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as open,
      (select count(*) from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where datname = current_database() and locktype = 'advisory' and classid = 0 and objid = ${replicasLock}
          and objsubid = 1 and mode = 'ShareLock') as replicas,
      to_regclass('kysely_migration') is not null as has_tables`.execute(db);
    const { clock, allowed, open, has_tables, ...facts } = rows[0]!;
    return {
      ...facts,
      host: address.host,
      /** How far the server's clock is ahead of this machine's. */
      clockDifferenceMs: clock - (before + Date.now()) / 2,
      /** `ours` is the number of connections that a replica opens. */
      connections: { allowed, open, ours: maxConnections + 1 },
      ...(has_tables ? await storedIn(db) : { contents: null, newestVersion: undefined }),
    };
  } catch (error) {
    if (error instanceof ConnectionFault) throw error;
    throw new Error(`${address.name} ${(error as Error).message}`, { cause: error });
  } finally {
    await db.destroy();
  }
}

async function storedIn(db: Kysely<Tables>) {
  await refuseNewerVersion(db);
  const { rows } = await sql.raw<Contents>(contentsQuery('select pg_database_size(current_database())')).execute(db);
  const newest = db.selectFrom('profile_versions').select(['kind', 'revision', 'kept_at']).orderBy('id', 'desc');
  const version = await newest.limit(1).executeTakeFirst();
  return { contents: toContents(rows[0]), newestVersion: version && { ...version, at: new Date(version.kept_at) } };
}
