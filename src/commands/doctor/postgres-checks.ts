import type { Contents } from '../../adapters/store/contents.ts';
import { inspectPostgres } from '../../adapters/store/postgres/inspection.ts';
import { isLoopback } from '../../service/config/config.ts';
import { summaryOf } from '../database-summary.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const clockToleranceMs = 60_000;

/** Checks that a PostgreSQL database can be used; `contents` is null if it cannot be read or has no tables yet. */
export async function checkPostgres(place: {
  readonly name: string;
  readonly url: string;
}): Promise<{ findings: Finding[]; contents: Contents | null }> {
  const inspection = await inspectPostgres(place.url).catch((error: Error) => error);
  if (inspection instanceof Error) {
    const remedy = 'check DATABASE_URL and the server';
    return { findings: [fail(inspection.message, remedy)], contents: null };
  }
  const { version, contents, host, tls, clockDifferenceMs, connections } = inspection;
  const server = `${place.name}, PostgreSQL ${version}`;
  return {
    findings: [
      contents === null
        ? warn(`${server}: has no tables yet`, 'the first start creates them')
        : ok(`${server}: ${summaryOf(contents)}`),
      toTlsFinding(host, tls),
      toConnectionsFinding(connections),
      ...(Math.abs(clockDifferenceMs) > clockToleranceMs
        ? [
            warn(
              `the clock of the database server differs by ${Math.round(Math.abs(clockDifferenceMs) / 1000)} s`,
              'synchronize both clocks by NTP',
            ),
          ]
        : [ok('the clock of the database server agrees')]),
    ],
    contents,
  };
}

export function toTlsFinding(host: string, tls: string | null): Finding {
  if (tls !== null) return ok(`the connection is encrypted (${tls})`);
  if (host.startsWith('/') || isLoopback(host))
    return ok('the connection is not encrypted, and does not leave this machine');
  return warn(
    'the connection is not encrypted: others in the network can read it',
    'add sslmode=verify-full to DATABASE_URL',
  );
}

export function toConnectionsFinding(connections: { allowed: number; open: number; ours: number }): Finding {
  const { allowed, open, ours } = connections;
  const found = `${allowed} connections allowed, ${open} open; a replica opens up to ${ours}`;
  if (allowed >= 2 * ours) return ok(found);
  return warn(found, 'raise max_connections: during a roll-out the old and the new replica run at once');
}
