import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import { type Theme, themes } from 'resume-profile/resume-design';
import { called, plain, rendererOf, sample } from './rendered.ts';

const render = rendererOf();
const rendered = await render(sample);

/** Every text of the sample that the resume shows, in the reading order of a theme. */
function textsInOrder(theme: Theme): string[] {
  const { candidate, experience, projects, resume } = sample;
  const { email, phone, skills, education, certifications, languages, publications } = resume;
  const person = [
    [candidate.name, candidate.title, candidate.location, email, phone],
    ['lenavasquez.example.com', 'github.com/lvasquez', 'hachyderm.io/@lena', 'linkedin.com/in/lena-vasquez-eng'],
  ];
  const career = [
    [candidate.summary, 'Experience'],
    experience.map(({ company, summary, roles: [role, ...others] }) =>
      others.length === 0
        ? [role!.title, company, summary, role!.accomplishments]
        : [company, summary, [role!, ...others].map(({ title, accomplishments }) => [title, accomplishments])],
    ),
    ['Projects', projects.map(({ name, summary, tags }) => [name, summary, tags])],
  ];
  const schools = education!.map((school) => [
    school.institution,
    school.degree,
    school.area,
    school.score,
    school.details,
  ]);
  const certificates = ['Certifications', certifications!.map(({ name, issuer }) => [name, issuer])];
  const spoken = ['Languages', languages!.map(({ language, fluency }) => [language, fluency])];
  const published = ['Publications', publications!.map(({ name, publisher, summary }) => [name, publisher, summary])];
  const order =
    theme === 'sidebar'
      ? [person, 'Skills', skills, spoken, certificates, career, 'Education', schools, published]
      : [person, career, 'Skills', skills, 'Education', schools, certificates, spoken, published];
  return order.flat(9).filter((text): text is string => text !== undefined);
}

for (const theme of themes)
  test(`${theme}: every text of the profile that the resume shows is in the PDF, in order, each word undivided`, async () => {
    const { text } = await rendererOf({ theme })(sample);
    const texts = textsInOrder(theme);
    assert.equal(texts.length, 82);
    let at = 0;
    for (const expected of texts) {
      const found = text.indexOf(expected, at);
      assert.notEqual(found, -1, `${expected} in ${text.slice(at, at + 200)}`);
      at = found + expected.length;
    }
  });

test('dates are written with month names, and every link can be clicked', async () => {
  const { text, pages } = rendered;
  for (const dates of ['Apr 2022 – present', 'Jun 2015 – Aug 2017', 'Sep 2006 – Jun 2011', 'Mar 2019'])
    assert.ok(text.includes(dates), dates);
  assert.deepEqual(
    pages.flatMap(({ links }) => links),
    [
      'mailto:lena.vasquez@example.com',
      'tel:4155550117',
      'https://lenavasquez.example.com/',
      'https://github.com/lvasquez',
      'https://hachyderm.io/@lena',
      'https://www.linkedin.com/in/lena-vasquez-eng',
      'https://github.com/lvasquez/raft-lab',
      'https://www.utexas.edu/',
      'https://www.utexas.edu/',
      'https://aws.amazon.com/certification/certified-solutions-architect-professional/',
      'https://queue.acm.org/',
      'https://www.usenix.org/conference/osdi14',
    ],
  );
});

test('the PDF is tagged, states title, author and language, and has bookmarks', async () => {
  const { pdf, pages } = rendered;
  const { Title, Author, Language } = (await pdf.getMetadata()).info as Record<string, unknown>;
  assert.deepEqual([Title, Author, Language], ['Dr. Lena Vasquez – Resume', 'Dr. Lena Vasquez', 'en']);
  assert.equal((await pdf.getMarkInfo())?.Marked, true);
  const roles = new Set(JSON.stringify(await pages[0]!.page.getStructTree()).match(/(?<="role":")[^"]+/g));
  for (const role of ['H1', 'H2', 'H3', 'H4', 'P', 'L', 'Link']) assert.ok(roles.has(role), role);
  const [name] = await pdf.getOutline();
  assert.equal(name!.title, 'Dr. Lena Vasquez');
  assert.deepEqual(
    name!.items.map(({ title }) => title),
    ['Experience', 'Projects', 'Skills', 'Education', 'Certifications', 'Languages', 'Publications'],
  );
  assert.deepEqual(
    name!.items[0]!.items[0]!.items.map(({ title }: { title: string }) => title),
    ['Staff Software Engineer', 'Senior Software Engineer'],
  );
});

test('the JSON of the resume is attached byte for byte, with a description', async () => {
  const json = '{"name":"Zoë 漢字 \u{1f600}","skills":["#panic"]}';
  const { pdf } = await render(sample, json);
  const attached = [...(await pdf.getAttachments())!.entries()];
  assert.deepEqual(
    attached.map(([, { filename, description }]) => [filename, description]),
    [
      ['profile.json', 'This resume as a profile'],
      ['resume.json', 'This resume as JSON'],
    ],
  );
  assert.equal(Buffer.from((await pdf.getAttachmentContent('resume.json'))!).toString(), json);
});

test('equal profiles are rendered to the same bytes', async () => {
  const { pdf } = await openResumeRenderer(plain)(structuredClone(sample), '{}');
  assert.equal(hash('sha256', pdf), hash('sha256', rendered.bytes));
});

test('a section without data has no heading', async () => {
  const { pages } = await render({ ...sample, experience: [], projects: [], resume: { skills: [] } });
  assert.deepEqual(pages[0]!.lines.slice(0, 3), [
    'Dr. Lena Vasquez',
    'Staff Software Engineer, Distributed Systems',
    'San Francisco, California',
  ]);
  assert.match(pages[0]!.lines.at(-1)!, /systems healthy\.$/);
});

test('an entry is rendered with only its required fields', async () => {
  const [job] = sample.experience;
  const { pages } = await render({
    ...sample,
    experience: [
      { ...job!, roles: [{ ...job!.roles[0]!, accomplishments: [] }] },
      { ...job!, roles: [] },
    ],
    projects: [{ id: 'p', name: 'Project', summary: 'What it is.', links: {} }],
    resume: {
      skills: ['Skill'],
      links: [],
      education: [{ institution: 'School' }],
      certifications: [{ name: 'Certificate' }],
      languages: [{ language: 'Language' }],
      publications: [{ name: 'Publication' }],
    },
  });
  const { lines } = pages[0]!;
  assert.deepEqual(
    lines.slice(lines.indexOf('Experience')).filter((line) => line !== ''),
    [
      'Experience',
      'Confluent Feb 2020 – present',
      'Technical lead for the multi-region replication and tiered-storage initiatives.',
      'Staff Software Engineer Apr 2022 – present',
      'Confluent Feb 2020 – present',
      'Technical lead for the multi-region replication and tiered-storage initiatives.',
      ...['Projects', 'Project', 'What it is.', 'Skills', 'Skill', 'Education', 'School'],
      ...['Certifications', 'Certificate', 'Languages', 'Language', 'Publications', 'Publication'],
    ],
  );
});

test('text that looks like markup is rendered literally', async () => {
  const name = '#panic("x") *bold* _it_ $x^2$ `raw` @ref <label> = a // b /* c */ \\ [d] { } ~ "quoted"';
  assert.ok((await render(called(name))).text.startsWith(`${name} Staff`));
});

test('characters without a glyph, and what is left of lost ones, are left out and reported, no others', async () => {
  const { text, missingGlyphs } = await render(
    called('Zoë \u{13000} 한국 \0 \ufffd \ud800 Ωμέγα Юлия, x\u0dca, N. Sans fi ffl'),
  );
  assert.match(text, /^Zoë Ωμέγα Юлия, x, N\. Sans fi ffl /);
  assert.deepEqual(missingGlyphs, ['\0', '\u0dca', '국', '한', '\u{13000}', '\ufffd']);
});

test('a profile that Typst cannot compile is refused in one line that says where', async () => {
  const rendering = render({ ...sample, resume: { ...sample.resume, language: 'german' } });
  await assert.rejects(rendering, {
    message: /^layout\.typ:\d+:\d+: expected two or three letter language code[^\n]*$/,
  });
});
