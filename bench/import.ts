import { readFileSync } from 'node:fs';
import { confirmLink, formTokenOf } from '../test/support/desk.ts';
import { fixture } from '../test/support/files.ts';
import { eventually, startProcess } from '../test/support/process.ts';
import { drive } from './load.ts';
import { get } from './request.ts';
import { medianOf } from './statistics.ts';

// Prints how long 99 of 100 visitors wait at most for `GET /candidate`, with and without resumes read at the desk, one
// after the other: `node bench/import.ts ROUNDS`.

const rounds = Number(process.argv[2] ?? 9);
const load = { connections: 32, seconds: 2 };

const cleanup: (() => unknown)[] = [];
const service = await startProcess({ after: (close) => cleanup.push(close as () => unknown) });
const link = await eventually(() => service.printed.find((line) => line.includes('/desk/sign-in?link=')) ?? false);
const cookie = await confirmLink(link.trim());
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

const alone: number[] = [];
const during: number[] = [];
let imports = 0;
for (let round = 0; round <= rounds; round += 1) {
  const one = (await drive(server, get('/candidate'), load)).p99Ms;
  let isOver = false;
  const driven = drive(server, get('/candidate'), load).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await importResume(imports % 2 === 0 ? 'moderncv.pdf' : 'word-columns.docx');
    imports += 1;
  }
  const other = (await driven).p99Ms;
  // The first round warms up.
  if (round === 0) continue;
  alone.push(one);
  during.push(other);
}
const ratios = during.map((ms, round) => ms / alone[round]!);
console.log(
  `p99 of GET /candidate, median of ${rounds} rounds of ${load.seconds} s on ${load.connections} connections: ${medianOf(alone).toFixed(2)} ms alone, ${medianOf(during).toFixed(2)} ms while ${imports} resumes are read one after the other; ratio ${medianOf(ratios).toFixed(2)}`,
);
for (const close of cleanup) await close();
process.exit();
