import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Profile } from 'resume-profile/profile-document';
import { called, rendererOf, sample } from './rendered.ts';

const classic = rendererOf();

/** The sample with jobs of two roles each; every role has as many accomplishments, some of two lines. */
function withJobs(jobs: number, accomplishments: number, summary = 'Summary.'): Profile {
  const [job] = sample.experience;
  const experience = Array.from({ length: jobs }, (_, index) => {
    const years = { start_date: `${2020 - index}-01-01`, end_date: `${2020 - index}-12-31` };
    const roles = ['A', 'B'].map((letter) => ({
      ...years,
      title: `Role ${index}${letter}`,
      accomplishments: Array.from(
        { length: accomplishments },
        (_, at) => `Done ${at} ${'word '.repeat(at % 3 ? 9 : 25)}.`,
      ),
    }));
    return {
      ...job!,
      company: `Company ${index}`,
      summary: `About ${index}.`,
      roles,
      company_end_date: years.end_date,
    };
  });
  return { ...sample, candidate: { ...sample.candidate, summary }, experience, resume: { skills: ['Typesetting'] } };
}

test('profiles take the pages they need, numbered from the second on', async () => {
  for (const [jobs, accomplishments, count] of [
    [2, 2, 1],
    [4, 3, 2],
    [13, 6, 6],
  ] as const) {
    const { pages } = await classic(withJobs(jobs, accomplishments));
    assert.equal(pages.length, count);
    assert.deepEqual(
      pages.map(({ lines }) => lines.filter((line) => line.includes('· page'))),
      pages.map((_, index) => (index === 0 ? [] : [`Dr. Lena Vasquez · page ${index + 1} of ${count}`])),
    );
  }
});

test('a document that is a few lines too long for a page is set tighter, a longer one is not', async () => {
  for (const [lines, count] of [
    [4, 1],
    [10, 1],
    [20, 2],
  ] as const) {
    const profile = withJobs(2, 4, 'Line.\n'.repeat(lines));
    assert.equal((await classic({ ...profile, projects: [] })).pages.length, count, `${lines} lines`);
  }
});

test('no page ends with a heading, nor begins with the last line of a list', async () => {
  const heading =
    /^(Company \d|Role \d[AB]|Experience|Projects|Skills|Education|Certifications|Languages|Publications)\b/;
  for (let lines = 1; lines <= 6; lines++) {
    const { pages } = await classic(withJobs(5, 7, 'Line.\n'.repeat(lines)));
    for (const [index, { lines: shown }] of pages.entries()) {
      const body = shown.filter((line) => !line.includes('· page') && line !== '');
      if (index < pages.length - 1) assert.doesNotMatch(body.at(-1)!, heading);
      if (index > 0) assert.doesNotMatch(body[0]!, /^(• )?Done 6/);
    }
  }
});

test('no page begins with the last line of the skills', async () => {
  const skill_groups = [1, 2, 3, 4].map((number) => ({ name: `Group ${number}`, skills: ['Go', 'SQL'] }));
  const first = [];
  const awards = Array.from({ length: 40 }, (_, index) => ({ title: `Award ${index}` }));
  for (let lines = 27; lines <= 32; lines++) {
    const profile = withJobs(1, 2, 'Line.\n'.repeat(lines));
    const { pages } = await classic({ ...profile, projects: [], resume: { ...profile.resume, skill_groups, awards } });
    first.push(...pages.slice(1).flatMap((page) => page.lines[0] ?? []));
  }
  assert.ok(first.includes('Group 3: Go, SQL'), first.join('\n'));
  assert.ok(!first.includes('Group 4: Go, SQL'));
});

test('a title of 200 characters, with or without spaces, stays within the margins', async () => {
  const wide = 'x'.repeat(200);
  const long = 'Principal Staff Software Engineer and Director '.repeat(5).slice(0, 200);
  for (const title of [wide, long]) {
    const [job] = sample.experience;
    const profile: Profile = {
      ...called(title),
      experience: [{ ...job!, company: title, roles: [{ ...job!.roles[0]!, title }] }],
    };
    const { pages, text } = await classic(profile);
    const squeezed = title.replaceAll(' ', '');
    assert.ok(text.replaceAll(' ', '').split(squeezed).length > 3);
    const { items } = await pages[0]!.page.getTextContent();
    for (const item of items) if ('str' in item) assert.ok(item.transform[4] + item.width <= 595 - 59, item.str);
  }
});

test('names in Hebrew and Chinese are rendered if a font has the glyphs', async () => {
  for (const theme of ['classic', 'modern'] as const) {
    const { text, missingGlyphs } = await rendererOf({ theme })(called('נועה לוי'));
    assert.match(text, /^נועה ?לוי Staff/);
    assert.deepEqual(missingGlyphs, []);
  }
  const fontDir = fileURLToPath(new URL('../fonts', import.meta.resolve('@embedpdf/fonts-sc')));
  const chinese = await rendererOf({ fontDir })(called('李明 (Li Ming)'));
  assert.ok(chinese.text.startsWith('李明 (Li Ming) Staff'));
  assert.deepEqual(chinese.missingGlyphs, []);
});

test('the paper is A4 or US Letter', async () => {
  assert.deepEqual((await classic(sample)).pages[0]!.page.view, [0, 0, 595.2756, 841.8898]);
  assert.deepEqual((await rendererOf({ paper: 'us-letter' })(sample)).pages[0]!.page.view, [0, 0, 612, 792]);
});
