import { globSync, readFileSync } from 'node:fs';
import { type Imported, importResume } from 'resume-import/import-resume';
import { totalOf } from 'resume-import/report/loss-report';
import { corpusFile, readExport } from './corpus.ts';
import { toZipOf } from './zip-writer.ts';

export interface Resume {
  readonly name: string;
  readonly content: Buffer;
}

/** The resumes that tests import, in every format that can be imported. */
export const resumes: readonly Resume[] = [
  ...globSync('*.{json,yaml}', { cwd: corpusFile(''), exclude: ['*.expected.*'] })
    .sort()
    .map((name) => ({ name, content: readFileSync(corpusFile(name)) })),
  { name: 'a LinkedIn data export', content: toZipOf(readExport('linkedin')) },
];

const imports = new Map<Resume, Promise<Imported>>();

/** Imports a resume once for all tests of a process. */
export function importOnce(resume: Resume): Promise<Imported> {
  const imported = imports.get(resume) ?? importResume(resume.content);
  imports.set(resume, imported);
  return imported;
}

/** Adds up what imports keep, section by section, and how many values are not in notes; the last row is the sum. */
export function keptOf(imports: readonly Imported[]) {
  const reports = imports.flatMap(({ report }) => report.sections);
  const sum = (section: string, same: typeof reports) => {
    const { values, kept, noted } = totalOf(same);
    return { section, values, kept, placed: kept - noted };
  };
  const bySection = Map.groupBy(reports, ({ section }) => section);
  return [...[...bySection].map(([section, same]) => sum(section, same)), sum('all content', reports)];
}
