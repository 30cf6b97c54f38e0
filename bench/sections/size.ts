import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { samplePath } from '../../src/service/config/config.ts';
import { ratioGoal } from '../report.ts';
import { get } from '../request.ts';
import { compare } from '../rounds.ts';
import type { Server } from '../server-process.ts';
import { startService } from '../service.ts';
import { ratiosOf } from '../statistics.ts';
import { type Measure, seriesHead, seriesRows } from './section.ts';

const text = `The same entry of two profiles that differ in the number of their experience entries.`;

export const measureSize: Measure = async ({ effort, folder }) => {
  const request = get('/experience/entry-0');
  const series = await compare(
    [5, 500].map((count) => [() => startWithEntries(count, folder), request]),
    effort,
  );
  const ratios = ratiosOf(series[1]!.cpuUs, series[0]!.cpuUs);
  return {
    title: 'Size of the profile',
    text,
    table: [seriesHead, ...seriesRows('GET /experience/{id}', series)],
    goals: [ratioGoal('GET /experience/{id}, 500 entries ÷ 5 entries', ratios, '≤', 1.1)],
  };
};

/** Starts the service with the sample's first entry so many times. */
function startWithEntries(count: number, folder: string): Promise<Server> {
  const sample = parse(readFileSync(samplePath, 'utf8'));
  const [entry] = sample.experience;
  const experience = Array.from({ length: count }, (_, index) => ({ ...entry, id: `entry-${index}` }));
  const path = join(folder, `${count}-entries.yaml`);
  // JSON is YAML, too.
  writeFileSync(path, JSON.stringify({ ...sample, experience }));
  return startService(folder, { env: { PROFILE: path }, name: `${count} entries` });
}
