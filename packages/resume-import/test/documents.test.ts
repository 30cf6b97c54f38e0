import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importDocument } from 'resume-import/import-resume';
import { toBlocks } from 'resume-import/source/blocks';
import { withoutMarks } from 'resume-profile/prose';
import { documentNames, importFixture } from './documents.ts';

const results = await Promise.all(documentNames.map(importFixture));

for (const { name, lost, unread, invented, missingJobs } of results)
  test(`every text of ${name} is somewhere in the profile, and no other; its jobs have company, title and dates`, () => {
    assert.deepEqual({ lost, unread, invented, missingJobs }, { lost: [], unread: '', invented: [], missingJobs: [] });
  });

test('a word that Typst has divided at the end of a line is whole again', () => {
  const texts = results
    .filter(({ name }) => name.startsWith('rendercv-'))
    .map(({ profile }) => JSON.stringify(profile));
  assert.equal(texts.length, 5);
  for (const text of texts)
    for (const word of ['submissions', 'modeling', 'requirements']) assert.ok(text.includes(` ${word}`), word);
});

for (const [program, joined] of [
  ['pdfTeX-1.40.24', 'Led the low-latency, cross-team API-first management of all data.'],
  ['Skia/PDF m156', 'Led the low-latency, cross-team API-first man-agement of all data.'],
] as const)
  test(`of words at the end of a line, ${program} divides ${program.includes('TeX') ? 'those without a hyphen of their own' : 'none'}`, () => {
    const lines = ['Led the low-', 'latency, cross-', 'team API-', 'first man-', 'agement of all data.'];
    const runs = lines.map((text, index) => ({
      ...{ text, x: 50, y: 100 + 12 * index, width: index === 4 ? 300 : 400, size: 10, font: 'Sans', isBold: false },
    }));
    const document = { kind: 'PDF', program, pages: [{ runs }], attachedProfile: null } as const;
    assert.deepEqual(
      toBlocks(document).map(({ text }) => text),
      [joined],
    );
  });

const { notes, resume } = results.find(({ name }) => name === 'moderncv.pdf')!.profile;

test('a field of study is in the degree, a town after its school, and a single letter is a grade', () => {
  assert.deepEqual(
    resume.education!.map(({ degree, area, location, score }) => [degree, area, location, score]),
    [
      ['Master of Science', 'Hydrology', 'Bergen', 'A'],
      ['Bachelor of Science', 'Geoscience', 'Oslo', undefined],
    ],
  );
});

const inSentences = await importFixture('word-sentences.docx');

test('the school of a degree is what stands after the field of study', () => {
  assert.deepEqual(
    inSentences.profile.resume.education!.map(({ degree, area, institution }) => [degree, area, institution]),
    [
      ['Postgraduate Diploma', 'Oncology Pharmacy', 'Universidade do Porto'],
      ['Integrated Master', 'Pharmaceutical Sciences', 'Universidade de Coimbra'],
    ],
  );
});

test('volunteering is read as such, under the heading of the document', () => {
  const { volunteer, titles } = inSentences.profile.resume;
  assert.deepEqual(
    volunteer!.map(({ role, organization, start_date, end_date }) => [role, organization, start_date, end_date]),
    [['Volunteer pharmacist', 'Banco Farmacêutico, Porto', '2014', null]],
  );
  assert.equal(titles?.volunteer, 'Voluntariado');
});

test('publications with a title of their own are read as such; those written in sentences stay as they are', async () => {
  const { publications } = (await importFixture('rendercv-classic.pdf')).profile.resume;
  assert.deepEqual(
    publications!.map(({ name, date }) => [name, date]),
    [
      ['Sparse Mixture-of-Experts at Scale: Efficient Routing for Trillion-Parameter Models', '2023-07'],
      ['Neural Architecture Search via Differentiable Pruning', '2022-12'],
      ['Multi-Agent Reinforcement Learning with Emergent Communication', '2022-07'],
      ['On-Device Model Compression via Learned Quantization', '2021-05'],
    ],
  );
  const { resume } = inSentences.profile;
  assert.equal(resume.publications, undefined);
  assert.deepEqual(resume.sections!.find(({ title }) => title === 'Publications')!.entries, [
    {
      text: 'Figueiredo MS, Costa R. Barcode verification in cytotoxic compounding: a before-after study. European Journal of Hospital Pharmacy, 2022. https://doi.org/10.1136/ejhpharm-2021-000000',
    },
    { name: 'Figueiredo MS. Extravasation: a handbook for wards. Revista Portuguesa de Farmácia', date: '2018' },
  ]);
});

test('volunteering whose words do not tell the role from the organization stays as it is written', async () => {
  const { volunteer, sections } = (await importFixture('word-headings.docx')).profile.resume;
  assert.equal(volunteer, undefined);
  assert.equal(sections!.find(({ title }) => title === 'Volunteering')!.entries[0]!.name, 'Treasurer, Reading for All');
});

/** Imports a document of Word of headings, each with lines. */
function importLines(sections: Readonly<Record<string, readonly string[]>>) {
  const style = { font: 'Sans', size: 10, isBold: false };
  const lines = Object.entries(sections).flatMap(([title, texts]) => [
    { runs: [{ text: title, ...style, size: 14, isBold: true }], level: 1, isBullet: false },
    ...texts.map((text) => ({ runs: [{ text, ...style }], isBullet: false })),
  ]);
  const name = { runs: [{ text: 'Nora Lind', ...style, size: 20 }], level: 0, isBullet: false };
  return importDocument({ kind: 'DOCX', paragraphs: [name, ...lines] }).profile;
}

test('a town after the company is no company', () => {
  const { experience } = importLines({ Experience: ['Praktikant bei Siemens, München\t2019 – 2020'] });
  assert.equal(experience[0]!.roles[0]!.title, 'Praktikant');
  assert.match(experience[0]!.company, /^Siemens/);
});

test('a field of study that stands apart is not one of the words of the degree, and no town', () => {
  const { resume } = importLines({
    Education: [
      'Bachelor of Arts, Honours\tUniversity of Bergen\tPhysics\t2001 – 2004',
      'MSc in Finance\tLondon School of Economics\tEconomics\t2005 – 2006',
    ],
  });
  const [first, second] = resume.education!;
  assert.deepEqual([first!.degree, first!.area], ['Bachelor of Arts, Honours', 'Physics']);
  assert.deepEqual([second!.degree, second!.area, second!.location], ['MSc', 'Finance', undefined]);
});

test('an organization with the word of a role in its name is not taken for the role', () => {
  const { resume } = importLines({ Volunteering: ['Volunteer Fire Department\tFirefighter\t2011 – 2012'] });
  assert.equal(resume.volunteer, undefined);
  assert.equal(resume.sections![0]!.title, 'Volunteering');
});

test('publications stay as they are written if it is not told where each begins', () => {
  const { resume } = importLines({
    Publications: ['A study of rivers', 'Doe J and Roe R', 'Another study of lakes', 'Doe J'],
  });
  assert.equal(resume.publications, undefined);
  assert.equal(resume.sections![0]!.entries.length, 4);
});

test('a letter before an address is an icon, and no note', () => {
  assert.deepEqual(notes, ['Lille Strandgate 7', '5003 Bergen', 'Norway']);
});

const inHeader = await importFixture('word-header.docx');

test('headers and footers of a Word document are read once each, without page numbers', () => {
  const { candidate, resume, notes } = inHeader.profile;
  assert.deepEqual([candidate.name, candidate.location], ['Rosalind Achterberg', 'Harlingen, Netherlands']);
  assert.deepEqual([resume.email, resume.phone], ['rosalind@achterberg.example', '+31 20 555 0143']);
  assert.deepEqual(resume.links, [{ url: 'https://www.achterberg.example' }]);
  assert.deepEqual(notes, ['Member of the Wadden Nutrition Circle']);
  assert.doesNotMatch(JSON.stringify(inHeader.profile), /\bpage\b|\uFDD0/i);
});

test('signs of a document that would be read as marks stay what they are', () => {
  const [, accomplishment] = inHeader.profile.experience[0]!.roles[0]!.accomplishments;
  assert.equal(
    accomplishment,
    'Cut the waiting time of new patients from \\*six\\* weeks to \\[two], see \\`waiting times\\`',
  );
  assert.equal(
    withoutMarks(accomplishment!),
    'Cut the waiting time of new patients from *six* weeks to [two], see `waiting times`',
  );
});
