import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../scripts/bundle/code.ts';
import { writeProgram } from '../scripts/bundle/program.ts';
import { backgroundPriority } from '../src/adapters/child-process.ts';
import { resumeFile } from '../test/support/files.ts';
import { type Driven, drive, type Load } from './load.ts';
import { toText } from './report.ts';
import { get } from './request.ts';
import { ratiosOf, spreadOf } from './statistics.ts';

// Prints how long 99 of 100 visitors wait at most for `GET /candidate`, and the longest wait: alone, while one resume is
// read at the desk in each 3 s, as a person would, and while one is read after the other: `node bench/import.ts ROUNDS`. A
// program that has nothing to do with the service and computes as long as one is read shows what the cores alone cost.
// At a fixed rate the machine has time to spare, and a wait is one for the service. With as many requests as are answered,
// the driver, the service and the reading process compete for the cores.

const rounds = Number(process.argv[2] ?? 9);
const seconds = 3;
const loads: Load[] = [
  { connections: 32, seconds, perSecond: 1_000 },
  { connections: 32, seconds },
];

// The program of the package: from its sources, the reading process would mostly compile them.
await writeProgram('out');
process.env.TEST_PROGRAM = join(root, 'out/src/main.cjs');
const { confirmLink, formTokenOf } = await import('../test/support/desk.ts');
const { startProcess } = await import('../test/support/process.ts');

const cleanup: (() => unknown)[] = [];
const service = await startProcess({ after: (close) => cleanup.push(close as () => unknown) });
process.once('exit', () => service.kill('SIGKILL'));
const cookie = await confirmLink(await service.deskLink());
const candidate = get('/candidate');
const server = { ...service, name: 'candidate-profile', token: await service.token() } as never;

async function importResume(name: string): Promise<void> {
  const page = await (await fetch(`${service.url}/desk/profile/import`, { headers: { cookie } })).text();
  const form = new FormData();
  form.set('form_token', formTokenOf(page));
  form.set('resume', new File([readFileSync(resumeFile(`documents/${name}`))], name));
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const { status, headers: answer } = await fetch(`${service.url}/desk/profile/import/read`, {
    method: 'POST',
    headers,
    body: form,
    redirect: 'manual',
  });
  if (status !== 303) throw new Error(`${name}: ${status}`);
  await (await fetch(new URL(answer.get('location')!, service.url), { headers })).text();
}

let imports = 0;
async function importOne(): Promise<void> {
  await importResume(imports % 2 === 0 ? 'moderncv.pdf' : 'word-columns.docx');
  imports += 1;
}

/** Computes in another process, with the priority of one that reads a resume. */
async function compute(): Promise<void> {
  const program = `const end = performance.now() + 600;
    for (let list = []; performance.now() < end; list.length > 1e5 && (list = [])) list.push({ text: String(list.length) });`;
  const child = spawn(process.execPath, ['-e', program], { stdio: 'inherit' });
  setPriority(child.pid!, backgroundPriority);
  await once(child, 'exit');
}

/** Does a work once during a load, or over and over until its end. */
async function driveBeside(load: Load, work: () => Promise<void>, isOnce: boolean): Promise<Driven> {
  let isOver = false;
  const driven = drive(server, candidate, load).finally(() => {
    isOver = true;
  });
  await pause(500); // until all connections are open
  try {
    do {
      await work();
    } while (!isOver && !isOnce);
  } finally {
    await driven; // otherwise the driver outlives this process if the work fails
  }
  return driven;
}

const ways: Record<string, (load: Load) => Promise<Driven>> = {
  alone: (load) => drive(server, candidate, load),
  'one resume': (load) => driveBeside(load, importOne, true),
  'a program that computes': (load) => driveBeside(load, compute, true),
  'one resume after the other': (load) => driveBeside(load, importOne, false),
};
for (const load of loads) await driveBeside(load, importOne, false); // warms up
imports = 0;
const p99sOf = ({ all }: { all: readonly Driven[] }) => all.map(({ p99Ms }) => p99Ms);
const measured = loads.map((load) => ({
  load,
  rows: Object.keys(ways).map((name) => ({ name, all: [] as Driven[] })),
}));
for (let round = 0; round < rounds; round += 1)
  for (const { load, rows } of measured) for (const { name, all } of rows) all.push(await ways[name]!(load));

console.log(
  `GET /candidate on ${loads[0]!.connections} connections for ${seconds} s; ${imports} resumes in ${rounds} rounds`,
);
for (const { load, rows } of measured) {
  console.log(
    load.perSecond === undefined ? 'as many requests as are answered' : `${load.perSecond} requests a second`,
  );
  const alone = p99sOf(rows[0]!);
  for (const row of rows) {
    const [p99, ratio, longest] = [p99sOf(row), ratiosOf(p99sOf(row), alone), row.all.map(({ maxMs }) => maxMs)].map(
      (values) => toText(spreadOf(values)),
    );
    console.log(`  ${row.name}: p99 ${p99} ms, ${ratio} × alone; the longest wait ${longest} ms`);
  }
}
for (const close of cleanup) await close();
process.exit();
