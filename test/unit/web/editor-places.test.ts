import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Profile } from 'resume-profile/profile-document';
import { toJsonSchema } from '../../../src/surfaces/json-schema.ts';
import { placedIn, placeOf, viewOf } from '../../../src/surfaces/web/desk/editor/client/places.ts';
import { fieldsByPath } from '../../../src/surfaces/web/desk/editor/fields.ts';
import { labelOf } from '../../../src/surfaces/web/desk/editor/labels.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | false;
  readonly anyOf?: readonly Schema[];
}

/** Returns each key of a schema with the path of what has it. */
function keysOf(schema: Schema, parent = ''): (readonly [parent: string, key: string])[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  return [
    ...Object.entries(properties).flatMap(([key, inner]) => [
      [parent, key] as const,
      ...keysOf(inner, parent === '' ? key : `${parent}.${key}`),
    ]),
    ...[items, ...anyOf, additionalProperties || undefined].flatMap((one) => (one ? keysOf(one, parent) : [])),
  ];
}

test('Where is each key of a profile edited?', () => {
  const keys = keysOf(toJsonSchema(Profile, 'input') as Schema);
  const homeless = keys.filter(([parent, key]) => placeOf(parent, key) === undefined);

  assert.ok(keys.length > 120, `${keys.length} keys`);
  assert.deepEqual(homeless, []);
});

test('Which keys have no place, and why?', () => {
  const keys = keysOf(toJsonSchema(Profile, 'input') as Schema);
  const none = keys.filter(([parent, key]) => placeOf(parent, key)?.[0] === 'none');

  assert.deepEqual(
    none.map(([parent, key]) => [parent, key, placeOf(parent, key)?.[1]]),
    [
      ['', '$schema', 'tells editors of text files which keys there are'],
      ['experience', 'current', 'follows the end'],
    ],
  );
});

test('Does each field of an entry have words?', () => {
  const fields = Object.fromEntries(fieldsByPath());

  for (const { path } of Object.values(fields)) assert.ok(labelOf(path).label.length > 1, path);
});

test('In which order does a school show its fields?', () => {
  const fields = Object.fromEntries(fieldsByPath());
  const shown = placedIn('resume.education', fields).map(({ field, spot }) => `${spot}: ${field.key}`);

  assert.deepEqual(shown, [
    'title: institution',
    'sub: degree',
    'sub: area',
    'title-right: start_date',
    'title-right: end_date',
    'sub-right: location',
    'prose: score',
    'lines: details',
    'link: url',
    'drawer: section',
    'drawer: id',
  ]);
});

test('In which view is a value edited?', () => {
  assert.equal(viewOf(['experience', 0, 'roles', 1, 'title']), '');
  assert.equal(viewOf(['resume', 'theme']), 'look');
  assert.equal(viewOf(['resume', 'hides', 'page', 0]), 'seen');
  assert.equal(viewOf(['views', 'ward', 'hide']), 'version=ward');
});
