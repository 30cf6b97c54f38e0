import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProfile } from '../../src/adapters/profile/profile-file.ts';
import type { Profile } from '../../src/model/profile/profile-document.ts';
import { everySectionPath } from '../support/files.ts';
import { rendererOf, sample } from './rendered.ts';

const sidebar = rendererOf({ theme: 'sidebar' });

/** The sample with jobs for several pages, and something else under `resume`. */
const withJobs = (count: number, resume: Partial<Profile['resume']> = {}): Profile => ({
  ...sample,
  experience: Array.from({ length: count }, (_, index) => ({ ...sample.experience[0]!, company: `Company ${index}` })),
  resume: { ...sample.resume, ...resume },
});

test('the side column is read first, ends on the first page, and leaves the rest as one text', async () => {
  const { pages } = await sidebar(withJobs(20));
  assert.ok(pages.length > 2);
  const texts = pages.map(({ lines }) => lines.join(' '));
  const found = ['Dr. Lena Vasquez', 'Skills', 'Languages', 'Certifications', 'Staff engineer with', 'Company 0'].map(
    (text) => texts[0]!.indexOf(text),
  );
  assert.deepEqual(
    found,
    found.toSorted((one, other) => one - other),
  );
  assert.ok(found[0] === 0);
  for (const text of texts.slice(1)) assert.doesNotMatch(text, /Skills|Languages|Certifications/);
});

test('a section that does not fit beside the first page is printed among the others', async () => {
  const skills = Array.from({ length: 120 }, (_, index) => `Skill of some length ${index}`);
  const { pages, text } = await sidebar(withJobs(1, { skills }));
  const at = (words: string) => text.indexOf(words);
  assert.ok(at('Languages') < at('Experience') && at('Experience') < at('Skills') && at('Skills') < at('Education'));
  assert.equal(pages.length, 2);
  assert.equal(text.match(/Skill of some length 119/g)?.length, 1);
});

test('words and addresses wider than the side column are set smaller or divided, and stay in it', async () => {
  const resume = {
    email: 'firstname.lastname@subdomain.company-name.example',
    links: [
      { url: 'https://www.linkedin.com/in/a-long-name-of-someone' },
      {
        label: 'A label of several words for an address that nobody can read',
        url: `https://a.example/${'%C3'.repeat(30)}`,
      },
    ],
    skills: ['Elektrizitätswirtschaftsorganisationsgesetz', 'Event-driven-architectures-and-services', 'W'.repeat(39)],
  };
  const profile = withJobs(1, resume);
  const name = 'Wolfeschlegelsteinhausenbergerdorff Papadopoulos-Konstantinidis';
  const { pages } = await sidebar({ ...profile, candidate: { ...profile.candidate, name } });
  const { items } = await pages[0]!.page.getTextContent();
  const [from, until] = [34, 34 + 136];
  for (const item of items)
    if ('str' in item && item.transform[4] < until && item.str.trim() !== '')
      assert.ok(item.transform[4] >= from - 1 && item.transform[4] + item.width <= until + 1, item.str);
});

test('a last page of a few lines is saved by tighter space beside a column, too', async () => {
  const { pages, text } = await sidebar(readProfile(everySectionPath).profile!);
  assert.equal(pages.length, 1);
  assert.match(text, /Nora notices what others measure past\./);
});

test('a place that does not fit on the line of its entry begins the next, without a separator', async () => {
  const [job] = withJobs(1).experience;
  const lines = async (company: string) => {
    const { pages } = await sidebar({ ...withJobs(1), experience: [{ ...job!, company, location: 'Delft' }] });
    return pages.flatMap((page) => page.lines);
  };
  assert.ok((await lines('Mill')).some((line) => line.includes('Mill · Delft')));
  const broken = await lines(`The Institute of ${'Long '.repeat(7)}Names`);
  assert.ok(broken.includes('Delft'), broken.join('\n'));
  assert.deepEqual(
    broken.filter((line) => /^·|·$/.test(line)),
    [],
  );
});
