import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machine } from './machine.ts';
import { installPeers } from './peers.ts';
import { type Section, toReport, toSummary } from './report.ts';
import { measureGet } from './sections/get.ts';
import { measureLayers } from './sections/layers.ts';
import { measureLinks } from './sections/links.ts';
import { measureMcp } from './sections/mcp.ts';
import { measureMemory } from './sections/memory.ts';
import { measurePdf } from './sections/pdf.ts';
import type { Measure, Run } from './sections/section.ts';
import { measureSize } from './sections/size.ts';
import { measureStart } from './sections/start.ts';
import { measureViews } from './sections/views.ts';
import { measureWrites } from './sections/writes.ts';

const measures: Record<string, Measure> = {
  get: measureGet,
  links: measureLinks,
  mcp: measureMcp,
  writes: measureWrites,
  memory: measureMemory,
  start: measureStart,
  size: measureSize,
  layers: measureLayers,
  pdf: measurePdf,
  views: measureViews,
};

const usage = `npm run bench               measures everything and writes the goals to bench/results.md
npm run bench -- --quick    the same with less effort, in two minutes; only prints
npm run bench -- get mcp    these sections alone; only prints

The sections are ${Object.keys(measures).join(', ')}.`;

const { values, positionals } = readArguments();
const isQuick = values.quick === true;
if (values.help) {
  console.log(usage);
  process.exit();
}
const unknown = positionals.filter((name) => measures[name] === undefined);
if (unknown.length > 0) fail(`There is no section ${unknown.join(', ')}.\n\n${usage}`);
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
    : { connections: 32, rounds: 9, seconds: 2, warmUpCpuMs: 3_000 },
};

const sections: Section[] = [];
for (const [name, measure] of Object.entries(measures)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`measuring ${name} …`);
  sections.push(await measure(run));
}
const { rounds, seconds, connections } = run.effort;
const effort = `Effort: ${rounds} rounds of ${seconds} s on ${connections} connections${isQuick ? ', too short to be relied on' : ''}`;
const circumstances = [...machine(), effort];
console.log(toReport(sections, circumstances));
if (!isQuick && positionals.length === 0)
  writeFileSync(new URL('results.md', import.meta.url), toSummary(sections, circumstances));

function readArguments() {
  const options = { quick: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
