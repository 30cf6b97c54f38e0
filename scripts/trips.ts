import { globSync, mkdtempSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { serve } from '../src/commands/serve/run.ts';
import { readConfig } from '../src/service/config/config.ts';

// Prints how many files and functions of ours run for a request, for a message until its mail is written, and in a second without
// requests: what somebody has to know to change them. V8 counts the calls in this process, which serves the sample.

const folder = mkdtempSync(join(tmpdir(), 'trips-'));
const port = '3999';
const settings = { PORT: port, DATA_DIR: folder, LOG_LEVEL: 'info', LOG_FORMAT: 'json', OAUTH: 'on' };
const print = console.log;
const configOf = () => readConfig(settings, folder);
const { stdin, stdout, stderr } = process;
void serve(configOf(), { env: {}, stdin, stdout, stderr, configOf, console: { log() {}, error() {} } });
const url = `http://127.0.0.1:${port}`;
const json = { 'content-type': 'application/json' };
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

async function start(): Promise<Record<string, string>> {
  for (;;) {
    const response = await post('/auth/token', { email: 'visitor@example.org' }).catch(() => null);
    if (response === null) await pause(100);
    else return { authorization: `Bearer ${((await response.json()) as { access_token: string }).access_token}` };
  }
}
const bearer = await start();

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const roots = ['src/', 'packages/'].map((path) => pathToFileURL(path).href);

/** Resolves with what ran of our code during an action, each function once. */
async function during(action: () => Promise<unknown>): Promise<ReadonlyMap<string, readonly string[]>> {
  await session.post('Profiler.takePreciseCoverage');
  await action();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = new Map<string, readonly string[]>();
  for (const { url: file, functions } of result) {
    const root = roots.find((one) => file.startsWith(one));
    const called = functions.filter(({ ranges }) => ranges[0]!.count > 0);
    if (root !== undefined && called.length > 0)
      ran.set(
        file,
        called.map(({ functionName }) => functionName),
      );
  }
  return ran;
}

const mails = () => globSync(join(folder, 'mail/*.eml')).length;
async function send(): Promise<void> {
  const before = mails();
  await post(
    '/contact',
    { name: 'A', email: 'visitor@example.org', company: 'B', message: `Message ${before}` },
    bearer,
  );
  while (mails() === before) await pause(20);
}
// Each runs once before, so that nothing is counted that only the first one needs.
const get = (query: string) => fetch(`${url}/experience?current=true&${query}`, { headers: bearer });
await get('first');
await send();
await pause(5_000);

const trips = [
  ['GET /experience', await during(() => get('second'))],
  ['message until its mail is written', await during(send)],
] as [string, Awaited<ReturnType<typeof during>>][];
await pause(3_000);
for (let second = 1; second <= 5; second += 1)
  trips.push([`second ${second} without requests`, await during(() => pause(1_000))]);

for (const [name, ran] of trips) {
  print(`${name}: ${ran.size} files, ${[...ran.values()].flat().length} functions`);
  if (process.argv.includes('--list'))
    for (const [file, called] of ran) print(`  ${file.slice(roots[0]!.length)}: ${called.join(' ')}`);
}
process.exit();
