import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { fieldsByPath } from '../../../../src/surfaces/web/desk/editor/fields.ts';
import { readEntries, toEntries } from '../../../../src/surfaces/web/desk/editor/form-entries.ts';

const profiles = globSync('{profile.example.yaml,test/fixtures/**/*.yaml,examples/**/*.yaml}');

describe('A form that is sent as it was shown', () => {
  for (const path of profiles) {
    const document = parse(readFileSync(path, 'utf8'), { schema: 'core' }) as Record<string, unknown> | null;
    if (typeof document !== 'object' || document?.candidate === undefined) continue;
    test(`changes nothing in ${path}`, () => {
      for (const field of fieldsByPath().values()) {
        if (field.path.includes('.') || !(field.path in document)) continue;
        const before: unknown = document[field.path];
        const entries = new Map(toEntries(field, before, field.path));
        assert.deepEqual(readEntries(field, entries, field.path, before), before);
      }
    });
  }
});
