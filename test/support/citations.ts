import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from '../../scripts/test.ts';

const root = join(import.meta.dirname, '../..');

/** The titles of all tests and suites, with the file of each as a path from `test`. The values of placeholders are not known here. */
export const titles = [...new Set([...filesOf('test'), ...filesOf('full'), ...filesOf('release')])]
  .sort()
  .flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /\b(?:test|it|suite|describe|testOnSqlite)\(\s*(['"`])(.*?)\1/gs,
      ),
    ].map(([, , title = '']) => ({ file: file.replace(/^test\//, ''), title: title.replaceAll(/\$\{[^}]*\}/g, '…') })),
  );

const isCitation = /\[([A-Z]+-\d+)\]/g;

/** A title without the requirements that it names in brackets: `test('… [REST-1] [REST-2]'`. */
export const withoutCitations = (title: string): string => title.replaceAll(/ *\[[A-Z]+-\d+\]/g, '');

/** The requirements that titles name, with the title of each. */
export const citations = titles.flatMap(({ file, title }) =>
  [...title.matchAll(isCitation)].map(([, id]) => ({ id: id!, file, title: withoutCitations(title) })),
);
