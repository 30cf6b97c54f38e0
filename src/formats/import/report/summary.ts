import { pluralize } from '../../../model/pluralize.ts';
import { emptyList, type FilledIn, notSaid } from '../build/fill.ts';
import type { Imported } from '../import-profile.ts';
import { contentsOf } from './contents.ts';
import { toPercent, totalOf } from './loss-report.ts';

/** Finds the line of a field in the document that was written, by its path; null if it has none of its own. */
export type LineOf = (field: string) => number | null;

/** Says in some ten lines what became of an import: what is lost, what the owner should look at, and what is kept. */
export function toSummary({ format, profile, lossReport }: Imported, lineOf: LineOf = () => null): string {
  const { sections, filledIn, notCarriedOver } = lossReport;
  const total = totalOf(sections);
  const others = notCarriedOver.filter(({ isContent }) => isContent === false).length;
  const [filled = [], empty = []] = [false, true].map((is) => filledIn.filter(({ value }) => is === isEmpty(value)));
  const contents = contentsOf(profile);
  return [
    `Read as ${format}; kept ${total.kept} of its ${pluralize(total.values, 'value')}, ${toPercent(total)} %` +
      `${others === 0 ? '' : `, not counting ${others} about its layout or private`}.`,
    ...block(
      'Lost:',
      sections.flatMap(({ losses }) => losses),
    ),
    ...block('Left empty, because the resume does not say it:', toLines(Map.groupBy(empty, patternOf), lineOf)),
    ...block(
      'Filled in; correct what is wrong:',
      toLines(
        Map.groupBy(filled, ({ why }) => why),
        lineOf,
      ),
    ),
    ...(contents.length === 0 ? [] : ['', `Kept: ${contents.join(', ')}.`]),
  ].join('\n');
}

/** A line for each group of fields: their lines in the document, their paths, the value of a single one, and the reason. */
const toLines = (groups: ReadonlyMap<string, readonly FilledIn[]>, lineOf: LineOf): string[] =>
  [...groups.values()].map((same) => {
    const [{ field, value, why }, ...others] = same as [FilledIn, ...FilledIn[]];
    const fields = others.length > 0 ? [...new Set(same.map(patternOf))].join(', ') : field;
    const shown = others.length > 0 || isEmpty(value) ? '' : `: ${value}`;
    return `${linesOf(same, lineOf)}${fields}${shown}${why === notSaid ? '' : ` (${why})`}`;
  });

const isEmpty = (value: string) => value === '' || value === emptyList;

const block = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

/** The path of a field without indices: that of all entries. */
const patternOf = ({ field }: FilledIn) => field.replace(/\[\d+\]/g, '[]');

const maxLines = 6;

function linesOf(fields: readonly FilledIn[], lineOf: LineOf): string {
  const lines = fields.flatMap(({ field }) => lineOf(field) ?? []);
  if (lines.length === 0) return '';
  const more = lines.length - maxLines;
  const shown = lines.slice(0, maxLines).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${more > 0 ? ` and ${more} more` : ''}: `;
}
