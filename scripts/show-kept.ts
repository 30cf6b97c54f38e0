import { toTable } from '../src/commands/table.ts';
import { type DocumentResult, documentNames, importFixture } from '../test/support/documents.ts';
import { inventedIn } from '../test/support/invented.ts';
import { faithOf, importResume, keptOf, readResume, resumes } from '../test/support/resumes.ts';

// Prints how much of each section an import keeps, over the resumes of the tests and the files that are named: the values that say
// something of the person, without the layout of a page and what is private. A value is in its place if it is not only in the notes.
// Then it prints the same for each resume, and how much of its headings, order and so on is as written.
// `node scripts/show-kept.ts [FILES…]`

const all = [...resumes, ...process.argv.slice(2).map(readResume)];
const imports = await Promise.all(all.map(importResume));
const shareOf = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
const rows = keptOf(imports).map(({ section, values, kept, placed, resumes }) =>
  [section, values, shareOf(kept, values), shareOf(placed, values), resumes].map(String),
);
const text = 'text' as const;
console.log(toTable({ Section: text, Values: text, Kept: text, 'In its place': text, Resumes: text }, rows));

const aspects = ['headings', 'order of sections', 'order of jobs', 'dates', 'emphasis', 'links in texts'] as const;
const columns = Object.fromEntries(
  ['Resume', 'Kept', 'In its place', 'Invented', ...aspects].map((name) => [name, text]),
);
const invented = await Promise.all(
  all.map(async (each, index) => (await inventedIn(imports[index]!.profile, each)).length),
);
const sharesOf = (imports: Parameters<typeof keptOf>[0]) => {
  const { values, kept, placed } = keptOf(imports).at(-1)!;
  return [shareOf(kept, values), shareOf(placed, values)];
};
const faithful = all.map(({ name }, index) => [
  name,
  ...sharesOf([imports[index]!]),
  `${invented[index]}`,
  ...aspects.map((aspect) => faithOf([imports[index]!], aspect)),
]);
const sum = [
  'all',
  ...sharesOf(imports),
  `${invented.reduce((sum, count) => sum + count, 0)}`,
  ...aspects.map((aspect) => faithOf(imports, aspect)),
];
console.log(`\n${toTable(columns, [...faithful, sum])}`);

// The values read from PDFs and Word documents of other programs, beside those that the documents have.
const documents = await Promise.all(documentNames.map(importFixture));
const toCells = (name: string, results: readonly DocumentResult[]) => {
  const sum = (count: (result: DocumentResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const letters = sum((result) => result.letters);
  const [lost, noted] = [sum(({ lost, unread }) => lost.length + unread.length), sum((result) => result.noted)];
  const jobs = `${sum(({ rightJobs }) => rightJobs)} of ${sum((result) => result.jobs.length)}`;
  const madeUp = String(sum((result) => result.invented.length));
  return [name, shareOf(letters - lost, letters), shareOf(letters - lost - noted, letters), jobs, madeUp];
};
const documentRows = documents.map((result) => toCells(result.name, [result]));
const documentColumns = {
  Document: text,
  'Text kept': text,
  'In its place': text,
  'Jobs right': text,
  'Made up': text,
};
console.log(`\n${toTable(documentColumns, [...documentRows, toCells('all documents', documents)])}`);
