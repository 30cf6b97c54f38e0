import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { samplePath } from '../../src/service/config/config.ts';
import { startPeer } from '../peers.ts';
import { goalOf, toDigits } from '../report.ts';
import { ask, get, post } from '../request.ts';
import { compare } from '../rounds.ts';
import { idle, type Server } from '../server-process.ts';
import { startService } from '../service.ts';
import { ratiosOf } from '../statistics.ts';
import { type Measure, seriesHead, seriesRows } from './section.ts';

const views = Array.from({ length: 50 }, (_, index) => `view-${index}`);

const text = `The sample with ${views.length} views, each with a title of its own, and a token for each, which has read it; the token of the last
one is measured. The memory is what a view keeps once all of it was read over REST and MCP, garbage collected, without its PDF.`;

const memoryProgram = fileURLToPath(new URL('../view-memory.ts', import.meta.url));

export const measureViews: Measure = async ({ effort, folder }) => {
  const request = get('/candidate');
  const start = () => startWithViews(folder);
  const answer = await (async () => {
    await using service = await start();
    return await ask(service, request);
  })();
  const constant = () => startPeer('node:http, constant answer', 'http-constant', answer, folder);
  const series = await compare(
    [constant, start].map((starts) => [starts, request]),
    effort,
  );
  const kept = [3, 100].map((jobs) => ({ jobs, megabytes: keptByView(jobs, folder) }));
  return {
    title: 'Views',
    text,
    table: [
      seriesHead,
      ...seriesRows('GET /candidate of a view', series),
      ...kept.map(({ jobs, megabytes }) => [
        `A view of ${jobs} jobs`,
        `keeps ${toDigits(megabytes)} MB`,
        '',
        '',
        '',
        '',
      ]),
    ],
    goals: [
      goalOf(
        `GET /candidate with ${views.length} views ÷ node:http`,
        ratiosOf(series[1]!.cpuUs, series[0]!.cpuUs),
        ...(['×', '≤', 1.5, true] as const),
      ),
      ...kept.map(({ jobs, megabytes }) => goalOf(`a view of ${jobs} jobs`, [megabytes], 'MB', '≤', 1)),
    ],
  };
};

/** Writes the sample with views, and with its first job so many times; returns its path. */
function writeProfile(jobs: number, folder: string): string {
  const sample = parse(readFileSync(samplePath, 'utf8'));
  const experience = Array.from({ length: jobs }, (_, index) => ({ ...sample.experience[0], id: `job-${index}` }));
  const titled = Object.fromEntries(views.map((view) => [view, { title: `Title of ${view}` }]));
  const path = join(folder, `views-of-${jobs}-jobs.yaml`);
  // JSON is YAML, too.
  writeFileSync(path, JSON.stringify({ ...sample, experience, views: titled }));
  return path;
}

const keptByView = (jobs: number, folder: string): number =>
  Number(
    execFileSync(process.execPath, ['--expose-gc', memoryProgram, writeProfile(jobs, folder)], { encoding: 'utf8' }),
  );

/** Starts the service with a token for each view, which has read it; the token of the server reads the last one. */
async function startWithViews(folder: string): Promise<Server> {
  const name = `candidate-profile, ${views.length} views`;
  const service = await startService(folder, { env: { PROFILE: writeProfile(3, folder) }, name });
  const readers: Server[] = [];
  for (const view of views) {
    const { body } = await ask(service, post('/auth/token', { email: `${view}@example.org` }));
    readers.push({ ...service, token: JSON.parse(body).access_token });
  }
  {
    // In place of `tokens view`, a process for each.
    using database = new DatabaseSync(join(folder, name, 'candidate-profile.db'));
    database.exec("update issued_tokens set view = replace(subject, '@example.org', '') where subject like 'view-%'");
  }
  await pause(2_000);
  for (const [index, reader] of readers.entries()) {
    const { title } = JSON.parse((await ask(reader, get('/candidate'))).body);
    if (title !== `Title of ${views[index]}`) throw new Error(`the token reads another view: ${title}`);
  }
  await idle(service);
  return readers.at(-1)!;
}
