import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toTable } from '../bench/report.ts';
import {
  assumptions,
  type Costs,
  computeDay,
  number,
  readSizes,
  type Sizes,
  sizeNames,
  type Table,
} from './scaling-arithmetic.ts';

// Writes the figures of docs/scaling.md: from the assumptions in scaling-arithmetic.ts, from bench/results.md, and from the sizes that
// the page has. `--measure` measures these anew first, which takes two minutes; `--check` only says whether the page differs.

const { values } = parseArgs({ options: { measure: { type: 'boolean' }, check: { type: 'boolean' } } });
const path = 'docs/scaling.md';
const page = readFileSync(path, 'utf8');
const results = readFileSync('bench/results.md', 'utf8');

/** Returns a figure of bench/results.md: that of the service, in the section and for the work. */
function benchmark(section: string, work: string, column: number): number {
  const [, table = ''] = results.split(`## ${section}\n`);
  const rows = table
    .split('\n## ')[0]!
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const first = work === '' ? 0 : rows.findIndex(([name]) => name === work);
  const row = rows.slice(first).find((cells) => cells.slice(0, 2).includes('candidate-profile'));
  const value = Number(row?.[column]?.replaceAll(',', '').split(' ')[0]);
  if (first === -1 || Number.isNaN(value)) throw new Error(`bench/results.md has no figure for ${section}, ${work}`);
  return value;
}

const costs: Costs = {
  read: benchmark('Reads over REST', 'GET /candidate', 2),
  call: benchmark('MCP over HTTP', 'tools/call, 2026-07-28', 2),
  token: benchmark('Writes', 'POST /auth/token, 1 writer', 2),
  message: benchmark('Writes', 'POST /contact, 1 writer', 2),
};
const idleMb = benchmark('Memory', '', 1);
const loadedMb = benchmark('Memory', '', 2);
const startMs = benchmark('Start', '', 1);

const sizes = values.measure
  ? await measured()
  : (readSizes(page) ?? fail(`${path} lacks a size: node scripts/scaling.ts --measure`));

async function measured(): Promise<Sizes> {
  const { measureSizes } = await import('./scaling-sizes.ts');
  return await measureSizes();
}

// As the page has them, so that both ways give the same figures.
const shown = Object.fromEntries(
  Object.entries(sizes).map(([key, size]) => [key, Number(number(size).replaceAll(',', ''))]),
) as Sizes;
const { amounts, disk, limits, money, perCore } = computeDay(shown, costs);

const perSecond = (microseconds: number) => number(1e6 / microseconds);
const oneCore: Table = [
  ['Work', 'Server CPU', 'A core does'],
  ['a read over REST', `${costs.read} µs`, `${perSecond(costs.read)} a second`],
  ['`tools/call`', `${costs.call} µs`, `${perSecond(costs.call)} a second`],
  ['a token, alone', `${number(costs.token)} µs`, `${perSecond(costs.token)} a second`],
  ['a message, alone', `${number(costs.message)} µs`, `${perSecond(costs.message)} a second`],
  ...(['landing', 'profile'] as const).map((name) => [
    name === 'landing' ? sizeNames.landing : sizeNames.profile,
    `${shown[`${name}Cost`]} reads`,
    `${perSecond(costs.read * shown[`${name}Cost`])} a second`,
  ]),
];

const blocks: Record<string, string> = {
  'one machine': `${toTable(oneCore)}

It takes ${idleMb} MB of memory idle and ${loadedMb} MB under calls of MCP, and answers ${startMs} ms after a start. With the readers assumed
[below](#a-million-readers-a-day), half of one core, in the busiest hour, has the CPU for **${number(perCore / 1e6)} million readers a day**.`,
  assumptions: toTable([
    ['Assumed', ''],
    ...Object.values(assumptions).map(({ value, meaning }) => [
      value.toLocaleString('en-US', { maximumFractionDigits: 4 }),
      meaning,
    ]),
  ]),
  limits: toTable(limits),
  arithmetic: `${toTable(amounts)}

${toTable(disk)}

${toTable(money)}`,
  sizes: toTable([
    ['Measured, in bytes unless it says otherwise', ''],
    ...Object.entries(sizeNames).map(([key, name]) => [name, number(shown[key as keyof Sizes])]),
  ]),
};

const text = Object.entries(blocks).reduce((whole, [name, block]) => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  if (!whole.includes(begin) || !whole.includes(end)) fail(`${path} lacks ${begin} or ${end}`);
  return `${whole.split(begin)[0]}${begin}\n\n${block}\n\n${end}${whole.split(end)[1]}`;
}, page);

if (values.check) {
  if (text !== page) fail(`${path} differs from its arithmetic: node scripts/scaling.ts`);
} else writeFileSync(path, text);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
