import { globSync, readFileSync } from 'node:fs';

/** A requirement that a test names in brackets in its title: `test('… [REST-1] [REST-2]'`. */
export interface Citation {
  readonly id: string;
  readonly file: string;
  readonly title: string;
}

const folder = new URL('..', import.meta.url).pathname;

/** The citations in the titles of all tests. */
export const citations: readonly Citation[] = globSync('**/*.test.ts', { cwd: folder })
  .sort()
  .flatMap((file) =>
    [
      ...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/\b(?:test|it|suite|describe)\(\s*(['"`])(.*?)\1/gs),
    ].flatMap(([, , title = '']) =>
      [...title.matchAll(/\[([A-Z]+-\d+)\]/g)].map(([, id]) => ({
        id: id!,
        file,
        // The values of placeholders are not known here.
        title: title.replaceAll(/ *\[[A-Z]+-\d+\]/g, '').replaceAll(/\$\{[^}]*\}/g, '…'),
      })),
    ),
  );
