import { writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { openResumeRenderer, type PdfStyle } from '../src/adapters/pdf/resume-pdf.ts';
import { readProfile } from '../src/adapters/profile/profile-file.ts';
import { resumeJsonOf } from '../src/operations/resume.ts';
import { samplePath } from '../src/service/config.ts';

// Measures the time to print the sample, the first time and later, and the memory after 500 times.

const sample = readProfile(samplePath).profile!;
const json = resumeJsonOf(sample);
const renderings = 500;

/** Renders the sample under another name each time, so that no cache helps; returns milliseconds. */
async function time(render: ReturnType<typeof openResumeRenderer>, index: number): Promise<number> {
  const candidate = { ...sample.candidate, name: `${sample.candidate.name} ${index}` };
  const startedAt = performance.now();
  await render({ ...sample, candidate }, json);
  return performance.now() - startedAt;
}

const medianOf = (times: number[]) => times.toSorted((one, other) => one - other)[times.length >> 1]!;

/** The resident memory after a garbage collection. */
async function residentMb(): Promise<number> {
  globalThis.gc!();
  await setImmediate();
  return process.memoryUsage().rss / 1024 ** 2;
}

const rows: string[][] = [];
for (const theme of ['classic', 'modern', 'compact'] satisfies PdfStyle['theme'][]) {
  const render = openResumeRenderer({ theme, paper: 'a4', template: undefined, fontDir: undefined });
  const first = await time(render, 0);
  const times: number[] = [];
  const before = process.cpuUsage();
  const resident: number[] = [];
  for (let index = 1; index <= renderings; index++) {
    times.push(await time(render, index));
    if (index % 100 === 0) resident.push(await residentMb());
  }
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1000 / renderings;
  rows.push([theme, ...[first, medianOf(times), cpu, ...resident].map((value) => value.toFixed(0))]);
}

const head = [
  'Theme',
  'First, ms',
  'Later, ms (median)',
  'CPU, ms (mean)',
  ...[1, 2, 3, 4, 5].map((hundreds) => `MB after ${hundreds}00`),
];
const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const text = `# Benchmarks

Written by \`npm run bench\` on Node ${process.versions.node}, ${process.platform} ${process.arch}.

## The resume PDF

The sample profile, each time under another name. The first printing of a theme opens a compiler, the very first loads Typst;
the memory is that of the whole process, garbage collected, the themes one after the other.

${table}
`;
writeFileSync(new URL('./results.md', import.meta.url), text);
console.log(text);
