import assert from 'node:assert/strict';
import { startBalancer } from './balancer.ts';
import { signingKey } from './database.ts';
import { type Cleanup, fixture, makeFolder } from './files.ts';
import { freePort } from './free-port.ts';
import { postJson } from './post-json.ts';
import { eventually, startProcess } from './process.ts';

type Env = Record<string, string>;

/** A replica: a process of `serve` with a folder of its own, which is the same after a restart. */
export type Replica = Awaited<ReturnType<typeof startProcess>>;
export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

interface ReplicaOptions {
  readonly count?: number;
  readonly env?: Env;
  /** The settings of one replica, by its number from 0. */
  readonly envOf?: (n: number, folder: string) => Env;
}

/** Starts replicas on a database behind a balancer that sends each request to the next one. */
export async function startReplicas(t: Cleanup, database: string, options: ReplicaOptions = {}) {
  const { count = 2, env = {}, envOf = () => ({}) } = options;
  // An address of its own each: a connection from 127.0.0.1 could take the port of a replica that restarts.
  const hosts = Array.from({ length: count }, (_, n) => `127.0.0.${n + 11}`);
  const ports = await Promise.all(hosts.map((host) => freePort(host)));
  const { url, hasAll } = await startBalancer(
    t,
    hosts.map((host, n) => `${host}:${ports[n]}`),
  );
  const folders = hosts.map(makeFolder);
  const shared = { DATABASE_URL: database, SIGNING_KEY: signingKey, BASE_URL: url, TRUST_PROXY: '127.0.0.1' };

  /** Starts one of them, again once it has exited, with changed settings if they are given. */
  function start(n: number, changes: Env = {}): Promise<Replica> {
    const [HOST, PORT, folder] = [hosts[n]!, String(ports[n]!), folders[n]!];
    const own = { PROFILE: fixture('profile.yaml'), LOG_LEVEL: 'warn', ...env, ...envOf(n, folder), ...changes };
    return startProcess(t, { ...shared, HOST, PORT, ...own }, folder);
  }

  const replicas = await Promise.all(hosts.map((_, n) => start(n)));
  await eventually(hasAll);
  return {
    /** The address of the balancer. */
    url,
    /** The settings that all have; commands need them, too. */
    shared,
    /** The running replicas, each at its own address `replicas[n].url`. */
    replicas,
    start,
    /** Stops a replica by SIGTERM, as a roll-out does, and starts it again; resolves when the balancer uses it. */
    async restart(n: number, changes?: Env): Promise<void> {
      replicas[n]!.kill('SIGTERM');
      assert.equal(await replicas[n]!.exited(), 0);
      replicas[n] = await start(n, changes);
      await eventually(hasAll);
    },
    /** Asks for a token through the balancer. */
    async token(email = 'visitor@example.org'): Promise<string> {
      const response = await fetch(`${url}/auth/token`, postJson({ email }));
      assert.equal(response.status, 200);
      return ((await response.json()) as { access_token: string }).access_token;
    },
  };
}
