import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signingKey } from '../test/support/database.ts';
import { fixture } from '../test/support/files.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startProcess } from '../test/support/process.ts';

// Measures what replicas on one PostgreSQL answer: node scripts/load.ts --replicas 2 --rate 200 --seconds 10. Each request goes to the
// next replica; --rate 0 sends as many as are answered. With --replicas 0 one process with SQLite is measured. As everything runs on
// this machine, the figures are for comparing two runs on it.

const { values } = parseArgs({
  options: {
    replicas: { type: 'string', default: '2' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
  },
});
const [replicas, rate, seconds] = [Number(values.replicas), Number(values.rate), Number(values.seconds)];
const connections = 50;

const cleanups: (() => unknown)[] = [];
const cleanup = { after: (clean: () => unknown) => void cleanups.unshift(clean) };
try {
  const urls = await start();
  const response = await fetch(`${urls[0]}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'reader@example.org' }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  await measure(urls, access_token, 2); // until the code is compiled
  console.log(await measure(urls, access_token, seconds));
} finally {
  for (const clean of cleanups) await clean();
}

async function start(): Promise<string[]> {
  const shared = {
    PROFILE: fixture('profile.yaml'),
    BASE_URL: 'http://127.0.0.1:3000',
    LIMITS: 'off',
    LOG_LEVEL: 'error',
  };
  if (replicas === 0) return [(await startProcess(cleanup, shared)).url];
  const server = await startPostgres();
  cleanup.after(() => server.close());
  const env = { ...shared, DATABASE_URL: await server.createDatabase(), SIGNING_KEY: signingKey };
  const started = await Promise.all(Array.from({ length: replicas }, () => startProcess(cleanup, env)));
  return started.map(({ url }) => url);
}

/** Sends reads, one of a hundred requests a message, and says how they were answered. */
async function measure(urls: readonly string[], token: string, duration: number): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const message = JSON.stringify({ name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' });
  const reads = ['/candidate', '/experience', '/projects', '/resume?format=json'];
  const milliseconds: number[] = [];
  const statuses: Record<string, number> = {};
  let sent = 0;

  async function ask(): Promise<void> {
    const n = sent++;
    const url = urls[n % urls.length]!;
    const sentAt = performance.now();
    const response = await (n % 100 === 99
      ? fetch(`${url}/contact`, { method: 'POST', headers, body: message })
      : fetch(url + reads[n % reads.length], { headers }));
    await response.arrayBuffer();
    milliseconds.push(performance.now() - sentAt);
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }

  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1_000;
  const worker = async (): Promise<void> => {
    while (elapsed() < duration) {
      if (rate === 0 || sent < elapsed() * rate) await ask();
      else await pause(1);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const sorted = milliseconds.sort((one, other) => one - other);
  const perSecond = Math.round(sorted.length / elapsed());
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1]!;
  return `${urls.length} × serve: ${perSecond} requests/s, p99 ${p99.toFixed(1)} ms, answers by status ${JSON.stringify(statuses)}`;
}
