import { Kysely, sql } from 'kysely';
import { type Contents, contentsQuery, toContents } from '../contents.ts';
import { refuseNewerVersion } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { readAddress } from './address.ts';
import { dialectOf } from './dialect.ts';
import { ConnectionFault, reasonOf } from './errors.ts';
import { limitsOf, openPool } from './pool.ts';
import { refuseServer } from './postgres.ts';

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
  /** Null if the tables do not exist yet. */
  readonly contents: Contents | null;
}

/** Connects to a PostgreSQL database and looks at it; changes nothing. Throws one line. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const address = readAddress(url);
  const db = new Kysely<Tables>({ dialect: dialectOf(openPool(address, { ...limitsOf(waitMilliseconds), max: 1 })) });
  try {
    await refuseServer(db);
    const before = Date.now();
    const { rows } = await sql<
      Pick<Inspection, 'version' | 'tls'> & Record<'clock' | 'allowed' | 'open', number> & { has_tables: boolean }
    >`select current_setting('server_version') as version,
      (select ssl.version from pg_stat_ssl ssl where ssl.pid = pg_backend_pid()) as tls,
      extract(epoch from clock_timestamp()) * 1000 as clock,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as open,
      to_regclass('kysely_migration') is not null as has_tables`.execute(db);
    const { version, tls, clock, allowed, open, has_tables } = rows[0]!;
    return {
      version,
      host: address.host,
      tls,
      clockDifferenceMs: clock - (before + Date.now()) / 2,
      connections: { allowed, open, ours: limitsOf(waitMilliseconds).max },
      contents: has_tables ? await contentsIn(db) : null,
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
