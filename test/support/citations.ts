import { globSync, readFileSync } from 'node:fs';

/** A requirement named by a test, in brackets within its title: `test('… [REST-1] [REST-2]'`. */
export interface Citation {
  readonly id: string;
  readonly file: string;
  readonly title: string;
}

const folder = new URL('..', import.meta.url).pathname;

/** What the titles of all tests cite. */
export const citations: readonly Citation[] = globSync('**/*.test.ts', { cwd: folder })
  .sort()
  .flatMap((file) =>
    [
      ...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/\b(?:test|it|suite|describe)\(\s*(['"`])(.*?)\1/gs),
    ].flatMap(([, , title = '']) =>
      [...title.matchAll(/\[([A-Z]+-\d+)\]/g)].map(([, id]) => ({
        id: id!,
        file,
        // What stands there as the test runs is not known here.
        title: title.replaceAll(/ *\[[A-Z]+-\d+\]/g, '').replaceAll(/\$\{[^}]*\}/g, '…'),
      })),
    ),
  );
