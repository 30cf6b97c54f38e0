import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ask, headersFor, type Request } from './request.ts';
import type { Server } from './server-process.ts';

export interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** How many requests are sent in a second, as far as they are answered; without it as many as are answered. */
  readonly perSecond?: number;
}

export interface Driven {
  readonly requests: number;
  readonly seconds: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly bytes: number;
  /** Answers with a status of 400 or more. */
  readonly refused: number;
  /** Connections that failed, and answers that did not come. */
  readonly broken: number;
}

const folder = import.meta.dirname;
const version = /^wrk \S+/.exec(String(spawnSync('wrk', ['-v']).stdout))?.[0];

/** The program that sends the requests: wrk if it is installed, otherwise autocannon. */
export const driver = version ?? 'autocannon';

/**
 * Sends a request over and over on each connection. Throws if an answer has another status, or if the answers are not as long
 * as one that is asked for beforehand: no figure is taken of wrong work.
 */
export async function drive(server: Server, request: Request, load: Load): Promise<Driven> {
  const { bytes } = await ask(server, request);
  const driven = await (version === undefined ? driveAutocannon : driveWrk)(server, request, load);
  const { requests, refused, broken } = driven;
  const unexpected = request.status < 400 ? refused : requests - refused;
  if (requests === 0)
    throw new Error(`${server.name} has not answered ${request.method} ${request.path} in ${load.seconds} s`);
  const mean = driven.bytes / requests;
  // A few bytes may differ, such as the digits of a number; answers that are cut off at the end of the load are counted, too.
  if (unexpected + broken > 0 || Math.abs(mean - bytes) > bytes * 0.02)
    throw new Error(
      `${server.name}, ${request.method} ${request.path}: of ${requests} answers ${unexpected} have an unexpected status, ` +
        `${broken} failed; ${mean.toFixed(1)} bytes each, expected ${bytes}`,
    );
  return driven;
}

async function driveWrk(server: Server, request: Request, { connections, seconds, perSecond }: Load): Promise<Driven> {
  const headers = Object.entries(headersFor(request, server)).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const script = ['-s', join(folder, 'wrk.lua')];
  const args = ['-t1', `-c${connections}`, '-d1h', '--timeout=60s', ...script, ...headers, server.url + request.path];
  const env = { ...process.env, METHOD: request.method, ...(request.body !== undefined && { BODY: request.body }) };
  const pause = perSecond === undefined ? {} : { PAUSE_MS: String(Math.round((1_000 * connections) / perSecond)) };
  // wrk itself counts whole seconds; SIGINT ends it as the duration does.
  return JSON.parse((await run('wrk', args, { env: { ...env, ...pause } }, seconds)).trim().split('\n').at(-1)!);
}

async function driveAutocannon(
  server: Server,
  request: Request,
  { connections, seconds, perSecond }: Load,
): Promise<Driven> {
  const headers = Object.entries(headersFor(request, server)).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const program = join(folder, 'node_modules/autocannon/autocannon.js');
  const body = request.body === undefined ? [] : ['-b', request.body];
  const rate = perSecond === undefined ? [] : ['-R', perSecond];
  const load = ['-c', connections, '-d', Math.ceil(seconds), '-m', request.method, ...rate];
  const args = ['--json', '-n', '-I', ...load, ...body, ...headers];
  const printed = await run(process.execPath, [program, ...args.map(String), server.url + request.path]);
  const { requests, duration, latency, throughput, errors, timeouts, statusCodeStats } = JSON.parse(printed);
  const counts = Object.entries<{ count: number }>(statusCodeStats).filter(([status]) => Number(status) >= 400);
  return {
    requests: requests.total,
    seconds: duration,
    p99Ms: latency.p99,
    maxMs: latency.max,
    bytes: throughput.total,
    refused: counts.reduce((sum, [, { count }]) => sum + count, 0),
    broken: errors + timeouts,
  };
}

/** Returns what a program prints; sends it SIGINT after some seconds, if given. Throws if it fails. */
async function run(command: string, args: string[], options: SpawnOptions = {}, seconds?: number): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const timer = seconds === undefined ? undefined : setTimeout(() => child.kill('SIGINT'), seconds * 1_000);
  const [printed, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${command} failed with ${code}`);
  return printed;
}
