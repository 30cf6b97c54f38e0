import type { TestContext } from 'node:test';
import { signingKey } from '../../support/database.ts';
import { fixture, makeFolder } from '../../support/files.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { startProcess } from '../../support/process.ts';

/** One process of `serve` on a store that others use, too. */
export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** The settings that replicas of one service share. */
export const sharedSettings = {
  PROFILE: fixture('profile.yaml'),
  SIGNING_KEY: signingKey,
  BASE_URL: 'http://127.0.0.1:3000', // tokens are valid for one, but each replica listens on a port of its own
  LOG_LEVEL: 'error',
};

/** Starts a PostgreSQL server, durable as it is by default, with an empty database. */
export async function openSharedDatabase(t: TestContext): Promise<{ server: PostgresServer; url: string }> {
  const server = await startPostgres();
  t.after(() => server.close());
  return { server, url: await server.createDatabase() };
}

/** Starts a replica, without limits unless `env` has them. */
export const startReplica = (t: TestContext, databaseUrl: string, env: Record<string, string> = {}) =>
  startProcess(t, { ...sharedSettings, DATABASE_URL: databaseUrl, ...env }, makeFolder());

/** Returns the address of the same database by another port of loopback. */
export function throughPort(databaseUrl: string, port: number): string {
  const address = new URL(databaseUrl);
  address.port = String(port);
  return address.href;
}
