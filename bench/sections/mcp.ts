import { isDeepStrictEqual } from 'node:util';
import { callTool, mcpRequest, type Revision, readResource, resultOf } from '../mcp-messages.ts';
import { startPeer } from '../peers.ts';
import { type Goal, ratioGoal } from '../report.ts';
import { type Answer, ask, type Request } from '../request.ts';
import { compare } from '../rounds.ts';
import type { Server } from '../server-process.ts';
import { startService } from '../service.ts';
import { ratiosOf } from '../statistics.ts';
import { type Measure, seriesHead, seriesRows, worksOfRun } from './section.ts';

/** The servers on the official SDK, in the way that its documentation shows; the first one knows both revisions. */
const sdkServers = {
  'SDK 2.4 McpServer': 'mcp-sdk',
  'SDK 1.32, stateless': 'mcp-sdk-1',
} as const;

/** One kind of call, with the servers on the SDK that know its revision. */
interface Work {
  readonly name: string;
  readonly request: Request;
  readonly peers: readonly (keyof typeof sdkServers)[];
  readonly inQuickRun: boolean;
}

const workOf = (method: string, revision: Revision, request: Request): Work => ({
  name: `${method}, ${revision}`,
  request,
  inQuickRun: method === 'tools/call',
  peers: revision === '2026-07-28' ? ['SDK 2.4 McpServer'] : ['SDK 2.4 McpServer', 'SDK 1.32, stateless'],
});

const works = [
  workOf('tools/call', '2026-07-28', callTool('2026-07-28', 'get_candidate')),
  workOf('resources/read', '2026-07-28', readResource('2026-07-28', 'candidate-profile://profile/candidate')),
  workOf('tools/call', '2025-11-25', callTool('2025-11-25', 'get_candidate')),
];

export const measureMcp: Measure = async (run) => {
  const { effort, folder } = run;
  const start = () => startService(folder);
  await using service = await start();
  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const { name, request, peers } of worksOfRun(run, works)) {
    const answer = await ask(service, request);
    const plain = () => startPeer('plain JSON handler', 'mcp-plain', answer, folder);
    const sdk = peers.map((peer) => async () => {
      const server = await startPeer(peer, sdkServers[peer], answer, folder);
      await expectSameResult(server, request, answer);
      return server;
    });
    const series = await compare(
      [plain, start, ...sdk].map((starts) => [starts, request]),
      effort,
    );
    rows.push(...seriesRows(name, series));
    const [reference, own, ...others] = series;
    goals.push(ratioGoal(`${name} ÷ plain JSON handler`, ratiosOf(own!.cpuUs, reference!.cpuUs), '≤', 4));
    for (const other of others)
      goals.push(ratioGoal(`${other.name} ÷ ${name}`, ratiosOf(other.cpuUs, own!.cpuUs), '≥', 1));
  }

  const { body } = await ask(service, mcpRequest('2026-07-28', 'tools/list', {}));
  resultOf(body);
  const text = `The tool get_candidate and the resource of the same data. The service checks the token, counts the quota and logs. The plain JSON handler, on node:http, parses the request
and writes an equal result; the SDK servers register the same tools and resources, with schemas made once. None of them checks a
token or logs. The answer to tools/list has ${Buffer.byteLength(body).toLocaleString('en-US')} bytes.`;
  return { title: 'MCP over HTTP', text, table: [seriesHead, ...rows], goals };
};

/** Throws unless a server's result has the same content. */
async function expectSameResult(server: Server, request: Request, answer: Answer): Promise<void> {
  const [expected, actual] = [answer, await ask(server, request)].map(({ body }) => {
    const { content, contents, structuredContent } = resultOf(body);
    return { content, contents, structuredContent };
  });
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${server.name} answers otherwise: ${JSON.stringify(actual)}`);
}
