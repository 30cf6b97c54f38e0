import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PdfStyle } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import { themes } from 'resume-profile/resume-design';
import { rendererOf, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { scaled } from '../../support/figures.ts';
import { type Random, randomOf } from '../../support/random.ts';

/** A text of at most so many words. All but the first are in lower case, so that a line shows whether it continues another. */
const text = ({ below, pick }: Random, most: number) =>
  ['Text', ...Array.from({ length: below(most) }, () => pick(['a', 'of', 'three', 'within', 'measurements']))].join(
    ' ',
  );

const texts = (random: Random, most: number) =>
  Array.from({ length: random.below(most) }, () => text(random, random.isOneIn(3) ? 70 : 18));

/** A name that begins with Above if there are texts to be printed below it. */
const named = (name: string, below: readonly string[]) => (below.join('') === '' ? name : `Above ${name}`);

/** A job with none to three roles, whose lists are short or long. */
function jobOf(random: Random, index: number): Profile['experience'][number] {
  const { below, isOneIn } = random;
  const from = 2021 - below(4);
  const roles = Array.from({ length: Math.min(2021 - from, 3) }, (_, role) => {
    const accomplishments = texts(random, isOneIn(6) ? 25 : 7);
    const period = { start_date: `${from}-01-01`, end_date: '2020-12-31' };
    return { title: named(`Role ${index}-${role}`, accomplishments), ...period, accomplishments };
  });
  // A line about the company does not suffice below it, if roles follow.
  const short = roles.length > 1 ? 'Above roles' : 'Text';
  const summary = isOneIn(2) ? '' : isOneIn(2) ? short : text(random, isOneIn(4) ? 120 : 30);
  if (roles.length === 1) roles[0]!.title = named(`Role ${index}`, [summary, ...roles[0]!.accomplishments]);
  return {
    id: `job-${index}`,
    company: named(`Company ${index}`, [summary, ...roles.map(({ title }) => title)]),
    ...{ company_start_date: `${from}-01-01`, company_end_date: '2020-12-31', current: false },
    summary,
    roles,
  };
}

/** A profile of 1 to 40 jobs, and further sections of each kind. */
function profileOf(seed: number): Profile {
  const random = randomOf(seed);
  const { below, isOneIn } = random;
  const entries = Array.from({ length: below(6) }, (_, index) => {
    const [summary, highlights] = [text(random, 40), texts(random, 5)];
    return { name: named(`Talk ${index}`, [summary]), date: '2020', summary, highlights };
  });
  return {
    ...sample,
    candidate: { ...sample.candidate, summary: text(random, 150) },
    experience: Array.from({ length: 1 + below(isOneIn(3) ? 40 : 12) }, (_, index) => jobOf(random, index)),
    resume: {
      ...sample.resume,
      sections: [
        { title: 'Above talks', entries },
        { title: 'Above notes', entries: texts(random, 12).map((bullet) => ({ bullet })) },
        { title: 'Above remarks', entries: texts(random, 5).map((text) => ({ text })) },
      ],
      awards: Array.from({ length: below(20) }, (_, index) => ({ title: `Award ${index}`, date: '2020' })),
    },
  };
}

const headings =
  /^(Above .*|Experience|Projects|Skills|Education|Certifications|Languages|Publications|Awards|raft-lab|Bounded-staleness store|.*(ACM Queue|USENIX OSDI|Ph\.D\.).*)$/;

/** The lines that stand alone at the end or the beginning of a page. */
function strandedIn(pages: readonly { lines: readonly string[] }[]): string[] {
  const bodies = pages.map(({ lines }) => lines.filter((line) => line !== '' && !line.includes('· page ')));
  const last = bodies.slice(0, -1).map((lines) => lines.at(-1)!);
  // A line that ends a list or a paragraph is followed by one that is not of it.
  const first = bodies.slice(1).filter(([line, next = 'End']) => /^(•|[a-z])/.test(line!) && /^[A-Z]/.test(next));
  return [...last.filter((line) => headings.test(line)), ...first.map(([line]) => line!)];
}

for (const theme of themes)
  for (const paper of ['a4', 'us-letter'] satisfies PdfStyle['paper'][])
    test(`${theme}, ${paper}: no heading, company or role ends a page, and no page begins with the last line of a list`, async () => {
      const render = rendererOf({ theme, paper });
      for (let seed = 1; seed <= scaled(8, 2); seed++) {
        const { pages } = await render(profileOf(seed));
        assert.deepEqual(strandedIn(pages), [], `seed ${seed}`);
      }
    });

test('three lines of skills are printed on one page', async () => {
  const skill_groups = ['One', 'Two', 'Three'].map((name) => ({ name, skills: ['Skill'] }));
  const render = rendererOf();
  for (let count = 18; count <= 30; count++) {
    const accomplishments = Array.from({ length: count }, (_, index) => `Text ${index}`);
    const { pages } = await render({
      ...sample,
      experience: [{ ...sample.experience[0]!, roles: [{ ...sample.experience[0]!.roles[0]!, accomplishments }] }],
      resume: { ...sample.resume, skill_groups, order: ['experience', 'skills'] },
    });
    const lines = pages.map(({ lines }) => lines.filter((line) => line.endsWith(': Skill')).length);
    assert.deepEqual(lines.toSorted(), pages.length === 1 ? [3] : [0, 3], `${count} lines above`);
  }
});
