import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A requirement that a test names in brackets in its title: `test('… [REST-1] [REST-2]'`. */
export interface Citation {
  readonly id: string;
  readonly file: string;
  readonly title: string;
}

const folder = join(import.meta.dirname, '..');

/** The citations in the titles of all tests. */
export const citations: readonly Citation[] = globSync('**/*.test.ts', { cwd: folder })
  .sort()
  .flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:test|it|suite|describe)\(\s*(['"`])(.*?)\1/gs)].flatMap(
      ([, , title = '']) =>
        [...title.matchAll(/\[([A-Z]+-\d+)\]/g)].map(([, id]) => ({
          id: id!,
          file,
          // The values of placeholders are not known here.
          title: title.replaceAll(/ *\[[A-Z]+-\d+\]/g, '').replaceAll(/\$\{[^}]*\}/g, '…'),
        })),
    ),
  );
