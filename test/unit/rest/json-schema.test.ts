import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { z } from 'zod';
import { toProfileSchema } from '../../../scripts/profile-schema.ts';
import { toJsonSchema } from '../../../src/surfaces/json-schema.ts';

const shape = z.object({ inner: z.object({ name: z.string() }) });

test('an input forbids additional properties at every depth, a body and an output allow them', () => {
  const inner = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const open = { type: 'object', properties: { inner }, required: ['inner'] };
  assert.deepEqual(toJsonSchema(shape, 'body'), open);
  assert.deepEqual(toJsonSchema(shape, 'output'), open);
  assert.deepEqual(toJsonSchema(shape, 'input'), {
    ...open,
    properties: { inner: { ...inner, additionalProperties: false } },
    additionalProperties: false,
  });
});

test('an input has patterns, unless a format says the same; an output has none', () => {
  const code = z.string().regex(/^[a-z]$/);
  assert.deepEqual(toJsonSchema(code, 'input'), { type: 'string', pattern: '^[a-z]$' });
  assert.deepEqual(toJsonSchema(code, 'output'), { type: 'string' });
  assert.deepEqual(toJsonSchema(z.email(), 'input'), { type: 'string', format: 'email' });
});

test('an outline has types, formats, values and required fields, and the field that is called description', () => {
  const entry = z.object({
    description: z.string().min(1).max(9).describe('What it is'),
    since: z.iso.date().describe('Its start'),
    kind: z.enum(['a', 'b']),
    years: z.number().min(0).max(100).nullable().optional(),
  });
  assert.deepEqual(toJsonSchema(z.array(entry).describe('All of them'), 'outline'), {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        description: { type: 'string' },
        since: { type: 'string', format: 'date' },
        kind: { type: 'string', enum: ['a', 'b'] },
        years: { type: ['number', 'null'] },
      },
      required: ['description', 'since', 'kind'],
    },
  });
});

test('profile.schema.json is generated from the model', () => {
  const file = new URL('../../../profile.schema.json', import.meta.url);
  assert.equal(toProfileSchema(), readFileSync(file, 'utf8'));
});
