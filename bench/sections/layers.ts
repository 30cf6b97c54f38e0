import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { layerNames, sharesOf } from '../layers.ts';
import { drive } from '../load.ts';
import { callTool } from '../mcp-messages.ts';
import { get, post, type Request } from '../request.ts';
import { idle } from '../server-process.ts';
import { checkoutLauncher, startService } from '../service.ts';
import type { Measure, Run } from './section.ts';
import { contact } from './writes.ts';

const text = `Where the CPU time of a checkout goes: the share of samples that a profiler (node --cpu-prof) took in each layer itself.
The first column is a start alone, with the printing of the resume; the others hold a start, too, and then 20 s of one work.`;

const works: readonly (readonly [name: string, request: Request | null])[] = [
  ['start', null],
  ['GET /candidate', get('/candidate')],
  ['tools/call', callTool('2026-07-28', 'get_candidate')],
  ['POST /contact', post('/contact', contact, { status: 201 })],
];

export const measureLayers: Measure = async (run) => {
  const shares: Map<string, number>[] = [];
  for (const [, request] of works) shares.push(await profileOf(run, request));
  const rows = layerNames.map((layer) => [layer, ...shares.map((share) => `${Math.round(share.get(layer)! * 100)} %`)]);
  return { title: 'Layers', text, table: [['Layer', ...works.map(([name]) => name)], ...rows], goals: [] };
};

/** Profiles one process, from its start until it has done a work. */
async function profileOf({ folder, effort, isQuick }: Run, request: Request | null): Promise<Map<string, number>> {
  const at = mkdtempSync(join(folder, 'profile-'));
  const env = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${at}`, OWNER_EMAIL: 'owner@example.org' };
  {
    await using service = await startService(folder, { env, launcher: checkoutLauncher });
    if (request !== null) await drive(service, request, { ...effort, seconds: isQuick ? 2 : 20 });
    await idle(service);
  }
  return sharesOf(at);
}
