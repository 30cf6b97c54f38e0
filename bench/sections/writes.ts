import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { drive } from '../load.ts';
import { type Goal, ratioGoal, toDigits, toText } from '../report.ts';
import { get, post } from '../request.ts';
import { addRound, measure, type Series, warmUp } from '../rounds.ts';
import { type Server, startServer } from '../server-process.ts';
import { startService } from '../service.ts';
import { medianOf, ratiosOf, spreadOf } from '../statistics.ts';
import { type Measure, type Run, worksOfRun } from './section.ts';

const text = `The service sends its mail to an SMTP server on this machine. The bare loop is node:sqlite alone, in WAL mode with
synchronous = FULL: one transaction of two rows after the other, committed to the same disk while the service is stopped by a
signal. The ratio is that of the answers to these transactions, both a second. The CPU includes the mail sent meanwhile.`;

export const contact = {
  name: 'Ada',
  email: 'ada@example.org',
  company: 'Engines',
  message: `[<id>] ${'Hello! '.repeat(40)}`,
};
const sendContact = post('/contact', contact, { status: 201 });
const issueToken = post('/auth/token', { email: 'ada@example.org' });
const works = [
  { path: 'POST /contact', request: sendContact, writers: 16, floor: 0.8, inQuickRun: true },
  { path: 'POST /contact', request: sendContact, writers: 1, floor: 0.4, inQuickRun: true },
  { path: 'POST /auth/token', request: issueToken, writers: 16, floor: 0.8 },
  { path: 'POST /auth/token', request: issueToken, writers: 1, floor: 0.4 },
];

const programs = fileURLToPath(new URL('..', import.meta.url));

export const measureWrites: Measure = async (run) => {
  await using sink = await startServer('SMTP sink', [process.execPath, join(programs, 'smtp-sink.ts')], run.folder);
  /** A new one each time, without mail that is still to be sent. */
  const start = () =>
    startService(mkdtempSync(join(run.folder, 'writes-')), {
      env: { SMTP_URL: sink.url, OWNER_EMAIL: 'owner@example.org' },
    });
  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const { path, request, writers, floor } of worksOfRun(run, works)) {
    const name = `${path}, ${writers === 1 ? '1 writer' : `${writers} writers`}`;
    const load = { ...run.effort, connections: writers };
    const bare: number[] = [];
    const own: Series = { name: 'candidate-profile', cpuUs: [], perSecond: [], p99Ms: [] };
    for (let round = 0; round < run.effort.rounds; round += 1) {
      await using service = await start();
      await warmUp(service, request, load);
      service.signal('SIGSTOP');
      bare.push(await transactionsPerSecond(run));
      service.signal('SIGCONT');
      addRound(own, await measure(service, request, load));
    }
    const ratios = ratiosOf(own.perSecond, bare);
    const [cpuUs, perSecond, p99Ms] = [own.cpuUs, own.perSecond, own.p99Ms].map((values) => toDigits(medianOf(values)));
    rows.push([name, 'bare loop', '', '1', toDigits(medianOf(bare)), '']);
    rows.push(['', own.name, cpuUs!, toText(spreadOf(ratios)), perSecond!, p99Ms!]);
    goals.push(ratioGoal(`${name} ÷ bare loop`, ratios, '≥', floor));
  }
  if (!run.isQuick) {
    const { alone, beside } = await readsBesideWrites(start, run);
    rows.push(['GET /candidate alone', 'candidate-profile', '', '', '', toDigits(medianOf(alone))]);
    rows.push(['the same beside 16 writers', 'candidate-profile', '', '', '', toDigits(medianOf(beside))]);
    goals.push(ratioGoal('p99 of GET /candidate beside 16 writers ÷ alone', ratiosOf(beside, alone), '≤', 2.5));
  }
  return {
    title: 'Writes',
    text,
    table: [['Work', 'Server', 'CPU, µs a request', 'Ratio of the rates', 'A second', 'p99, ms'], ...rows],
    goals,
  };
};

async function transactionsPerSecond({ folder, effort }: Run): Promise<number> {
  const program = join(programs, 'transactions.ts');
  const args = [program, join(folder, 'transactions.db'), String(effort.seconds)];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
}

/** Returns the p99 of reads in milliseconds, without and with writers beside them. */
async function readsBesideWrites(start: () => Promise<Server>, { effort }: Run) {
  const [alone, beside]: [number[], number[]] = [[], []];
  const candidate = get('/candidate');
  // Long enough for some answers even if the disk is slow.
  const load = { ...effort, seconds: 3 };
  for (let round = 0; round < effort.rounds; round += 1) {
    await using service = await start();
    await warmUp(service, candidate, effort);
    alone.push((await drive(service, candidate, load)).p99Ms);
    const writers = drive(service, sendContact, { ...load, connections: 16 });
    const [read] = await Promise.all([drive(service, candidate, load), writers]);
    beside.push(read.p99Ms);
  }
  return { alone, beside };
}
