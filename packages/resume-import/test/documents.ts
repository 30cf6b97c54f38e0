import { globSync, readFileSync } from 'node:fs';
import { importDocument } from 'resume-import/import-resume';
import { toDocumentDraft } from 'resume-import/readers/document';
import { toBlocks } from 'resume-import/source/blocks';
import type { TextDocument } from 'resume-import/source/document';
import { readPdf } from 'resume-import/source/pdf-document';
import { readWord } from 'resume-import/source/word-document';
import { corpusFile } from './corpus.ts';
import { lettersOf, madeUpIn } from './invented.ts';

/** A job as `Title, Company, start, end`; what goes on has no end. */
type Job = string;

const doe: readonly Job[] = [
  'Co-Founder & CTO, Nexus AI, 2023-06, ',
  'Research Intern, NVIDIA Research, 2022-05, 2022-08',
  'Research Intern, Google DeepMind, 2021-05, 2021-08',
  'Research Intern, Apple ML Research, 2020-05, 2020-08',
  'Research Intern, Microsoft Research, 2019-05, 2019-08',
];
const vasquez: readonly Job[] = [
  'Staff Software Engineer, Confluent, 2020-02, ',
  'Senior Software Engineer, Dropbox, 2015-06, 2020-01',
  'Software Engineer, Rackspace, 2011-08, 2015-05',
];
/** Printed with days. */
const vasquezByDay: readonly Job[] = [
  'Staff Software Engineer, Confluent, 2020-02-01, ',
  'Senior Software Engineer, Dropbox, 2015-06-01, 2020-01-01',
  'Software Engineer, Rackspace, 2011-08-01, 2015-05-01',
];

/** The jobs that each document in `corpus/documents` prints, from the source that it was made of. */
const jobsOf: Record<string, readonly Job[]> = {
  'jsonresume-even.pdf': vasquez,
  'jsonresume-kendall.pdf': vasquez,
  'jsonresume-macchiato.pdf': vasquez,
  'jsonresume-onepage.pdf': vasquezByDay,
  'jsonresume-stackoverflow.pdf': vasquez,
  'linkedin-english.pdf': [
    'Head of Data, Tidewater Analytics, 2022-01, ',
    'Lead Data Engineer, Tidewater Analytics, 2019-10, 2021-12',
    'Senior Data Engineer, Koopman & Zonen, 2016-03, 2019-09',
    'Research Software Engineer, Universiteit Leiden, 2014-02, 2016-02',
    'Data Analyst, Beirut Digital Works, 2011-06, 2014-01',
    'Junior Analyst, Cedar Telecom, 2010-09, 2011-05',
    'Intern, Cedar Telecom, 2009-07, 2010-08',
  ],
  'linkedin-german.pdf': [
    'Projektleiter Tiefbau, Stadtwerke Nordhafen, 2017-04, ',
    'Bauleiter, Hansen Bau GmbH, 2012-08, 2017-03',
    'Werkstudent, Ingenieurbüro Petersen, 2010-10, 2012-07',
  ],
  'moderncv.pdf': [
    'Senior Data Engineer, Nordvann AS, 2018, ',
    'Hydrologist, Fjordkraft Consult, 2014, 2018',
    'Research Assistant, Norwegian Water Institute, 2011, 2014',
  ],
  'rendercv-classic.pdf': doe,
  'rendercv-harvard.pdf': doe,
  'rendercv-moderncv.pdf': doe,
  'rendercv-opal.pdf': doe,
  'rendercv-sb2nov.pdf': doe,
  'word-columns.docx': [
    'Senior UX Designer, Banco del Turia, 2020-06, ',
    'UX Designer, Clínica Albufera, 2017-02, 2020-05',
    'Junior Designer, Estudio Naranja, 2015-09, 2017-01',
  ],
  'word-german-table.docx': [
    'Werkstattleiter, Weser Fahrradbau GmbH, 2016-04, ',
    'Zweiradmechaniker, Rad & Tat eG, 2009-08, 2016-03',
  ],
  'word-header.docx': [
    'Dietetics Manager, Noordzee Hospital, 2019-05, ',
    'Nutrition Consultant, Friesland Rowing Club, 2014-09, 2019-04',
  ],
  'word-headings.docx': [
    'Supply Chain Manager, Delta Foods Ltd, 2019-03, ',
    'Logistics Coordinator, Blue Harbour Shipping, 2015-07, 2019-02',
    'Warehouse Intern, Delta Foods Ltd, 2015-01, 2015-06',
  ],
  'word-sentences.docx': [
    'Lead Pharmacist, Cytotoxics Unit, Centro Hospitalar Universitário de São João, Porto, 2019-03, ',
    'Staff Pharmacist, Centro Hospitalar Universitário de São João, Porto, 2015-09, 2019-02',
    'Resident Pharmacist, IPO Porto, 2013-01, 2015-08',
    'Community Pharmacist, Farmácia Lemos, Braga, 2011, 2012',
  ],
};

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
