import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Imported, importResume } from 'resume-import/import-resume';
import { type Section, sections } from 'resume-import/report/loss-report';
import { toZipOf } from '../../packages/resume-import/test/zip-writer.ts';
import { resumeFile } from './files.ts';
import { linkedInExport } from './linkedin-export.ts';

export interface Resume {
  readonly name: string;
  readonly content: Buffer;
}

export const readResume = (path: string): Resume => ({ name: basename(path), content: readFileSync(path) });

/** The resumes that tests import, in every format that can be imported. */
export const resumes: readonly Resume[] = [
  ...globSync('*.{json,yaml}', { cwd: resumeFile(''), exclude: ['*.expected.*'] })
    .sort()
    .map((path) => readResume(resumeFile(path))),
  { name: 'a LinkedIn data export', content: toZipOf(linkedInExport) },
];

const imports = new Map<Resume, Promise<Imported>>();

/** Imports a resume once for all tests of a process. */
export function importOnce(resume: Resume): Promise<Imported> {
  const imported = imports.get(resume) ?? importResume(resume.content);
  imports.set(resume, imported);
  return imported;
}

/** How much several imports keep of a section, or in all. */
export interface Kept {
  readonly section: Section | 'all content';
  readonly values: number;
  readonly kept: number;
  /** How many of the kept ones are not in notes. */
  readonly placed: number;
  /** How many are kept, in percent. */
  readonly share: number;
  /** How many of the imported resumes have it. */
  readonly resumes: number;
}

/** Adds up what imports keep, section by section; the last row is the sum. */
export function keptOf(imports: readonly Imported[]): Kept[] {
  const reports = imports.flatMap(({ report }) => report.sections);
  const sum = (section: Kept['section'], same: typeof reports, resumes: number): Kept => {
    const values = same.reduce((total, report) => total + report.values, 0);
    const kept = same.reduce((total, report) => total + report.kept, 0);
    const noted = same.reduce((total, report) => total + report.noted, 0);
    return { section, values, kept, placed: kept - noted, share: (100 * kept) / values, resumes };
  };
  return [
    ...sections.flatMap((section) => {
      const same = reports.filter((report) => report.section === section);
      return same.length === 0 ? [] : [sum(section, same, same.length)];
    }),
    sum('all content', reports, imports.length),
  ];
}
