import { toTable } from '../src/commands/table.ts';
import { importResume, keptOf, readResume, resumes } from '../test/support/resumes.ts';

// Prints how much of each section an import keeps, over the resumes of the tests and the files that are named: the values that say
// something of the person, without the layout of a page and what is private. `node scripts/show-kept.ts [FILES…]`

const imports = await Promise.all([...resumes, ...process.argv.slice(2).map(readResume)].map(importResume));
const rows = keptOf(imports).map(({ section, values, kept, share, resumes }) =>
  [section, values, kept, `${share.toFixed(1)} %`, resumes].map(String),
);
console.log(toTable({ Section: 'text', Values: 'text', Kept: 'text', Share: 'text', Resumes: 'text' }, rows));
