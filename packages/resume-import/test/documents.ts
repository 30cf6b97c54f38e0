import { globSync, readFileSync } from 'node:fs';
import { importDocument } from 'resume-import/import-resume';
import { toDocumentDraft } from 'resume-import/readers/document';
import { toBlocks } from 'resume-import/source/blocks';
import type { TextDocument } from 'resume-import/source/document';
import { readPdf } from 'resume-import/source/pdf-document';
import { readWord } from 'resume-import/source/word-document';
import { parse } from 'yaml';
import { corpusFile, readFixture } from './corpus.ts';
import { lettersOf, madeUpIn } from './invented.ts';

/** The jobs that each document in `corpus/documents` prints, each as `Title, Company, start, end`. */
const jobsOf: Record<string, readonly string[]> = parse(readFixture('documents/jobs.yaml'));

export const documentNames = Object.keys(jobsOf);

export const documentPath = (name: string): string => corpusFile(`documents/${name}`);

/** Reads a document in this process, without the limits that the program has. */
export function readDocument(path: string): Promise<TextDocument> {
  const bytes = new Uint8Array(readFileSync(path));
  return path.endsWith('.docx') ? readWord(bytes) : readPdf(bytes);
}

/**
 * Imports a document of the corpus. `lost` are its texts that are nowhere in the profile, `unread` its letters and digits
 * that are in no text, `invented` texts of the profile that the document does not have.
 */
export async function importFixture(name: string) {
  const document = await readDocument(documentPath(name));
  const imported = importDocument(document);
  const { profile, report } = imported;
  const parts = document.kind === 'PDF' ? document.pages : document.paragraphs;
  const texts = parts.flatMap(({ runs }) => runs.map(({ text }) => text));
  const source = toBlocks(document).flatMap(({ text, cells }) => [
    text,
    ...cells.flatMap(({ spans }) => spans.flatMap(({ url }) => url ?? [])),
  ]);
  const read = toDocumentDraft(document).leaves.map(({ text }) => text);
  const jobs = profile.experience.flatMap(({ company, roles }) =>
    roles.map(({ title, start_date, end_date }) => [title, company, start_date, end_date ?? ''].join(', ')),
  );
  return {
    name,
    ...imported,
    lost: report.notCarriedOver.filter(({ isContent, isNoted }) => isContent !== false && !isNoted),
    unread: lettersNotIn(lettersOf(texts.join('')), lettersOf(read.join(''))),
    missingJobs: jobsOf[name]!.filter((job) => !jobs.includes(job)),
    invented: madeUpIn(profile, source.map(lettersOf).join('')),
  };
}

/** The letters of a text that another one has not as often. */
function lettersNotIn(text: string, other: string): string {
  const counts = new Map<string, number>();
  for (const letter of other) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...text]
    .filter((letter) => {
      const count = counts.get(letter) ?? 0;
      counts.set(letter, count - 1);
      return count <= 0;
    })
    .join('');
}

if (
  globSync('*.{pdf,docx}', { cwd: corpusFile('documents'), exclude: ['with-password.pdf'] }).some(
    (name) => !(name in jobsOf),
  )
)
  throw new Error('documents.ts does not know the jobs of each document');
