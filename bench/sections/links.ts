import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ratioGoal } from '../report.ts';
import { get } from '../request.ts';
import { compare } from '../rounds.ts';
import { installedLauncher, launchService } from '../service.ts';
import { ratiosOf } from '../statistics.ts';
import { type Measure, seriesHead, seriesRows } from './section.ts';

const text = `The page of a code that opens nothing, forged or of a link that has ended, beside that of an address that is not
there. A code costs an HMAC, forged or not; that of a link that has ended costs a query besides when it is first asked for.`;

const name = 'links';

export const measureLinks: Measure = async ({ effort, folder }) => {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  const launcher = await installedLauncher();
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [launcher, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const { id, url } = JSON.parse(run('share', 'new', 'Acme', '--json')) as { id: string; url: string };
  run('share', 'end', id);
  const ended = new URL(url).pathname;
  const forged = ended.slice(0, -2) + (ended.at(-2) === 'A' ? 'B' : 'A') + ended.at(-1);
  const pageOf = (path: string) => get(path, { headers: { accept: 'text/html' }, isAnonymous: true, status: 404 });
  const start = () => launchService(folder, { name });
  const [missing, unknown, past] = await compare(
    [
      [start, pageOf('/nothing-here'), 'an address that is not there'],
      [start, pageOf(forged), 'a forged code'],
      [start, pageOf(ended), 'the code of a link that has ended'],
    ],
    effort,
  );
  return {
    title: 'Links',
    text,
    table: [seriesHead, ...seriesRows('a page with 404', [missing!, unknown!, past!])],
    goals: [
      ratioGoal('a forged code ÷ 404', ratiosOf(unknown!.cpuUs, missing!.cpuUs), '≤', 2),
      ratioGoal('the code of an ended link ÷ 404', ratiosOf(past!.cpuUs, missing!.cpuUs), '≤', 2),
    ],
  };
};
