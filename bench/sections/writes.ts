import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { drive } from '../load.ts';
import { type Goal, ratioGoal, toDigits, toText } from '../report.ts';
import { get, post } from '../request.ts';
import { warmUp } from '../rounds.ts';
import { idle, type Server, startServer } from '../server-process.ts';
import { startService } from '../service.ts';
import { medianOf, ratiosOf, spreadOf } from '../statistics.ts';
import { type Measure, type Run, worksOfRun } from './section.ts';

const text = `The service sends its mail to an SMTP server on this machine. The bare loop is node:sqlite alone, in WAL
mode with synchronous = FULL: one transaction of two rows after the other, each committed to the same disk. The ratio is that of
the requests answered to its transactions, both a second. The CPU is that until all mail is sent.`;

const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello! '.repeat(40) };
const sendContact = post('/contact', contact, { status: 201 });
const issueToken = post('/auth/token', { email: 'ada@example.org' });
const works = [
  { name: 'POST /contact', request: sendContact, connections: 16, floor: 0.8, inQuickRun: true },
  { name: 'POST /contact', request: sendContact, connections: 1, floor: 0.4, inQuickRun: true },
  { name: 'POST /auth/token', request: issueToken, connections: 16, floor: 0.8 },
  { name: 'POST /auth/token', request: issueToken, connections: 1, floor: 0.4 },
];

const programs = fileURLToPath(new URL('..', import.meta.url));

export const measureWrites: Measure = async (run) => {
  await using sink = await startServer('SMTP sink', [process.execPath, join(programs, 'smtp-sink.ts')], run.folder);
  await using service = await startService(run.folder, { SMTP_URL: sink.url, OWNER_EMAIL: 'owner@example.org' });
  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const work of worksOfRun(run, works)) {
    const { request, connections, floor } = work;
    const name = `${work.name}, ${connections === 1 ? '1 writer' : `${connections} writers`}`;
    await warmUp(service, request, { ...run.effort, connections });
    await idle(service);
    const [bare, own, cpuUs, p99Ms]: number[][] = [[], [], [], []];
    for (let round = 0; round < run.effort.rounds; round += 1) {
      bare!.push(await transactionsPerSecond(run));
      const before = service.cpuMs();
      const driven = await drive(service, request, { connections, seconds: run.effort.seconds });
      await idle(service);
      service.emptyLog();
      own!.push(driven.requests / driven.seconds);
      cpuUs!.push(((service.cpuMs() - before) * 1_000) / driven.requests);
      p99Ms!.push(driven.p99Ms);
    }
    const ratios = ratiosOf(own!, bare!);
    const times = [medianOf(cpuUs!), medianOf(own!), medianOf(p99Ms!)].map(toDigits);
    rows.push([name, 'bare loop', '', '1', toDigits(medianOf(bare!)), '']);
    rows.push(['', service.name, times[0]!, toText(spreadOf(ratios)), times[1]!, times[2]!]);
    goals.push(ratioGoal(`${name} ÷ bare loop`, ratios, '≥', floor));
  }
  if (!run.isQuick) {
    const { alone, beside } = await readsBesideWrites(service, run);
    rows.push(['GET /candidate alone', service.name, '', '', '', toDigits(medianOf(alone))]);
    rows.push(['the same beside 16 writers', service.name, '', '', '', toDigits(medianOf(beside))]);
    goals.push(ratioGoal('p99 of GET /candidate beside 16 writers ÷ alone', ratiosOf(beside, alone), '≤', 2));
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
async function readsBesideWrites(service: Server, { effort }: Run) {
  const [alone, beside]: [number[], number[]] = [[], []];
  const candidate = get('/candidate');
  // Long enough for some answers even if the disk is slow.
  const load = { ...effort, seconds: 5 };
  for (let round = 0; round < effort.rounds; round += 1) {
    alone.push((await drive(service, candidate, load)).p99Ms);
    const writers = drive(service, sendContact, { ...load, connections: 16 });
    const [read] = await Promise.all([drive(service, candidate, load), writers]);
    beside.push(read.p99Ms);
    await idle(service);
    service.emptyLog();
  }
  return { alone, beside };
}
