import { startPeer } from '../peers.ts';
import { ratioGoal, toDigits, toText } from '../report.ts';
import { type Answer, ask, get } from '../request.ts';
import type { Server } from '../server-process.ts';
import { launchService } from '../service.ts';
import { medianOf, ratiosOf, spreadOf } from '../statistics.ts';
import type { Measure } from './section.ts';

const text = `From starting the process to having its first answer, to GET /healthz. The service was started once before, so that
its keys, its database and the cache of compiled code exist; node:http has no such cache.`;

const healthz = get('/healthz');

export const measureStart: Measure = async ({ isQuick, folder }) => {
  const rounds = isQuick ? 5 : 15;
  const answer = await firstAnswer(() => launchService(folder));
  const [bare, own]: [First[], First[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await firstAnswer(() => startPeer('node:http', 'http-constant', answer, folder)));
    own.push(await firstAnswer(() => launchService(folder)));
  }
  const ratios = ratiosOf(
    own.map(({ milliseconds }) => milliseconds),
    bare.map(({ milliseconds }) => milliseconds),
  );
  return {
    title: 'Start',
    text,
    table: [
      ['Server', 'First answer, ms', 'Ratio', 'CPU, ms'],
      [
        'node:http',
        toDigits(medianOf(bare.map(({ milliseconds }) => milliseconds))),
        '1',
        toDigits(medianOf(bare.map(({ cpuMs }) => cpuMs))),
      ],
      [
        'candidate-profile',
        toDigits(medianOf(own.map(({ milliseconds }) => milliseconds))),
        toText(spreadOf(ratios)),
        toDigits(medianOf(own.map(({ cpuMs }) => cpuMs))),
      ],
    ],
    goals: [ratioGoal('start to first answer ÷ node:http', ratios, '≤', 4)],
  };
};

interface First extends Answer {
  readonly milliseconds: number;
  readonly cpuMs: number;
}

async function firstAnswer(start: () => Promise<Server>): Promise<First> {
  const startedAt = performance.now();
  await using server = await start();
  const answer = await ask(server, healthz);
  return { ...answer, milliseconds: performance.now() - startedAt, cpuMs: server.cpuMs() };
}
