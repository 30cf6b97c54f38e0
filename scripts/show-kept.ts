import { toTable } from '../src/commands/table.ts';
import { inventedIn } from '../test/support/invented.ts';
import { faithOf, importResume, keptOf, readResume, resumes } from '../test/support/resumes.ts';

// Prints how much of each section an import keeps, over the resumes of the tests and the files that are named: the values that say
// something of the person, without the layout of a page and what is private. Then it prints for each resume how much is kept, and
// how much of its headings, order and so on is as written. `node scripts/show-kept.ts [FILES…]`

const all = [...resumes, ...process.argv.slice(2).map(readResume)];
const imports = await Promise.all(all.map(importResume));
const rows = keptOf(imports).map(({ section, values, kept, share, resumes }) =>
  [section, values, kept, `${share.toFixed(1)} %`, resumes].map(String),
);
console.log(toTable({ Section: 'text', Values: 'text', Kept: 'text', Share: 'text', Resumes: 'text' }, rows));

const aspects = ['headings', 'order of sections', 'order of jobs', 'dates', 'emphasis', 'links in texts'] as const;
const columns = Object.fromEntries(['Resume', 'Kept', 'Invented', ...aspects].map((name) => [name, 'text' as const]));
const invented = await Promise.all(
  all.map(async (each, index) => (await inventedIn(imports[index]!.profile, each)).length),
);
const faithful = all.map(({ name }, index) => [
  name,
  `${keptOf([imports[index]!]).at(-1)!.share.toFixed(1)} %`,
  `${invented[index]}`,
  ...aspects.map((aspect) => faithOf([imports[index]!], aspect)),
]);
const sum = [
  'all',
  `${keptOf(imports).at(-1)!.share.toFixed(1)} %`,
  `${invented.reduce((sum, count) => sum + count, 0)}`,
  ...aspects.map((aspect) => faithOf(imports, aspect)),
];
console.log(`\n${toTable(columns, [...faithful, sum])}`);
