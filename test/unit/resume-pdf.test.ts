import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import { readProfile } from '../../src/adapters/profile-file.ts';
import { openResumePdf } from '../../src/adapters/resume-pdf.ts';
import { samplePath } from '../../src/config.ts';
import type { Profile } from '../../src/model/profile-document.ts';

const sample = readProfile(samplePath).profile!;
const pdfOf = openResumePdf();

const called = (name: string): Profile => ({ ...sample, candidate: { ...sample.candidate, name } });

// Lines break anywhere, so words are looked for without white space.
const squeeze = (text: string) => text.replace(/\s/g, '');

/** The PDF as a reader opens it. */
async function opened(profile: Profile) {
  const pdf = await getDocumentProxy(new Uint8Array(await pdfOf(profile)));
  const { text } = await extractText(pdf, { mergePages: true });
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, index) => pdf.getPage(index + 1)));
  const annotations = (await Promise.all(pages.map((page) => page.getAnnotations()))).flat();
  return { pdf, pages, text: squeeze(text), links: annotations.map(({ url }) => url as string) };
}

/** Every text in a value, but for ids, dates and addresses. */
function textsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return /^(id|url|github|live|details|.*date)$/.test(key) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, child]) => textsIn(child, Array.isArray(value) ? key : inner));
}

test('the printed resume holds every text of the profile that belongs in it, dates in words and every link', async () => {
  const { domains: _, ...candidate } = sample.candidate;
  const { experience, projects, resume } = sample;
  const texts = textsIn([candidate, experience, projects, resume]);
  const { text, links } = await opened(sample);
  assert.equal(texts.length, 73);
  assert.deepEqual(
    texts.filter((expected) => !text.includes(squeeze(expected))),
    [],
  );
  for (const dates of ['Apr2022–present', 'Jun2015–Aug2017', 'Sep2006–Jun2011', 'Mar2019'])
    assert.ok(text.includes(dates), dates);
  assert.deepEqual(links.slice(0, 8), [
    'mailto:lena.vasquez@example.com',
    'tel:4155550117',
    'https://lenavasquez.example.com/',
    'https://github.com/lvasquez',
    'https://hachyderm.io/@lena',
    'https://www.linkedin.com/in/lena-vasquez-eng',
    'https://github.com/lvasquez/raft-lab',
    'https://www.utexas.edu/',
  ]);
});

test('the printed resume is tagged and says its title, author and language', async () => {
  const { pdf, pages } = await opened(sample);
  const { Title, Author, Language } = (await pdf.getMetadata()).info as Record<string, unknown>;
  assert.deepEqual([Title, Author, Language], ['Dr. Lena Vasquez – Resume', 'Dr. Lena Vasquez', 'en']);
  assert.equal((await pdf.getMarkInfo())?.Marked, true);
  const roles = new Set(JSON.stringify(await pages[0]!.getStructTree()).match(/(?<="role":")[^"]+/g));
  for (const role of ['H1', 'H2', 'H3', 'H4', 'P', 'L', 'Link']) assert.ok(roles.has(role), role);
});

test('one profile is printed once, and an equal one to the same bytes', async () => {
  assert.equal(await pdfOf(sample), await pdfOf(sample));
  const again = await openResumePdf()(structuredClone(sample));
  assert.notEqual(again, await pdfOf(sample));
  assert.deepEqual(again, await pdfOf(sample));
});

test('what is absent leaves no heading behind', async () => {
  const { text } = await opened({ ...sample, projects: [], resume: { skills: [] } });
  assert.ok(text.includes('Experience'));
  for (const heading of ['Projects', 'Skills', 'Education', 'Certifications', 'Languages', 'Publications'])
    assert.ok(!text.includes(heading), heading);
});

test('text that looks like markup is printed as it is', async () => {
  const name = '#panic("x") *bold* _it_ $x^2$ `raw` @ref <label> = a // b /* c */ \\ [d] { } ~ "quoted"';
  const { text } = await opened(called(name));
  assert.ok(text.includes(squeeze(name)));
});

test('characters without a glyph are shown as replaced, and nothing else is', async () => {
  const { text } = await opened(
    called('Zoë \u{1f600} 漢字 \0 \ufeff \ud800 Ωμέγα Юлия, 1\ufe0f\u20e3 of 10 x\u20dd, N. Sans'),
  );
  assert.match(text, /^Zoë\ufffd\ufffd\ufffd\ufffd/);
  assert.match(text, /ΩμέγαЮлия,1\ufffd\ufffdof10x\ufffd,N\.Sans/);
});

test('a profile that Typst cannot print is refused with its words, in one line', async () => {
  const pdf = pdfOf({ ...sample, experience: [{ ...sample.experience[0]!, company_start_date: '2020-xx-01' }] });
  await assert.rejects(pdf, ({ message }: Error) => /invalid/.test(message) && !message.includes('\n'));
});
