import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { arranged } from '../../../src/surfaces/web/desk/editor/arrangement.ts';
import { type DocumentValues, readValues } from '../../../src/surfaces/web/desk/editor/document-values.ts';
import { fieldsByPath, isUnshown } from '../../../src/surfaces/web/desk/editor/fields.ts';
import { type FormEntries, readEntries, toEntries } from '../../../src/surfaces/web/desk/editor/form-entries.ts';
import { labelOf } from '../../../src/surfaces/web/desk/editor/labels.ts';
import { toFormEntries, withPart } from '../../../src/surfaces/web/desk/editor/part-values.ts';
import { parts } from '../../../src/surfaces/web/desk/editor/parts.ts';

const schema = JSON.parse(readFileSync('profile.schema.json', 'utf8')) as object;

/** The paths of all keys in a JSON Schema, whatever it wraps them in. */
function keysIn(node: unknown, parent: string): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => keysIn(one, parent));
  if (typeof node !== 'object' || node === null) return [];
  const { properties = {}, ...rest } = node as { properties?: object };
  const inner = Object.entries(properties).flatMap(([key, schema]) => {
    const path = parent === '' ? key : `${parent}.${key}`;
    return [path, ...keysIn(schema, path)];
  });
  return [...inner, ...Object.values(rest).flatMap((one) => keysIn(one, parent))];
}

describe('Every key of the profile', () => {
  const keys = [...new Set(keysIn(schema, ''))];

  test('has a field with a label in one form', () => {
    assert.equal(keys.length, 188);
    // Texts can be objects that name the views that show them.
    const isOfText = (key: string) => /\.(accomplishments|highlights|details)\.text$/.test(key);
    const written = keys.filter(
      (key) => !key.startsWith('views') && !isOfText(key) && !isUnshown(key.split('.').at(-1)!, key),
    );
    assert.deepEqual([...fieldsByPath().keys()].toSorted(), written.toSorted());
    for (const key of written) assert.match(labelOf(key).label, /^[A-Z]/, key);
  });

  test('is in exactly one form', () => {
    const paths = parts.flatMap((part) => part.paths);
    for (const { path, kind } of fieldsByPath().values()) {
      const forms = paths.filter((one) => path === one || path.startsWith(`${one}.`));
      const isDivided = kind === 'group' && paths.some((one) => one.startsWith(`${path}.`));
      assert.equal(forms.length, isDivided ? 0 : 1, path);
    }
  });
});

describe('A form that is sent as it was shown', () => {
  for (const path of globSync('{profile.example.yaml,test/fixtures/**/*.yaml,examples/**/*.yaml}')) {
    const document = readValues(readFileSync(path, 'utf8'));
    // A form gives a document without a resume one with a list of skills, which it needs.
    if (document?.candidate === undefined || document.resume === undefined) continue;
    test(`changes nothing in ${path}`, () => {
      for (const part of parts) {
        const places: readonly (number | null)[] = part.isByEntry
          ? [...(document.experience as object[]).keys()]
          : [null];
        for (const entry of places) {
          const place = { part, entry };
          assert.deepEqual(withPart(place, toFormEntries(place, document), document), document);
        }
      }
    });
  }
});

describe('What is typed into a form', () => {
  const work = [
    {
      id: 'exp_acme',
      company: 'Acme',
      company_start_date: 2018,
      company_end_date: null,
      current: true,
      summary: 'Rockets.\n',
      roles: [
        { title: 'Lead', start_date: '2020-03', accomplishments: ['Led.\n', 'Hired.'] },
        { title: 'Engineer', start_date: 2018, end_date: '2020-02', accomplishments: [] },
      ],
    },
  ];
  const experience = parts.find(({ name }) => name === 'experience')!;
  const education = parts.find(({ name }) => name === 'education')!;
  const sent = (changes: Record<string, readonly string[]>, document: DocumentValues = { experience: work }) => {
    const place = { part: experience, entry: 0 };
    const entries = new Map([...toFormEntries(place, document), ...Object.entries(changes)]);
    return withPart(place, entries, document).experience as (typeof work)[number][];
  };

  test('is written, and what was not typed stays as the document has it', () => {
    const [acme] = sent({
      'experience.0.company': [' Acme Ltd '],
      'experience.0.roles.0.accomplishments.1': ['Hired.\r\n\r\nTwice.'],
    });
    assert.deepEqual(acme, {
      ...work[0],
      company: 'Acme Ltd',
      roles: [{ ...work[0]!.roles[0], accomplishments: ['Led.\n', 'Hired.\n\nTwice.'] }, work[0]!.roles[1]],
    });
  });

  test('into a text that some views show leaves it to these views alone', () => {
    const accomplishments = ['Led.', { text: 'Hird.', in: ['management'] }, { text: 'Cut costs.', in: [] }];
    const placed = { ...work[0], in: ['systems'], roles: [{ ...work[0]!.roles[0], accomplishments }] };
    const [acme] = sent(
      { 'experience.0.roles.0.accomplishments.1': ['Hired.'], 'experience.0.roles.0.accomplishments.2': ['Cut.'] },
      { experience: [placed] },
    );
    assert.deepEqual(acme, {
      ...placed,
      roles: [
        {
          ...placed.roles[0],
          accomplishments: ['Led.', { text: 'Hired.', in: ['management'] }, { text: 'Cut.', in: [] }],
        },
      ],
    });
    const place = { part: education, entry: null };
    const document = {
      resume: { skills: [], education: [{ area: 'Art', details: ['A', { text: 'B', in: ['systems'] }] }] },
    };
    const entries = new Map([...toFormEntries(place, document), ['resume.education.0.details.1', ['C']] as const]);
    assert.deepEqual(withPart(place, entries, document), {
      resume: { skills: [], education: [{ area: 'Art', details: ['A', { text: 'C', in: ['systems'] }] }] },
    });
  });

  test('ends a job: current follows the end', () => {
    const [ended] = sent({ 'experience.0.company_end_date': ['2024'] });
    assert.deepEqual([ended!.company_end_date, ended!.current], [2024, false]);
    const [again] = sent({ 'experience.0.company_end_date': [''] }, { experience: [ended] });
    assert.deepEqual([again!.company_end_date, again!.current], [null, true]);
    for (const word of ['now', 'Present', 'TODAY'])
      assert.equal(
        sent({ 'experience.0.company_end_date': [word] }, { experience: [ended] })[0]!.company_end_date,
        null,
      );
    assert.equal(sent({ 'experience.0.company_start_date': ['now'] })[0]!.company_start_date, 'now');
  });

  test('that cannot be a value is kept, for the check of the document to refuse', () => {
    assert.equal(sent({ 'experience.0.company_start_date': ['last spring'] })[0]!.company_start_date, 'last spring');
    const look = { part: parts.find(({ name }) => name === 'look')!, entry: null };
    const typed: FormEntries = new Map([['resume.size', ['big']]]);
    assert.deepEqual(withPart(look, typed, { resume: { skills: [] } }), { resume: { skills: [], size: 'big' } });
  });

  for (const [typed, meant] of [
    ['9,5', 9.5],
    [' 12 ', 12],
    ['１２', 12],
    ['١٢', 12],
    ['0x10', '0x10'],
    ['1e3', '1e3'],
    ['1,000', '1,000'],
    ['+3', '+3'],
    ['Infinity', 'Infinity'],
  ] as const)
    test(`as ${typed} in a field for numbers is ${JSON.stringify(meant)}, which the document may refuse`, () => {
      const look = { part: parts.find(({ name }) => name === 'look')!, entry: null };
      const { resume } = withPart(look, new Map([['resume.size', [typed]]]), { resume: { skills: [] } });
      assert.deepEqual(resume, { skills: [], size: meant });
    });

  for (const [typed, meant] of [
    ['２０１８', 2018],
    ['2018-3', '2018-03'],
    ['2018/03/5', '2018-03-05'],
    ['03.2018', '2018-03'],
    ['3 / 2018', '2018-03'],
    ['۲۰۱۸-۰۳', '2018-03'],
    ['05/03/2018', '05/03/2018'],
    ['0x7e2', '0x7e2'],
    ['2e3', '2e3'],
    ['2018-13', '2018-13'],
  ] as const)
    test(`as ${typed} in a field for dates is ${JSON.stringify(meant)}, which the document may refuse`, () => {
      assert.equal(sent({ 'experience.0.company_start_date': [typed] })[0]!.company_start_date, meant);
    });

  test('in a new company gives it an id that no other has', () => {
    const place = { part: experience, entry: 1 };
    const typed: FormEntries = new Map([
      ['experience.1.company', ['Acme']],
      ['experience.1.id', ['']],
      ['experience.1.company_start_date', ['2015']],
      ['experience.1.company_end_date', ['2018']],
      ['experience.1.summary', ['Wings.']],
      ['experience.1.roles#', ['0']],
    ]);
    assert.deepEqual((withPart(place, typed, { experience: work }).experience as object[])[1], {
      id: 'exp_acme_2',
      company: 'Acme',
      company_start_date: 2015,
      company_end_date: 2018,
      summary: 'Wings.',
      roles: [],
      current: false,
    });
  });

  test('as nothing removes what may be left out, and the entry if all of it is empty', () => {
    const document = { resume: { skills: [], education: [{ institution: 'MIT', degree: 'BSc' }, { degree: 'MSc' }] } };
    const place = { part: education, entry: null };
    const typed = (changes: Record<string, readonly string[]>) =>
      withPart(place, new Map([...toFormEntries(place, document), ...Object.entries(changes)]), document);
    assert.deepEqual(typed({ 'resume.education.0.degree': [''], 'resume.education.1.degree': [''] }), {
      resume: { skills: [], education: [{ institution: 'MIT' }] },
    });
    assert.deepEqual(typed({ 'resume.education#': ['0'] }), { resume: { skills: [] } });
  });

  test('as an end or a tick that it goes on: the one that was changed counts', () => {
    const field = fieldsByPath().get('resume.education.end_date')!;
    const read = (typed: string, isTicked: boolean, before: unknown) =>
      readEntries(
        field,
        new Map([
          ['end', [typed]],
          ['end~', isTicked ? ['on'] : []],
        ]),
        'end',
        before,
      );
    assert.equal(read('', true, undefined), null);
    assert.equal(read('2020', true, 2020), null);
    assert.equal(read('2020-05', true, null), '2020-05');
    assert.equal(read('', false, null), undefined);
    assert.equal(read('', false, undefined), undefined);
    assert.equal(read('2020', false, 2020), 2020);
  });

  test('in a list of words is one a line', () => {
    const field = fieldsByPath().get('projects.tags')!;
    assert.deepEqual(toEntries(field, ['Go', 'Raft'], 'tags'), [['tags', ['Go\nRaft']]]);
    assert.deepEqual(readEntries(field, new Map([['tags', ['Go\r\n\r\n Rust ']]]), 'tags', ['Go', 'Raft']), [
      'Go',
      'Rust',
    ]);
    assert.deepEqual(toEntries(field, ['two\nlines'], 'tags'), [
      ['tags#', ['1']],
      ['tags.0', ['two\nlines']],
    ]);
  });

  test('chooses what anybody can see, and nothing if nothing is chosen', () => {
    const field = fieldsByPath().get('public')!;
    assert.deepEqual(toEntries(field, undefined, 'public'), [['public', ['name', 'title']]]);
    assert.equal(readEntries(field, new Map([['public', ['title', 'name']]]), 'public', undefined), undefined);
    assert.deepEqual(readEntries(field, new Map(), 'public', undefined), []);
  });
});

describe('Add, remove, up and down', () => {
  const roles: FormEntries = new Map([
    ['roles#', ['3']],
    ...['a', 'b', 'c'].flatMap((title, index): [string, string[]][] => [
      [`roles.${index}@`, [String(index)]],
      [`roles.${index}.title`, [title]],
      [`roles.${index}.lines#`, ['1']],
      [`roles.${index}.lines.0`, [`${title}1`]],
    ]),
    ['company', ['Acme']],
  ]);
  const shown = (entries: FormEntries) =>
    Array.from({ length: Number(entries.get('roles#')![0]) }, (_, index) =>
      ['@', '.title', '.lines.0'].map((key) => entries.get(`roles.${index}${key}`)?.[0]),
    );
  const [a, b, c] = [
    ['0', 'a', 'a1'],
    ['1', 'b', 'b1'],
    ['2', 'c', 'c1'],
  ];

  test('move an entry with all that is typed in it', () => {
    assert.deepEqual(shown(arranged(roles, { kind: 'up', name: 'roles.2' })), [a, c, b]);
    assert.deepEqual(shown(arranged(roles, { kind: 'down', name: 'roles.0' })), [b, a, c]);
    assert.deepEqual(shown(arranged(roles, { kind: 'remove', name: 'roles.1' })), [a, c]);
    assert.deepEqual(shown(arranged(roles, { kind: 'add', name: 'roles' })), [a, b, c, ['', undefined, undefined]]);
    assert.deepEqual(arranged(roles, { kind: 'remove', name: 'roles.1' }).get('company'), ['Acme']);
  });

  test('change nothing where nothing can move, or of an entry that is not there', () => {
    for (const kind of ['up', 'down', 'remove'] as const)
      for (const name of ['roles.7', 'roles.x', 'nothing.0', ''])
        assert.deepEqual(shown(arranged(roles, { kind, name })), [a, b, c], `${kind} ${name}`);
    assert.deepEqual(arranged(roles, { kind: 'up', name: 'roles.0' }), roles);
    assert.deepEqual(arranged(roles, { kind: 'down', name: 'roles.2' }), roles);
  });
});
