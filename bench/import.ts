import { readFileSync } from 'node:fs';
import { confirmLink, formTokenOf } from '../test/support/desk.ts';
import { fixture } from '../test/support/files.ts';
import { eventually, startProcess } from '../test/support/process.ts';
import { drive, type Load } from './load.ts';
import { toText } from './report.ts';
import { get } from './request.ts';
import { ratiosOf, spreadOf } from './statistics.ts';

// Prints how long 99 of 100 visitors wait at most for `GET /candidate`, with and without resumes read at the desk, one
// after the other: `node bench/import.ts ROUNDS`. At a fixed rate the machine has time to spare, and a wait is one for the
// service. With as many requests as are answered, the driver, the service and the reading process compete for the cores.

const rounds = Number(process.argv[2] ?? 9);
const loads: Load[] = [
  { connections: 32, seconds: 2, perSecond: 1_000 },
  { connections: 32, seconds: 2 },
];

const cleanup: (() => unknown)[] = [];
const service = await startProcess({ after: (close) => cleanup.push(close as () => unknown) });
const link = await eventually(() => service.printed.find((line) => line.includes('/desk/sign-in?link=')) ?? false);
const cookie = await confirmLink(link.trim());
const candidate = get('/candidate');
const server = { ...service, name: 'candidate-profile', token: await service.token() } as never;

async function importResume(name: string): Promise<void> {
  const page = await (await fetch(`${service.url}/desk/profile/import`, { headers: { cookie } })).text();
  const form = new FormData();
  form.set('form_token', formTokenOf(page));
  form.set('resume', new File([readFileSync(fixture(`documents/${name}`))], name));
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const { status } = await fetch(`${service.url}/desk/profile/import/read`, {
    method: 'POST',
    headers,
    body: form,
    redirect: 'manual',
  });
  if (status !== 303) throw new Error(`${name}: ${status}`);
}

let imports = 0;
/** Returns the p99 of a load in milliseconds while resumes are read. */
async function p99WhileReading(load: Load): Promise<number> {
  let isOver = false;
  const driven = drive(server, candidate, load).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await importResume(imports % 2 === 0 ? 'moderncv.pdf' : 'word-columns.docx');
    imports += 1;
  }
  return (await driven).p99Ms;
}

const measured = loads.map((load) => ({ load, alone: [] as number[], beside: [] as number[] }));
for (const load of loads) await p99WhileReading(load); // warms up
imports = 0;
for (let round = 0; round < rounds; round += 1)
  for (const { load, alone, beside } of measured) {
    alone.push((await drive(server, candidate, load)).p99Ms);
    beside.push(await p99WhileReading(load));
  }
console.log(
  `p99 of GET /candidate on ${loads[0]!.connections} connections, alone and while ${imports} resumes are read; ${rounds} rounds`,
);
for (const { load, alone, beside } of measured) {
  const requests = load.perSecond === undefined ? 'as many as are answered' : `${load.perSecond} requests a second`;
  const [one, other] = [alone, beside].map((all) => toText(spreadOf(all)));
  console.log(`${requests}: ${one} ms, ${other} ms; ratio ${toText(spreadOf(ratiosOf(beside, alone)))}`);
}
for (const close of cleanup) await close();
process.exit();
