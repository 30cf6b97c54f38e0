import { Kysely, sql } from 'kysely';
import type { DocumentVersion } from '../../../model/profile/document-state.ts';
import { type Contents, contentsQuery, toContents } from '../contents.ts';
import { refuseNewerVersion } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { readAddress } from './address.ts';
import { dialectOf } from './dialect.ts';
import { ConnectionFault, reasonOf } from './errors.ts';
import { limitsOf, openPool } from './pool.ts';
import { refuseServer } from './postgres.ts';
import { replicasLock } from './replicas.ts';

const waitMilliseconds = 5_000;

interface Inspection {
  readonly version: string;
  /** The host that was connected to, or the folder of its Unix socket. */
  readonly host: string;
  /** The protocol, such as `TLSv1.3`; null if the connection is not encrypted. */
  readonly tls: string | null;
  /** The clock of the server less that of this machine. */
  readonly clockDifferenceMs: number;
  /** Connections: those the server allows to all but superusers, those that are open, those that a replica opens. */
  readonly connections: { readonly allowed: number; readonly open: number; readonly ours: number };
  /** How many processes serve from it. */
  readonly replicas: number;
  /** Null if the tables do not exist yet. */
  readonly contents: Contents | null;
  /** The newest text of the profile document; null if none is kept. */
  readonly newestVersion: Pick<DocumentVersion, 'kind' | 'revision' | 'at'> | null;
}

/** Connects to a PostgreSQL database and looks at it; changes nothing. Throws one line. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const address = readAddress(url);
  const db = new Kysely<Tables>({ dialect: dialectOf(openPool(address, { ...limitsOf(waitMilliseconds), max: 1 })) });
  try {
    await refuseServer(db);
    const before = Date.now();
    const { rows } = await sql<
      Pick<Inspection, 'version' | 'tls'> &
        Record<'clock' | 'allowed' | 'open' | 'replicas', number> & { has_tables: boolean }
    >`select current_setting('server_version') as version,
      (select ssl.version from pg_stat_ssl ssl where ssl.pid = pg_backend_pid()) as tls,
      extract(epoch from clock_timestamp()) * 1000 as clock,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as open,
      (select count(*) from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where datname = current_database() and locktype = 'advisory' and classid = 0 and objid = ${replicasLock}
          and objsubid = 1 and mode = 'ShareLock') as replicas,
      to_regclass('kysely_migration') is not null as has_tables`.execute(db);
    const { version, tls, clock, allowed, open, replicas, has_tables } = rows[0]!;
    return {
      version,
      host: address.host,
      tls,
      clockDifferenceMs: clock - (before + Date.now()) / 2,
      connections: { allowed, open, ours: limitsOf(waitMilliseconds).max + 1 },
      replicas,
      contents: has_tables ? await contentsIn(db) : null,
      newestVersion: has_tables ? await newestVersionIn(db) : null,
    };
  } catch (error) {
    if (error instanceof ConnectionFault) throw error;
    throw new Error(`${address.name} ${reasonOf(error)}`, { cause: error });
  } finally {
    await db.destroy();
  }
}

async function contentsIn(db: Kysely<Tables>): Promise<Contents> {
  await refuseNewerVersion(db);
  const { rows } = await sql.raw(contentsQuery('select pg_database_size(current_database())')).execute(db);
  return toContents(rows[0]);
}

async function newestVersionIn(db: Kysely<Tables>): Promise<Inspection['newestVersion']> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('profile_versions') is not null as exists`.execute(
    db,
  );
  if (!rows[0]!.exists) return null; // the tables are of an earlier version
  const newest = db.selectFrom('profile_versions').select(['kind', 'revision', 'kept_at']).orderBy('id', 'desc');
  const row = await newest.limit(1).executeTakeFirst();
  return row === undefined ? null : { ...row, at: new Date(row.kept_at) };
}
