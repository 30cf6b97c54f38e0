import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Imported, importProfile } from 'resume-import/import-resume';
import type { Faithfulness } from 'resume-import/report/faithfulness';
import { type Section, sections } from 'resume-import/report/loss-report';
import { toZipOf } from '../../packages/resume-import/test/zip-writer.ts';
import { fixture } from './files.ts';
import { linkedInExport } from './linkedin-export.ts';

export interface Resume {
  readonly name: string;
  readonly content: Buffer;
}

export const readResume = (path: string): Resume => ({ name: basename(path), content: readFileSync(path) });

/** The resumes that tests import, in every format that can be imported. */
export const resumes: readonly Resume[] = [
  ...globSync(['{jsonresume,rendercv}-*.{json,yaml}', 'import/*.{json,yaml}'], {
    cwd: fixture(''),
    exclude: ['**/*.expected.*'],
  })
    .sort()
    .map((path) => readResume(fixture(path))),
  { name: 'a LinkedIn data export', content: toZipOf(linkedInExport) },
];

const imports = new Map<Resume, Promise<Imported>>();

/** Imports a resume once for all tests of a process. */
export function importResume(resume: Resume): Promise<Imported> {
  const imported = imports.get(resume) ?? importProfile(resume.content);
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
  const reports = imports.flatMap(({ lossReport }) => lossReport.sections);
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

/** How much of a kind of thing imports have as written, such as `12/12`; `–` if no source has any. */
export function faithOf(imports: readonly Imported[], of: Faithfulness['of']): string {
  const same = imports.flatMap(({ lossReport }) => lossReport.faithfulness.filter((each) => each.of === of));
  const sum = (key: 'kept' | 'values') => same.reduce((total, each) => total + each[key], 0);
  return same.length === 0 ? '–' : `${sum('kept')}/${sum('values')}`;
}
