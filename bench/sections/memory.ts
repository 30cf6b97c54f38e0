import { drive } from '../load.ts';
import { callTool } from '../mcp-messages.ts';
import { startPeer } from '../peers.ts';
import { goalOf, toText } from '../report.ts';
import { ask } from '../request.ts';
import { idle } from '../server-process.ts';
import { startService } from '../service.ts';
import { spreadOf } from '../statistics.ts';
import { type Measure, worksOfRun } from './section.ts';

/** Each call is of the latest revision that the server knows. */
const modern = callTool('2026-07-28', 'get_candidate');
const legacy = callTool('2025-11-25', 'get_candidate');

export const measureMemory: Measure = async (run) => {
  const { effort, isQuick, folder } = run;
  const [seconds, rounds] = isQuick ? [2, 1] : [10, 5];
  const answer = await (async () => {
    await using service = await startService(folder);
    return await ask(service, modern);
  })();
  const works = [
    { start: () => startService(folder), request: modern, inQuickRun: true },
    { start: () => startPeer('plain JSON handler', 'mcp-plain', answer, folder), request: modern },
    { start: () => startPeer('SDK 2.4 McpServer', 'mcp-sdk', answer, folder), request: modern, inQuickRun: true },
    { start: () => startPeer('SDK 1.32, stateless', 'mcp-sdk-1', answer, folder), request: legacy },
  ];
  const servers = worksOfRun(run, works).map((work) => {
    return { ...work, name: '', idleMb: [] as number[], loadedMb: [] as number[] };
  });

  for (let round = 0; round < rounds; round += 1)
    for (const measured of servers) {
      await using server = await measured.start();
      await idle(server);
      measured.name = server.name;
      measured.idleMb.push(server.residentMb());
      await drive(server, measured.request, { ...effort, seconds });
      measured.loadedMb.push(server.residentMb());
    }

  const [service] = servers;
  return {
    title: 'Memory',
    text: `Resident memory once the start is over, and after ${seconds} s of tools/call on ${effort.connections} connections.`,
    table: [
      ['Server', 'Idle, MB', 'Loaded, MB'],
      ...servers.map(({ name, idleMb, loadedMb }) => [name, toText(spreadOf(idleMb)), toText(spreadOf(loadedMb))]),
    ],
    goals: [
      goalOf('resident, idle', service!.idleMb, 'MB', '≤', 110),
      goalOf('resident, after MCP load', service!.loadedMb, 'MB', '≤', 200),
    ],
  };
};
