import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Profile } from 'resume-profile/profile-document';
import { OPS } from 'unpdf/pdfjs';
import { rendererOf, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { everySectionPath } from '../../support/files.ts';

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
  // The address makes the column wider, 6.4 cm at most.
  const [from, until] = [34, 34 + 181];
  for (const item of items)
    if ('str' in item && item.transform[4] < until && item.str.trim() !== '')
      assert.ok(item.transform[4] >= from - 1 && item.transform[4] + item.width <= until + 1, item.str);
});

test('an address is never divided, so that a program reads the whole of it, nor too small to read', async () => {
  for (const email of [
    'elena.marchetti@boku.example.edu',
    'firstname.lastname@subdomain.company-name.example',
    'katharina.von.hohenberg-lindstroem@distributed-systems.example.org',
    `${'a-very-long-local-part.'.repeat(2)}of@a-department.of-a-university.example`,
  ]) {
    const links = [{ url: 'https://www.linkedin.com/in/lucas-andersen-of-denmark' }];
    const { pages } = await sidebar(withJobs(1, { email, links }));
    assert.ok(pages[0]!.lines.includes(email), pages[0]!.lines.slice(0, 8).join('\n'));
    assert.ok(pages[0]!.lines.includes('linkedin.com/in/lucas-andersen-of-denmark'));
    const { items } = await pages[0]!.page.getTextContent();
    const sizes = items.flatMap((item) =>
      'str' in item && item.str.includes('@') ? [item.transform[0] as number] : [],
    );
    assert.ok(Math.min(...sizes) >= 7, `${email}: ${sizes} points`);
  }
});

test('the pages that follow the first have their whole width for the text, and no tint', async () => {
  const { pages } = await sidebar(withJobs(20));
  const leftOf = async (index: number) => {
    const { items } = await pages[index]!.page.getTextContent();
    return Math.round(Math.min(...items.map((item) => ('str' in item && item.str.trim() ? item.transform[4] : 999))));
  };
  for (const index of pages.keys()) assert.equal(await leftOf(index), 34);
  const hasTint = async (index: number) =>
    JSON.stringify(await pages[index]!.page.getOperatorList()).includes('#eef2f6');
  assert.deepEqual(await Promise.all(pages.map((_, index) => hasTint(index))), [
    true,
    ...pages.slice(1).map(() => false),
  ]);
});

test('the tint is as wide as margin and column, and the column wider for a long address, 6.4 cm at most', async () => {
  const widthWith = async (resume: Partial<Profile['resume']>) => {
    const { fnArray, argsArray } = await (await sidebar(withJobs(1, resume))).pages[0]!.page.getOperatorList();
    const tint = argsArray.findIndex((args) => args?.[0] === '#eef2f6');
    const path = fnArray.findIndex((operator, index) => index > tint && operator === OPS.constructPath);
    const [left, , right] = argsArray[path][2] as number[];
    return Math.round(right! - left!);
  };
  // 4.8 cm of column, 1.2 cm of margin and 0.6 cm of gap are 187 points.
  assert.deepEqual(
    [
      await widthWith({}),
      await widthWith({ margins: 'wide' }),
      await widthWith({ margins: 'narrow' }),
      await widthWith({ email: 'elena.marchetti.of.the.rivers@boku.example.edu' }),
      await widthWith({ email: 'firstname.lastnames@subdomain.company-name.example' }),
    ],
    [187, 197, 179, 202, 232],
  );
});

test('an entry longer than the rest of the first page is continued on the next, and nothing is lost', async () => {
  const [job] = sample.experience;
  const accomplishments = Array.from({ length: 90 }, (_, index) => `Accomplishment number ${index} of a long career`);
  const long = { ...job!, roles: [{ ...job!.roles[0]!, accomplishments }] };
  const { pages, text } = await sidebar({ ...withJobs(3), experience: [...withJobs(2).experience, long] });
  assert.match(pages[0]!.lines.join(' '), /Accomplishment number 0 of/);
  for (const accomplishment of accomplishments) assert.equal(text.split(accomplishment).length, 2, accomplishment);
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
