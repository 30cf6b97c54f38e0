import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isScalar, parse, parseDocument, visit } from 'yaml';
import { replaceScalar } from '../../../src/formats/profile/status-edit.ts';

const root = new URL('../../..', import.meta.url).pathname;
const path = ['availability', 'status'];

/** Each document with the status that replaces the old one, and what comes of it. */
const edits: [title: string, text: string, status: string, expected: string][] = [
  [
    'a plain text stays plain',
    'availability:\n  status: open # why\n',
    'not now',
    'availability:\n  status: not now # why\n',
  ],
  ['quotes are kept', "availability: {status: 'open'}\n", "can't", "availability: {status: 'can''t'}\n"],
  [
    'double quotes are kept',
    'availability:\n  status: "open"\n',
    'a "b" \\',
    'availability:\n  status: "a \\"b\\" \\\\"\n',
  ],
  [
    'a text that would be a comment is quoted',
    'availability:\n  status: open\n',
    'a #b',
    'availability:\n  status: "a #b"\n',
  ],
  [
    'a text that would be a map is quoted',
    'availability:\n  status: open\n',
    'from: May',
    'availability:\n  status: "from: May"\n',
  ],
  ['a text that would be null is quoted', 'availability:\n  status: open\n', '~', 'availability:\n  status: "~"\n'],
  [
    'a text that would be a number is quoted',
    'availability:\n  status: open\n',
    '2027',
    'availability:\n  status: "2027"\n',
  ],
  ['a comma is quoted in a flow map', 'availability: {status: open}\n', 'a, b', 'availability: {status: "a, b"}\n'],
  ['and not elsewhere', 'availability:\n  status: open\n', 'a, b', 'availability:\n  status: a, b\n'],
  [
    'CRLF stays',
    '# one\r\navailability:\r\n  status: open\r\n',
    'not now',
    '# one\r\navailability:\r\n  status: not now\r\n',
  ],
  [
    'a byte-order mark stays',
    '\ufeffavailability:\n  status: open\n',
    'not now',
    '\ufeffavailability:\n  status: not now\n',
  ],
  [
    'odd indentation stays',
    'availability:\n       status:   open   \n',
    'not now',
    'availability:\n       status:   not now   \n',
  ],
  [
    'JSON stays JSON',
    '{"availability":{"status":"open"},"a":[1, 2]}',
    'a "b"',
    '{"availability":{"status":"a \\"b\\""},"a":[1, 2]}',
  ],
  [
    'JSON gets a string in place of null',
    '{"availability":{"status":null}}',
    'open',
    '{"availability":{"status":"open"}}',
  ],
  [
    'a block becomes one line, with the comment and the empty lines around it',
    'availability:\n  status: >- # why\n    open to\n    all\n\n\n# next\na: 1\n',
    'not now',
    'availability:\n  status: not now # why\n\n\n# next\na: 1\n',
  ],
  [
    'a block with CRLF',
    'availability:\r\n  status: |\r\n    open\r\na: 1\r\n',
    'a: b',
    'availability:\r\n  status: "a: b"\r\na: 1\r\n',
  ],
  [
    'lines of a plain text become one',
    'availability:\n  status: open\n    to all\na: 1\n',
    'not now',
    'availability:\n  status: not now\na: 1\n',
  ],
  [
    'an alias is replaced, and its anchor is not',
    'a: &a open\navailability:\n  status: *a # why\nb: *a\n',
    'not now',
    'a: &a open\navailability:\n  status: not now # why\nb: *a\n',
  ],
  [
    'an anchor that nothing refers to stays',
    'availability:\n  status: &a open\n',
    'not now',
    'availability:\n  status: &a not now\n',
  ],
  ['a tag stays', 'availability:\n  status: !!str open\n', '2027', 'availability:\n  status: !!str 2027\n'],
  ['an empty value', 'availability:\n  status:\na: 1\n', 'open', 'availability:\n  status: open\na: 1\n'],
  [
    'an empty text is written over, and what was to do about it goes',
    'availability:\n  status: "" # TODO: say whether\n\na: 1 # TODO: b\n',
    'open',
    'availability:\n  status: "open"\n\na: 1 # TODO: b\n',
  ],
  [
    'a text becomes empty, and what is said of it stays',
    'availability:\n  status: open # TODO: say whether\n',
    '',
    'availability:\n  status: "" # TODO: say whether\n',
  ],
  ['an explicit key', 'availability:\n  ? status\n  : open\n', 'not now', 'availability:\n  ? status\n  : not now\n'],
  [
    'a line break is written out',
    'availability:\n  status: open\n',
    'one\ntwo',
    'availability:\n  status: "one\\ntwo"\n',
  ],
];

for (const [title, text, status, expected] of edits)
  test(`replacing the status: ${title}`, () => assert.equal(replaceScalar(text, path, status), expected));

test('a value that others refer to is not replaced, because they would change with it', () => {
  for (const text of [
    'availability:\n  status: &a open\nb: *a\n',
    'b: &a {status: open}\navailability: *a\n',
    'availability: &a\n  status: open\nb: *a\n',
  ])
    assert.throws(() => replaceScalar(text, path, 'not now'), /^Error: cannot be replaced alone/, text);
});

test('what is not a text of its own is not replaced', () => {
  for (const text of ['availability: {}\n', 'availability:\n  status: [open]\n', 'other: 1\n'])
    assert.throws(() => replaceScalar(text, path, 'not now'), /^Error: is not a single value/, text);
  assert.throws(() => replaceScalar('availability: [\n', path, 'not now'));
});

/** A pseudo-random generator of whole numbers below a bound, repeatable by its seed (Park and Miller). */
function openRandom(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

const alphabet = [...'ab 1:#,[]{}"\'\\&*!|>%@`-?~\t.=<éא😀\u2028\u0085', 'null', ': ', ' #', '- ', '---', '\n'];

test('in a whole profile, each text can be replaced by any other, and nothing but it changes', () => {
  const random = openRandom(20_261_122);
  const any = () => Array.from({ length: 1 + random(12) }, () => alphabet[random(alphabet.length)]).join('');
  const profiles = ['examples/*.yaml', 'test/fixtures/{profile,languages/*,import/*-hard.expected}.yaml'];
  const files = globSync(profiles, { cwd: root });
  assert.equal(files.length, 8);
  let count = 0;
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const document = parseDocument(text);
    visit(document, {
      Scalar(key, node, ancestors) {
        if (key === 'key' || typeof node.value !== 'string' || random(40) !== 0) return;
        const path = pathOf(document, node, ancestors);
        const value = any();
        const edited = replaceScalar(text, path, value);
        // Parsed by the library itself, and compared to what it makes of the old text.
        const expected = parseDocument(text);
        expected.setIn(path, value);
        assert.deepEqual(parse(edited), expected.toJS(), `${file} ${path.join('.')} ${JSON.stringify(value)}`);
        const [start, end] = node.range!;
        assert.ok(edited.startsWith(text.slice(0, start)), file);
        assert.ok(edited.endsWith(text.slice(end).replace(/^ # TODO: .*/, '')), file);
        count += 1;
      },
    });
  }
  assert.ok(count > 10, String(count));
});

function pathOf(document: ReturnType<typeof parseDocument>, node: unknown, ancestors: readonly unknown[]) {
  const steps: (string | number)[] = [];
  const chain = [...ancestors.slice(1), node];
  for (const [index, parent] of chain.entries()) {
    if (typeof parent === 'object' && parent !== null && 'items' in parent) {
      const child = chain[index + 1];
      const at = (parent.items as unknown[]).indexOf(child);
      const pair = child as { key?: unknown };
      steps.push(isScalar(pair.key) ? String(pair.key.value) : at);
    }
  }
  assert.equal(document.getIn(steps, true), node);
  return steps;
}

test('in generated documents of every style, any text can be replaced by any other, and all other bytes stay', () => {
  const random = openRandom(7);
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)]!;
  const any = () => Array.from({ length: 1 + random(12) }, () => pick(alphabet)).join('');
  for (let count = 0; count < 300; count += 1) {
    const old = pick([
      'open',
      '"o: \\u0070en"',
      "'it''s'",
      '|-\n    a\n    b',
      '>\n    a\n\n    b\n',
      'two\n    lines',
      '!!str 1',
      '&x open',
    ]);
    const isBlock = /^[|>]/.test(old);
    const isFlow = !isBlock && random(3) === 0;
    const comment = isBlock ? '' : pick(['', ' # why', '   ']);
    const body = isFlow
      ? `availability: { status: ${old} , z: 1 }`
      : `availability:\n  status: ${old}${comment}\n  z: 1`;
    const text = `${pick(['', '\ufeff'])}# first\na: [1,  2]\n${body}\n\nb:   "x" # end\n`.replaceAll(
      '\n',
      pick(['\n', '\r\n']),
    );
    const value = any();
    const edited = replaceScalar(text, path, value);
    const message = JSON.stringify({ text, value, edited });
    assert.deepEqual(
      parse(edited.replace('\ufeff', '')),
      { a: [1, 2], availability: { status: value, z: 1 }, b: 'x' },
      message,
    );
    const [head, tail] = [text.slice(0, text.indexOf(old.split('\n')[0]!)), text.slice(text.lastIndexOf('z: 1'))];
    assert.ok(edited.startsWith(head) && edited.endsWith(tail), message);
    assert.equal(edited.includes('# why'), text.includes('# why'), message);
    assert.equal(/[^\r]\n/.test(edited), /[^\r]\n/.test(text), message);
  }
});
