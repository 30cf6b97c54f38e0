import { type Driven, drive, type Load } from './load.ts';
import type { Request } from './request.ts';
import type { Server } from './server-process.ts';

/** How often and how long each server is measured. */
export interface Effort extends Load {
  readonly rounds: number;
  /** How much CPU a process uses for requests before it counts as warm: until then much of its code is not yet compiled. */
  readonly warmUpCpuMs: number;
}

/** One server's figures, a value a round. */
export interface Series {
  readonly name: string;
  /** Server CPU a request, user and system. */
  readonly cpuUs: number[];
  readonly perSecond: number[];
  readonly p99Ms: number[];
}

/** How a server is started, and what it is asked; the name is the server's unless another one is given. */
export type Contender = readonly [start: () => Promise<Server>, request: Request, name?: string];

/** Measures servers one after the other, round by round, every other round in reverse order, each time in a new process. */
export async function compare(contenders: readonly Contender[], effort: Effort): Promise<Series[]> {
  const measured = contenders.map(([start, request, name = '']) => {
    const series = { name, cpuUs: [], perSecond: [], p99Ms: [] };
    return { start, request, series };
  });
  for (let round = 0; round < effort.rounds; round += 1)
    for (const { start, request, series } of round % 2 === 0 ? measured : measured.toReversed()) {
      await using server = await start();
      series.name ||= server.name;
      await warmUp(server, request, effort);
      addRound(series, await measure(server, request, effort));
    }
  return measured.map(({ series }) => series);
}

/** Drives a load until the process is warm, for 10 s at most, and once in any case. */
export async function warmUp(server: Server, request: Request, effort: Effort): Promise<void> {
  const end = performance.now() + 10_000;
  const before = server.cpuMs();
  do await drive(server, request, effort);
  while (server.cpuMs() - before < effort.warmUpCpuMs && performance.now() < end);
}

interface Measured extends Driven {
  /** Server CPU a request. */
  readonly cpuUs: number;
}

/** Drives a load once and measures what it costs the server. */
export async function measure(server: Server, request: Request, load: Load): Promise<Measured> {
  const before = server.cpuMs();
  const driven = await drive(server, request, load);
  const cpuUs = ((server.cpuMs() - before) * 1_000) / driven.requests;
  server.emptyLog();
  return { ...driven, cpuUs };
}

/** Adds what was measured in one round. */
export function addRound({ cpuUs, perSecond, p99Ms }: Series, measured: Measured): void {
  cpuUs.push(measured.cpuUs);
  perSecond.push(measured.requests / measured.seconds);
  p99Ms.push(measured.p99Ms);
}
