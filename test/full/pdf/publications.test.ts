import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Profile } from 'resume-profile/profile-document';
import { themes } from 'resume-profile/resume-design';
import { rendererOf, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';

// biome-ignore format: a table
const authors = [
  'Katja Brenner', 'Chiara Lombardi', 'Amina Yusuf', 'Robert J. MacAllister', 'Wei-Lun Chen', 'Ingrid Solheim',
];

/** A profile that has nothing but a name and what the resume has under some keys. */
const under = (resume: Partial<Profile['resume']>): Profile => ({
  ...sample,
  candidate: { ...sample.candidate, title: '', location: '', summary: '', domains: [] },
  experience: [],
  projects: [],
  resume: { skills: [], ...resume },
});

async function linesOf(profile: Profile, theme: (typeof themes)[number] = 'classic'): Promise<string[]> {
  const { pages } = await rendererOf({ theme })(profile);
  return pages.flatMap(({ lines }) => lines.filter((line) => line !== ''));
}

const publications = [
  { name: 'Second', date: '2019-10', url: 'https://doi.org/10.1029/2020WR028752', authors: ['K. Brenner'] },
  { name: 'Note', url: 'https://dx.doi.org/10.1000/182' },
  { name: 'Third', date: '2021' },
  { name: 'First', date: '2019-02', url: 'https://journal.example/first', publisher: 'Press' },
];

test('the DOI of a publication is printed as an address that can be read and followed', async () => {
  const { pages, text } = await rendererOf()(under({ publications }));
  assert.match(
    text,
    /Second Oct 2019 K\. Brenner · doi\.org\/10\.1029\/2020WR028752 Note dx\.doi\.org\/10\.1000\/182 Third/,
  );
  const doi = 'https://doi.org/10.1029/2020WR028752';
  assert.equal(pages[0]!.links.filter((url) => url === doi).length, 2);
  assert.ok(!text.includes('journal.example'));
});

test('publications are numbered in their order if the profile says so', async () => {
  const [, ...lines] = await linesOf(under({ publications, publication_style: 'numbered' }));
  assert.deepEqual(
    lines.filter((line) => /^\d/.test(line)),
    ['1. Second Oct 2019', '2. Note', '3. Third 2021', '4. First, Press Feb 2019'],
  );
});

test('publications are listed below their years, the latest first, if the profile says so', async () => {
  for (const theme of themes) {
    const lines = await linesOf(under({ publications, publication_style: 'by_year' }), theme);
    const titles = lines.filter((line) => /^(20\d\d$|Second|Note|Third|First)/.test(line));
    assert.deepEqual(titles, ['2021', 'Third 2021', '2019', 'Second Oct 2019', 'First, Press Feb 2019', 'Note'], theme);
  }
});

test('no line ends or begins with a separator, whatever does not fit on it', async () => {
  const works = ['Water', 'Journal of Hydrology', 'Hydrology and Earth System Sciences Discussions'].flatMap(
    (publisher) =>
      authors.map((_, count) => ({
        ...{ name: `Of ${count} rivers`, publisher, authors: authors.slice(0, count + 1) },
        url: 'https://doi.org/10.1029/2020WR028752',
      })),
  );
  const details = Array.from({ length: 40 }, (_, index) => `Course${index}`);
  const tags = Array.from({ length: 12 }, (_, index) => `A tag of some length ${index}`);
  const project = {
    ...sample.projects[0]!,
    tags,
    links: { live: 'https://live.example', github: 'https://github.com/a/b' },
  };
  for (const theme of themes) {
    const education = [{ institution: 'Academy', details }];
    const lines = await linesOf({ ...under({ publications: works, education }), projects: [project] }, theme);
    assert.deepEqual(
      lines.filter((line) => /^[·|]|[·|]$/.test(line)),
      [],
      theme,
    );
    for (const detail of details) assert.match(lines.join(' '), new RegExp(`\\b${detail}\\b`));
  }
});

test('a grade that is a number has a label in the language of the resume, one in words has none', async () => {
  const education = ['3.9/4.0', 'passed with distinction'].map((score) => ({ institution: 'Academy', score }));
  assert.deepEqual((await linesOf(under({ education, language: 'de' }))).slice(1), [
    ...['Ausbildung', 'Academy', 'Note: 3.9/4.0', 'Academy', 'passed with distinction'],
  ]);
});

test('the name of a role is nearer to its own text than to that of the role above, in each theme', async () => {
  const role = { start_date: '2020-01-01', end_date: '2021-01-01', accomplishments: ['Wrote the plan', 'Kept to it'] };
  const job = {
    ...sample.experience[0]!,
    summary: '',
    roles: ['Head', 'Deputy'].map((title) => ({ ...role, title })),
  };
  for (const theme of themes) {
    const { pages } = await rendererOf({ theme })({ ...under({}), experience: [job] });
    const { items } = await pages[0]!.page.getTextContent();
    const at = (words: string) =>
      items.flatMap((item) => ('str' in item && item.str.startsWith(words) ? [item.transform[5] as number] : []));
    const [above, name, below] = [at('Kept')[0]!, at('Deputy')[0]!, at('Wrote')[1]!];
    assert.ok(above - name >= (name - below) * 1.2, `${theme}: ${above - name} above, ${name - below} below`);
  }
});
