import { nginxVersion, startNginx } from '../nginx.ts';
import { startPeer } from '../peers.ts';
import { type Goal, goalOf, ratioGoal } from '../report.ts';
import { type Answer, ask, get, type Request } from '../request.ts';
import { type Contender, compare } from '../rounds.ts';
import type { Server } from '../server-process.ts';
import { startService } from '../service.ts';
import { ratiosOf } from '../statistics.ts';
import { type Measure, type Run, seriesHead, seriesRows, worksOfRun } from './section.ts';

const text = `The service does all that it does for an owner: it checks a token signed with EdDSA, counts the quota (LIMITS=1000000,
so that it refuses nobody) and logs each request. Every other server gives the same body and headers: node:http and nginx to any
request; the frameworks verify a token signed with HS256 on each request, as their own documentation shows, and log nothing.`;

/** One kind of read. */
interface Work {
  readonly name: string;
  readonly request: Request;
  /** Whether it is measured against the frameworks and nginx, too. */
  readonly hasPeers?: boolean;
  /** The highest CPU aimed at, over that of node:http with a constant answer. */
  readonly limit?: number;
  /** A read that it is to cost no more than. */
  readonly beside?: Request;
  readonly inQuickRun?: boolean;
}

export const measureGet: Measure = async (run) => {
  const { effort, folder } = run;
  const start = () => startService(folder);
  const rows: string[][] = [];
  const goals: Goal[] = [];
  const asked = await (async () => {
    await using service = await start();
    const works = worksOfRun(run, await worksOf(service));
    return await Promise.all(works.map(async (work) => ({ ...work, answer: await ask(service, work.request) })));
  })();
  for (const { name, request, answer, hasPeers = false, limit, beside } of asked) {
    const constant = () => startPeer('node:http, constant answer', 'http-constant', answer, folder);
    const peers = hasPeers ? peersOf(request, answer, run) : [];
    const contenders: Contender[] = [constant, start, ...peers].map((starts) => [starts, request]);
    if (beside !== undefined) contenders.push([start, beside, 'candidate-profile, 200']);
    const series = await compare(contenders, effort);
    rows.push(...seriesRows(name, series));
    if (hasPeers && !run.isQuick && nginxVersion === undefined)
      rows.push(['', 'nginx is not installed', '', '', '', '']);

    const [reference, own, third] = series.map(({ cpuUs }) => cpuUs);
    if (limit !== undefined)
      goals.push(goalOf(`${name} ÷ node:http`, ratiosOf(own!, reference!), '×', '≤', limit, true));
    if (hasPeers) goals.push(ratioGoal(`Fastify + @fastify/jwt ÷ ${name}`, ratiosOf(third!, own!), '≥', 1.9));
    if (beside !== undefined) goals.push(ratioGoal(`${name} ÷ 200`, ratiosOf(own!, third!), '≤', 1.05));
  }
  return { title: 'Reads over REST', text, table: [seriesHead, ...rows], goals };
};

async function worksOf(service: Server): Promise<Work[]> {
  const candidate = get('/candidate');
  const { etag = '' } = (await ask(service, candidate)).headers;
  const [entry] = JSON.parse((await ask(service, get('/experience'))).body);
  const unchanged = get('/candidate', { headers: { 'if-none-match': etag }, status: 304 });
  return [
    { name: 'GET /candidate', request: candidate, hasPeers: true, limit: 1.5, inQuickRun: true },
    { name: 'GET /experience', request: get('/experience'), limit: 1.5 },
    { name: 'GET /experience/{id}', request: get(`/experience/${entry.id}`), limit: 1.5, inQuickRun: true },
    { name: 'GET /resume', request: get('/resume'), limit: 1.5 },
    { name: 'GET /candidate with If-None-Match, 304', request: unchanged, beside: candidate, inQuickRun: true },
    { name: 'GET /candidate without a token, 401', request: get('/candidate', { isAnonymous: true, status: 401 }) },
    { name: 'GET /experience/{id}, 404', request: get('/experience/none', { status: 404 }) },
  ];
}

/** Returns what starts the frameworks, Fastify first, and nginx if it is installed; for a short run Fastify alone. */
function peersOf(request: Request, answer: Answer, { isQuick, folder }: Run): (() => Promise<Server>)[] {
  const peers = [() => startPeer('Fastify + @fastify/jwt', 'fastify', answer, folder)];
  if (!isQuick) {
    peers.push(() => startPeer('Hono + hono/jwt', 'hono', answer, folder));
    peers.push(() => startPeer('Express + jsonwebtoken', 'express', answer, folder));
    if (nginxVersion !== undefined) peers.push(() => startNginx(answer, folder));
  }
  return peers.map((start) => async () => {
    const server = await start();
    await expectSame(server, request, answer);
    return server;
  });
}

/** Throws unless a server gives the same answer, with the same headers apart from those about the connection. */
async function expectSame(peer: Server, request: Request, { body, headers }: Answer): Promise<void> {
  const answer = await ask(peer, request);
  const missing = Object.keys(headers).filter(
    (name) => !['content-length', 'content-type'].includes(name) && answer.headers[name] === undefined,
  );
  if (answer.body !== body || missing.length > 0)
    throw new Error(`${peer.name} answers otherwise, without ${missing.join(', ') || 'the body'}: ${answer.body}`);
}
