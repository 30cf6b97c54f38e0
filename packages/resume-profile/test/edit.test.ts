import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edit } from 'resume-profile/yaml/change';
import { applyEdit } from 'resume-profile/yaml/edit';

const pathOf = (path: string) => path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
const set = (path: string, value: unknown): Edit => ({ kind: 'set', path: pathOf(path), value });
const remove = (path: string): Edit => ({ kind: 'remove', path: pathOf(path) });
const insert = (path: string, value: unknown): Edit => ({ kind: 'insert', path: pathOf(path), value });
const move = (path: string, to: number): Edit => ({ kind: 'move', path: pathOf(path), to });

const jobs = `experience:
  # the first
  - id: exp_one # one
    company: One
    # after its company

  # the second
  - id: exp_two
    company: Two
    roles: []

  - id: exp_three
    company: Three
`;

const prose =
  'Staff engineer with years of building large systems, who leads across teams and still writes code on most days.';

type Case = readonly [title: string, text: string, edit: Edit, expected: string];

// biome-ignore format: a table
const ofLists: readonly Case[] = [
  ['an entry of two keys keeps its comments and quotes, whichever of them gets another value',
   "links:\n  # my own\n  - label: 'GitHub' # code\n    url: https://one.example\n  - label: Site\n    url: https://me.example\n",
   set('links', [{ label: 'GitHub', url: 'https://two.example' }, { label: 'Site', url: 'https://me.example' }]),
   "links:\n  # my own\n  - label: 'GitHub' # code\n    url: https://two.example\n  - label: Site\n    url: https://me.example\n"],
  ['entries that are not written stay, unless the list becomes empty',
   'candidate:\n  domains:\n    -\n    - a\n    - # what else?\n    - b\n    - \n  name: x\n',
   insert('candidate.domains.1', 'n'),
   'candidate:\n  domains:\n    -\n    - a\n    - n\n    - # what else?\n    - b\n    - \n  name: x\n'],
  ['and go with the last entry otherwise', 'candidate:\n  domains:\n    -\n    - a\n    - \n  name: x\n',
   remove('candidate.domains.0'), 'candidate:\n  domains: []\n  name: x\n'],
  ['a list of nothing but entries that are not written gets its first', 'candidate:\n  domains:\n    -\n  name: x\n',
   insert('candidate.domains.0', 'a'), 'candidate:\n  domains:\n    - a\n  name: x\n'],
  ['one text in place of a list becomes a list with a second entry', 'candidate:\n  domains: a, b # why\n',
   insert('candidate.domains.2', 'c'), 'candidate:\n  domains: # why\n    - a\n    - b\n    - c\n'],
  ['an added entry is written as its neighbours are, with an empty line before it', jobs,
   insert('experience.3', { id: 'exp_four', company: 'Four: a "firm"', roles: [{ title: 'Engineer', end_date: null }] }),
   `${jobs}
  - id: exp_four
    company: 'Four: a "firm"'
    roles:
      - title: Engineer
        end_date: null
`],
  ['an entry added at the top stands above the comment of the next', jobs, insert('experience.0', { id: 'exp_zero' }),
   jobs.replace('experience:\n', 'experience:\n  - id: exp_zero\n\n')],
  ['an entry that is moved takes along the comments directly above it and in it; the empty lines stay', jobs,
   move('experience.0', 2), `experience:
  # the second
  - id: exp_two
    company: Two
    roles: []

  - id: exp_three
    company: Three

  # the first
  - id: exp_one # one
    company: One
    # after its company
`],
  ['an entry that is removed takes along its comments and one empty line', jobs, remove('experience.1'),
   jobs.replace('  # the second\n  - id: exp_two\n    company: Two\n    roles: []\n\n', '')],
  ['a comment with an empty line below belongs to no entry and stays in its place',
   'a:\n  - one\n  # for later\n\n  - two\n  - three\n', remove('a.1'), 'a:\n  - one\n  # for later\n\n  - three\n'],
  ['a list without its last item is written as empty, and what is said below it stays',
   'a: # some\n  # about x\n  - x # why\n  # - y\nb: 1\n', remove('a.0'), 'a: [] # some\n  # - y\nb: 1\n'],
  ['the first item of an empty list makes it one in lines', 'a: [] # TODO: name some\nb:\n- x\n', insert('a.0', 'y'),
   'a:\n- y\nb:\n- x\n'],
  ['a comment for all is above the first entry that remains', 'a:\n  - one\n\n  # the rest\n\n  - two\n', remove('a.0'),
   'a:\n  # the rest\n\n  - two\n'],
  ['of a list that becomes empty, comments that belong to no item stay',
   'a: # some\n  # for all\n\n  - one # 1\n\n  # the rest\n\n  - two\nb: 1\n', set('a', []),
   'a: [] # some\n  # for all\n\n  # the rest\nb: 1\n'],
  ['empty lines that a block keeps go with it', 'a:\n  - |+\n    x\n\n  - y\nb: 1\n', move('a.0', 1),
   'a:\n  - y\n  - |+\n    x\n\nb: 1\n'],
  ['a list in place of an item, whose comment stays above it', 'a:\n  - # why\n    b: 1\n', set('a.0', ['x', 'y']),
   'a:\n  - # why\n    - x\n    - y\n'],
  ['in a list in one line an item is added there', 'a: [x, y] # z\n', insert('a.1', 'p, q'), 'a: [x, "p, q", y] # z\n'],
  ['and removed there', 'a: [ x,  y ]\n', remove('a.0'), 'a: [ y ]\n'],
  ['in a flow list in several lines, comments go with their items',
   'a: [\n  x, # first\n  # about y\n  y, # second\n  z # third\n]\n', move('a.0', 2),
   'a: [\n  # about y\n  y, # second\n  z, # third\n  x # first\n]\n'],
  ['and nothing else stands in the line of a comment', 'a: [\n  x, # first\n  y ]\n', move('a.0', 1),
   'a: [\n  y,\n  x # first\n ]\n'],
  ['the lists of a file without indentation get none', 'a:\n- x\nb:\n- c: 1\n', set('b.0.d', ['y', 'z']),
   'a:\n- x\nb:\n- c: 1\n  d:\n  - y\n  - z\n'],
  ['in a file with four spaces, an added map has four', 'a:\n    b: 1\nc:\n    - d: 1\n', set('a.e', { f: ['x'] }),
   'a:\n    b: 1\n    e:\n        f:\n            - x\nc:\n    - d: 1\n'],
  ['the items of a list of lists', 'a:\n  - - x # one\n    - y\n  - - z\n', move('a.0.0', 1),
   'a:\n  - - y\n    - x # one\n  - - z\n'],
];

// biome-ignore format: a table
const ofForms: readonly Case[] = [
  ['a list as a form gives it: entries are known by their id, and what is equal in them is not touched', jobs,
   set('experience', [{ id: 'exp_three', company: 'Three' }, { id: 'exp_one', company: 'Uno' }, { id: 'exp_new',
     company: 'New' }]),
   `experience:
  - id: exp_three
    company: Three

  # the first
  - id: exp_one # one
    company: Uno
    # after its company

  - id: exp_new
    company: New
`],
  ['texts are known by their words', 'a:\n  - Built a store for events # 1\n  - "Led a team" # 2\n  - Wrote a book # 3\n',
   set('a', ['Led a team of ten', 'New', 'Built a store for all events', 'Wrote a book']),
   'a:\n  - "Led a team of ten" # 2\n  - New\n  - Built a store for all events # 1\n  - Wrote a book # 3\n'],
  ['a text with other words, by its place', 'a:\n  - Go # since 2012\n  - SQL # a lot\n', set('a', ['Rust', 'SQL']),
   'a:\n  - Rust # since 2012\n  - SQL # a lot\n'],
  ['entries without an id are known by what they have in common',
   'a:\n  - title: Engineer # 1\n    from: 2020\n    to: 2021\n  # about the second\n  - title: Lead\n    from: 2018\n    to: 2020\n',
   set('a', [{ title: 'Tech Lead', from: 2018, to: 2020 }, { title: 'Engineer', from: 2020, to: 2021 }]),
   'a:\n  # about the second\n  - title: Tech Lead\n    from: 2018\n    to: 2020\n  - title: Engineer # 1\n    from: 2020\n    to: 2021\n'],
  ['keys keep their order, and an added one comes after the one before it', 'b: 1\na: 2 # two\n', set('x', { y: 1 }),
   'b: 1\na: 2 # two\nx:\n  y: 1\n'],
  ['a section that is missing is added with empty lines as between the others', 'a: 1\n\nb:\n  c: 2\n', set('d.e', 3),
   'a: 1\n\nb:\n  c: 2\n\nd:\n  e: 3\n'],
  ['nothing is changed in what is equal', 'a: {b: [1,2], c: "x"}\n', set('a', { c: 'x', b: [1, 2] }),
   'a: {b: [1,2], c: "x"}\n'],
];

// biome-ignore format: a table
const ofMaps: readonly Case[] = [
  ['the first key on the line of a dash', '- a: 1\n  # about b\n  b: 2\n', remove('0.a'), '- # about b\n  b: 2\n'],
  ['the last key leaves an empty map', 'a:\n  b: 1 # x\nc: 2\n', remove('a.b'), 'a: {}\nc: 2\n'],
  ['a key of a flow map', 'a: {b: 1, c: 2}\n', remove('a.b'), 'a: {c: 2}\n'],
  ['the comment at the top of the file stays without the first key', '# mine\na: 1\nb: 2\n', remove('a'), '# mine\nb: 2\n'],
  ['one below it goes', '# mine\n\n# about a\na: 1\nb: 2\n', remove('a'), '# mine\n\nb: 2\n'],
  ['a key without a value', 'a: # why\nb: 1\n', set('a.c', [1]), 'a: # why\n  c:\n    - 1\nb: 1\n'],
  ['a document of comments alone', '# mine', set('a.b', 1), '# mine\na:\n  b: 1\n'],
  ['the markers of a document stay', '--- # mine\na: 1\n...\n', set('b', 2), '--- # mine\na: 1\nb: 2\n...\n'],
  ['a file without an end of its last line', 'a:\n  - x', insert('a.1', 'y'), 'a:\n  - x\n  - y'],
  ['CRLF', 'a:\r\n  - x\r\n', insert('a.1', 'y\nz'), 'a:\r\n  - x\r\n  - |-\r\n    y\r\n    z\r\n'],
];

// biome-ignore format: a table
const ofTexts: readonly Case[] = [
  ['a plain text stays plain', 'a: open # why\n', set('a', 'not now'), 'a: not now # why\n'],
  ['single quotes are kept', "a: {b: 'open'}\n", set('a.b', "can't"), "a: {b: 'can''t'}\n"],
  ['double quotes are kept', 'a: "open"\n', set('a', 'a "b" \\'), 'a: "a \\"b\\" \\\\"\n'],
  ['a text that would be a comment is quoted', 'a: open\n', set('a', 'a #b'), 'a: "a #b"\n'],
  ['a text that would be a map is quoted', 'a: open\n', set('a', 'from: May'), 'a: "from: May"\n'],
  ['a text that would be null is quoted', 'a: open\n', set('a', '~'), 'a: "~"\n'],
  ['a text that would be a number is quoted', 'a: open\n', set('a', '2027'), 'a: "2027"\n'],
  ['a text that would be a boolean is quoted', 'a: open\n', set('a', 'true'), 'a: "true"\n'],
  ['a text that would be an alias is quoted', 'a: open\n', set('a', '*star'), 'a: "*star"\n'],
  ['a text that would be a list is quoted', 'a: open\n', set('a', '- dash'), 'a: "- dash"\n'],
  ['a text with a reserved character is quoted', 'a: open\n', set('a', '@home'), 'a: "@home"\n'],
  ['a date is a text and needs no quotes', 'a: open\n', set('a', '2020-01-02'), 'a: 2020-01-02\n'],
  ['nor does any script or emoji', 'a: open\n', set('a', '😀 مرحبا'), 'a: 😀 مرحبا\n'],
  ['spaces at the end are quoted', 'a: open\n', set('a', 'x '), 'a: "x "\n'],
  ['a comma is quoted in a flow map', 'a: {b: open}\n', set('a.b', 'a, b'), 'a: {b: "a, b"}\n'],
  ['and not elsewhere', 'a: open\n', set('a', 'a, b'), 'a: a, b\n'],
  ['a text with line breaks becomes a block', 'a: open # why\n', set('a', 'one\ntwo'), 'a: |- # why\n  one\n  two\n'],
  ['the comment of an empty item stands after a long text', 'a:\n  - # why\n', set('a.0', `${prose} ${prose}`),
   'a:\n  - Staff engineer with years of building large systems, who leads across teams and still writes code on most days.\n    Staff engineer with years of building large systems, who leads across teams and still writes code on most days. # why\n'],
  ['empty lines at its end are written out, because in a block they would be those before the next key', 'a: open\n\nb: 1\n',
   set('a', 'one\n\n'), 'a: "one\\n\\n"\n\nb: 1\n'],
  ['a text with indented lines is not wrapped, however long', 'a: open\n', set('a', `${prose} ${prose}\n\n  two\n`),
   `a: |\n  ${prose} ${prose}\n\n    two\n`],
  ['but not in a flow map', 'a: {b: open}\n', set('a.b', 'one\ntwo'), 'a: {b: "one\\ntwo"}\n'],
  ['nor if a comment follows that would become part of it', 'a:\n  b: open\n    # why\n', set('a.b', 'one\ntwo'),
   'a:\n  b: "one\\ntwo"\n    # why\n'],
  ['nor if that would be the end of its list', 'a: 1\n  # why\n', set('a', ['one\ntwo']), 'a:\n  - "one\\ntwo"\n  # why\n'],
  ['a literal block stays one', 'a: |\n  one\n\nb: 1\n', set('a', 'one\n\n- two\n'), 'a: |\n  one\n\n  - two\n\nb: 1\n'],
  ['a folded block of lines of one letter can be changed, too', 'a: >-\n  x\n\n  y\nb: 1\n',
   set('a', 'Storage engineer\nin Oslo'), 'a: >-\n  Storage engineer\n\n  in Oslo\nb: 1\n'],
  ['a folded block stays one, and is as wide', 'a: >- # why\n  Engineer with years of\n  large systems, leading.\n',
   set('a', prose), `a: >- # why
  Staff engineer with
  years of building large
  systems, who leads
  across teams and still
  writes code on most
  days.
`],
  ['a long line is not folded', `a: ${prose}\n`, set('a', `${prose} Always.`), `a: ${prose} Always.\n`],
  ['an added text that is long is folded', 'a: 1\n', set('b', prose),
   'a: 1\nb: >-\n  Staff engineer with years of building large systems, who leads across teams and still writes code on most days.\n'],
  ['a block becomes one line, with the comment and the empty lines around it',
   'a:\n  b: >- # why\n    open to\n    all\n\n\n# next\nc: 1\n', set('a.b', 'not now'),
   'a:\n  b: not now # why\n\n\n# next\nc: 1\n'],
  ['a block with CRLF', 'a:\r\n  b: |\r\n    open\r\nc: 1\r\n', set('a.b', 'a: b'), 'a:\r\n  b: "a: b"\r\nc: 1\r\n'],
  ['lines of a plain text become one', 'a: open\n  to all\nb: 1\n', set('a', 'not now'), 'a: not now\nb: 1\n'],
  ['a byte-order mark stays', '\ufeffa: open\n', set('a', 'not now'), '\ufeffa: not now\n'],
  ['odd spaces stay', 'a:\n       b:   open   \n', set('a.b', 'not now'), 'a:\n       b:   not now   \n'],
  ['an empty value', 'a:\nb: 1\n', set('a', 'open'), 'a: open\nb: 1\n'],
  ['an empty text is written over, and what was to do about it goes', 'a: "" # TODO: say whether\n\nb: 1 # TODO: c\n',
   set('a', 'open'), 'a: "open"\n\nb: 1 # TODO: c\n'],
  ['a text becomes empty, and what is said of it stays', 'a: open # TODO: say whether\n', set('a', ''),
   'a: "" # TODO: say whether\n'],
  ['an explicit key', '? a\n: open\n', set('a', 'not now'), '? a\n: not now\n'],
  ['a tag stays', 'a: !!str open\n', set('a', '2027'), 'a: !!str "2027"\n'],
  ['a tag goes with the text', 'a: !!str 2020\n', set('a', null), 'a: null\n'],
  ['a tag goes with the text of a flow list', 'a: [!!str 2020, b]\n', set('a', [5, 'b']), 'a: [5, b]\n'],
  ['a number', 'a: 14 # years\n', set('a', 15), 'a: 15 # years\n'],
  ['null', 'a: 2020-01\n', set('a', null), 'a: null\n'],
];

// biome-ignore format: a table
const ofAliases: readonly Case[] = [
  ['an alias is replaced, and its anchor is not', 'a: &a open\nb: *a # why\nc: *a\n', set('b', 'not now'),
   'a: &a open\nb: not now # why\nc: *a\n'],
  ['an edit in an alias writes out the value there', 'a: &a\n  - x # one\n  - y\nb: *a # why\nc: *a\n', insert('b.2', 'z'),
   'a: &a\n  - x # one\n  - y\nb: # why\n  - x\n  - y\n  - z\nc: *a\n'],
  ['an anchor that nothing refers to stays', 'a: &a open\n', set('a', 'not now'), 'a: &a not now\n'],
  ['a moved anchor', 'a:\n  - x\n  - &a y\nb: *a\n', move('a.1', 0), 'a:\n  - &a y\n  - x\nb: *a\n'],
];

// biome-ignore format: a table
const ofJson: readonly Case[] = [
  ['JSON stays JSON', '{"a":{"b":"open"},"c":[1, 2]}', set('a.b', 'a "b"'), '{"a":{"b":"a \\"b\\""},"c":[1, 2]}'],
  ['JSON gets a string in place of null', '{"a":{"b":null}}', set('a.b', 'open'), '{"a":{"b":"open"}}'],
  ['an entry added to JSON in lines is in lines', '{\n  "a": [\n    {"b": 1}\n  ],\n  "c": []\n}\n',
   insert('a.1', { b: 2, c: ['x'] }),
   '{\n  "a": [\n    {"b": 1},\n    {\n      "b": 2,\n      "c": [\n        "x"\n      ]\n    }\n  ],\n  "c": []\n}\n'],
  ['an empty list in it', '{\n  "a": []\n}\n', insert('a.0', 'x'), '{\n  "a": [\n    "x"\n  ]\n}\n'],
  ['a key added to JSON in one line', '{"a":1}', set('b.c', true), '{"a":1,"b":{"c":true}}'],
  ['the last key', '{\n  "a": 1,\n  "b": 2\n}\n', remove('b'), '{\n  "a": 1\n}\n'],
];

for (const [kind, cases] of Object.entries({
  lists: ofLists,
  forms: ofForms,
  maps: ofMaps,
  texts: ofTexts,
  aliases: ofAliases,
  JSON: ofJson,
}))
  for (const [title, text, edit, expected] of cases)
    test(`an edit of ${kind}: ${title}`, () => assert.equal(applyEdit(text, edit), expected));

test('a value that others refer to is not changed, because they would change with it', () => {
  for (const [text, edit] of [
    ['a: &a open\nb: *a\n', set('a', 'not now')],
    ['a: &a {b: open}\nc: *a\n', set('a.b', 'not now')],
    ['a: &a\n  b: open\nc: *a\n', remove('a')],
    ['a:\n  - &a x\n  - *a\n', move('a.0', 1)],
  ] as const)
    assert.throws(() => applyEdit(text, edit), /^Error: cannot be replaced alone/, text);
});

test('an edit of what does not exist, or of a document that cannot be read, is refused', () => {
  for (const edit of [remove('b'), remove('a.0'), move('l.0', 2), insert('l.3', 'x'), set('l.2', 'x'), remove('a.b.c')])
    assert.throws(() => applyEdit('a: 1\nl: [x, y]\n', edit), /^Error: does not exist/, JSON.stringify(edit));
  assert.throws(() => applyEdit('a: [\n', set('a', 1)));
  assert.throws(() => applyEdit('a: 1\na: 2\n', set('a', 1)), /is given twice/);
});
