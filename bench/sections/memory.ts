import { setTimeout as pause } from 'node:timers/promises';
import { drive } from '../load.ts';
import { callTool } from '../mcp-messages.ts';
import { startPeer } from '../peers.ts';
import { goalOf, toText } from '../report.ts';
import { ask } from '../request.ts';
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
      await pause(10_000);
      measured.name = server.name;
      measured.idleMb.push(server.residentMb());
      await drive(server, measured.request, { ...effort, seconds });
      measured.loadedMb.push(server.residentMb());
    }

  const [service] = servers;
  return {
    title: 'Memory',
    text: `Resident memory of the process and those that it started, 10 s after the first answer, and then after ${seconds} s of
tools/call on ${effort.connections} connections.`,
    table: [
      ['Server', 'Idle, MB', 'Loaded, MB'],
      ...servers.map(({ name, idleMb, loadedMb }) => [name, toText(spreadOf(idleMb)), toText(spreadOf(loadedMb))]),
    ],
    goals: [
      goalOf('resident, idle', service!.idleMb, 'MB', '≤', 125),
      goalOf('resident, after MCP load', service!.loadedMb, 'MB', '≤', 200),
    ],
  };
};
