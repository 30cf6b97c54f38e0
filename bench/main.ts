import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machine } from './machine.ts';
import { installPeers } from './peers.ts';
import { type Section, toReport } from './report.ts';
import { measureGet } from './sections/get.ts';
import { measureMcp } from './sections/mcp.ts';
import { measureMemory } from './sections/memory.ts';
import { measurePdf } from './sections/pdf.ts';
import type { Measure, Run } from './sections/section.ts';
import { measureSize } from './sections/size.ts';
import { measureStart } from './sections/start.ts';
import { measureWrites } from './sections/writes.ts';

// npm run bench                   measures everything and writes bench/results.md
// npm run bench -- --quick        the same with less effort, in two minutes; only prints
// npm run bench -- get mcp        only these sections; only prints

const measures: Record<string, Measure> = {
  get: measureGet,
  mcp: measureMcp,
  writes: measureWrites,
  memory: measureMemory,
  start: measureStart,
  size: measureSize,
  pdf: measurePdf,
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean' } } });
const isQuick = values.quick === true;
const unknown = positionals.filter((name) => measures[name] === undefined);
if (unknown.length > 0)
  fail(`There is no section ${unknown.join(', ')}; the sections are ${Object.keys(measures).join(', ')}.`);
if (!existsSync('/proc/self/stat')) fail('The CPU of a server process is read from /proc, which only Linux has.');

installPeers();
// Not in /tmp, which may be in memory: commits are to reach a disk.
const folder = mkdtempSync('/var/tmp/candidate-profile-bench-');
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// At exit the servers are killed and the folder is removed; a signal alone would skip that.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const run: Run = {
  folder,
  isQuick,
  effort: isQuick
    ? { connections: 32, rounds: 3, seconds: 0.5, warmUpCpuMs: 1_500 }
    : { connections: 32, rounds: 7, seconds: 2, warmUpCpuMs: 4_000 },
};

const sections: Section[] = [];
for (const [name, measure] of Object.entries(measures)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`measuring ${name} …`);
  sections.push(await measure(run));
}
const report = toReport(sections, machine());
console.log(report);
if (!isQuick && positionals.length === 0) writeFileSync(new URL('results.md', import.meta.url), report);

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
