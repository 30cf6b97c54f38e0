import type { Profile } from 'resume-profile/profile-document';
import { sectionKeys } from 'resume-profile/resume-section';
import { pluralize } from 'resume-profile/text';
import { emptyList, type FilledIn, notSaid } from '../draft/fill.ts';
import type { Imported } from '../import-resume.ts';
import { type LossReport, nounOf, toPercent, totalOf } from './loss-report.ts';

/** Finds the line of a field in the document that was written, by its path; null if it has none of its own. */
type LineOf = (field: string) => number | null;

/** Sums up an import in some ten lines: the losses, the points that the owner should check, and the kept values. */
export function toSummary({ format, profile, lossReport }: Imported, lineOf: LineOf = () => null): string {
  const { sections, filledIn, notCarriedOver, faithfulness } = lossReport;
  const total = totalOf(sections);
  const others = notCarriedOver.filter(({ isContent }) => isContent === false).length;
  const [filled = [], empty = []] = [false, true].map((is) => filledIn.filter(({ value }) => is === isEmpty(value)));
  const contents = contentsOf(profile);
  return [
    `Read as ${format}; kept ${total.kept} of its ${pluralize(total.values, 'value')}, ` +
      `${toPercent(total.kept, total.values)} %${total.noted === 0 ? '' : `, ${total.noted} of them in notes`}` +
      `${others === 0 ? '' : `, not counting ${others} about its layout or private`}.`,
    ...(faithfulness.length === 0
      ? []
      : [`As written: ${faithfulness.map(({ of, values, kept }) => `${of} ${kept} of ${values}`).join(', ')}.`]),
    ...block(
      'Lost:',
      sections.flatMap(({ losses }) => losses),
    ),
    ...block(
      'Kept in notes, which are shown to nobody:',
      sections.flatMap(({ notes }) => notes),
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

/** A line for each group of fields: their lines in the document, their paths, the value of a single one, the reason. */
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

/** Counts the entries of a profile by kind: `3 jobs`, `2 schools`, `4 in “Talks”`. */
function contentsOf({ experience, projects, resume }: Profile): string[] {
  const jobs = experience.reduce((sum, { roles }) => sum + Math.max(1, roles.length), 0);
  const lists = { ...resume, projects, references: resume.references?.entries };
  const counts = [...sectionKeys, 'links' as const].flatMap((key) => {
    if (key === 'summary') return [];
    const [count, section] = key === 'experience' ? [jobs, 'work' as const] : [lists[key]?.length, key];
    return count ? pluralize(count, nounOf[section]) : [];
  });
  return [...counts, ...(resume.sections ?? []).map(({ title, entries }) => `${entries.length} in “${title}”`)];
}

/** Says the fate of each value of an input, in some hundred lines. */
export function toDetails({ carriedOver, changed, notCarriedOver, filledIn, faithfulness }: LossReport): string {
  const byReason = (of: 'lost' | 'noted') =>
    [
      ...Map.groupBy(
        notCarriedOver.filter(({ isNoted }) => (of === 'noted') === (isNoted === true)),
        ({ why }) => why,
      ),
    ].flatMap(([why, same]) => [`${why}:`, ...same.map(({ where, value }) => `  ${where} “${value}”`)]);
  return [
    ...block('Not carried over:', byReason('lost')),
    ...block('Kept in notes:', byReason('noted')),
    ...block(
      'Not as written:',
      faithfulness.flatMap(({ of, places }) => places.map((place) => `${of}: ${place}`)),
    ),
    ...block(
      'Changed:',
      changed.map(({ where, value, how }) => `${where} “${value}”: ${how}`),
    ),
    ...block(
      'Filled in or left empty:',
      filledIn.map(({ field, value, why }) => `${field}: ${value || '(empty)'} (${why})`),
    ),
    ...block('Carried over unchanged:', groupLocations(carriedOver)),
  ].join('\n');
}

/** Groups locations by object or row, one line each: `work[0]: name, position, highlights[0, 1]`. */
function groupLocations(values: readonly { where: string }[]): string[] {
  const split = values.map(
    ({ where }) =>
      /^(?:(?<parent>.*)(?:: |\.))?(?<field>(?:[^.:]|:(?! ))*?)(?:\[(?<index>\d+)\])?$/.exec(where)!.groups!,
  );
  return [...Map.groupBy(split, ({ parent }) => parent)].map(([parent, fields]) => {
    const names = [...Map.groupBy(fields, ({ field }) => field)].map(([field, same]) => {
      const indices = same.flatMap(({ index }) => index ?? []);
      return indices.length > 0 ? `${field}[${indices.join(', ')}]` : field;
    });
    return parent === undefined ? names.join(', ') : `${parent}: ${names.join(', ')}`;
  });
}

/** Why too little of an import is in its place for a profile: no job, or under half of the content; otherwise null. */
export function refusalOf({ format, lossReport: { sections } }: Imported): string | null {
  const { values, kept, noted } = totalOf(sections);
  const work = sections.find(({ section }) => section === 'work');
  if (work && work.kept === work.noted) return `read as ${format}, it has jobs, but none of them could be read`;
  const placed = kept - noted;
  if (2 * placed < values)
    return `read as ${format}, only ${placed} of its ${values} values have a place in a profile, ${toPercent(placed, values)} %`;
  return null;
}
