import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { renderCv } from '../../../src/formats/import/readers/rendercv.ts';
import { readTree } from '../../../src/formats/import/source/tree.ts';
import { assertAccounted } from './accounting.ts';
import { assertExpected } from './expected.ts';

const importText = (text: string) => assertAccounted(() => readTree(text), renderCv);
const importSections = (sections: object) => {
  const { yaml, lossReport } = importText(JSON.stringify({ cv: { name: 'Ada Byron', sections } }));
  return { profile: parse(yaml), lossReport };
};

for (const path of ['rendercv-sample.yaml', 'import/rendercv-hard.yaml'])
  test(`${path} gives the expected profile and loss report`, () => {
    assertExpected(path, renderCv);
  });

test('each of the nine types of entry is recognised by its fields, whatever the title of its section', () => {
  const { profile, lossReport } = importSections({
    A: [{ company: 'Acme', position: 'Engineer', start_date: 2020 }],
    B: [{ institution: 'MIT', area: 'Mathematics' }],
    C: [{ title: 'On Engines', authors: ['Ada Byron'] }],
    my_projects: [{ name: 'Loom' }, { bullet: 'Tiny' }, { number: 'Second' }, { reversed_number: 'Third' }, 'Fourth'],
    Skills: [{ label: 'Systems', details: 'Linux' }],
  });
  assert.equal(profile.experience[0].company, 'Acme');
  assert.equal(profile.resume.education[0].institution, 'MIT');
  assert.equal(profile.resume.publications[0].name, 'On Engines');
  assert.deepEqual(
    profile.projects.map(({ name }: { name: string }) => name),
    ['Loom', 'Tiny', 'Second', 'Third', 'Fourth'],
  );
  assert.deepEqual(profile.resume.skills, ['Linux']);
  assert.deepEqual(lossReport.notCarriedOver, [
    {
      where: 'cv.sections.Skills[0].label',
      value: 'Systems',
      why: 'The profile lists skills and languages without groups',
    },
  ]);
});

for (const [markdown, plain] of [
  ['**bold**, *italic*, ***both***, __bold__ and _italic_', 'bold, italic, both, bold and italic'],
  ['*a **b** c* and **a *b* c**', 'a b c and a b c'],
  ['`code *as* is` and ~~gone~~', 'code *as* is and gone'],
  ['see [**the** docs](https://docs.example/a_(b) "title")', 'see the docs'],
  ['at <https://a.example/_x_> or [a.example](https://a.example)', 'at https://a.example/_x_ or a.example'],
  ['snake_case_name, 2 * 3 * 4, C* and D*, **open', 'snake_case_name, 2 * 3 * 4, C* and D*, **open'],
  ['\\*starred\\* [brackets] (parentheses)', '*starred* [brackets] (parentheses)'],
  ['Moved 40 services - no downtime - on budget', 'Moved 40 services: no downtime; on budget'],
  ['Two goals:\n- speed\n- safety', 'Two goals: speed; safety'],
  ['From 2019 - 2021 a well-known lead', 'From 2019 - 2021 a well-known lead'],
] as const)
  test(`the highlight ${JSON.stringify(markdown)} reads ${JSON.stringify(plain)}`, () => {
    const { profile } = importSections({ Work: [{ company: 'Acme', position: 'Engineer', highlights: [markdown] }] });
    assert.deepEqual(profile.experience[0].roles[0].accomplishments, [plain]);
  });

test('the address of a link is kept if the profile has a field for it; otherwise the loss report says that it is left out', () => {
  const link = '[Loom](https://loom.example)';
  const { profile, lossReport } = importSections({
    projects: [{ name: link }],
    work: [{ company: link, position: 'Weaver' }],
  });
  assert.deepEqual(profile.projects[0].links, { live: 'https://loom.example' });
  assert.equal(profile.experience[0].company, 'Loom');
  assert.deepEqual(
    lossReport.changed.map(({ how }) => how),
    ['Markdown removed; the address of its link used', 'Markdown removed; its link to https://loom.example left out'],
  );
});

test('text full of unclosed Markdown can be imported', () => {
  for (const markup of ['*a ', '[', '[a](', '`', '_a ', '**a', '[a](<', '\\', '*_', '[a]( ', ' - '])
    importSections({ about: [markup.repeat(1000)] });
});
