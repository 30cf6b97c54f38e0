import type { Profile } from 'resume-profile/profile-document';
import { sectionKeys } from 'resume-profile/resume-section';
import { pluralize } from 'resume-profile/text';
import { emptyList, type FilledIn, notSaid } from '../draft/fill.ts';
import type { Imported } from '../import-resume.ts';
import { type LossReport, nounOf, toPercent, totalOf } from './loss-report.ts';

type LineOf = (field: string) => number | null;

/**
 * Sums up an import in some ten lines: the losses, the points that the owner should check, and the kept values. `lineOf` finds
 * the line of a field in the document that was written, by its path; null if it has no line of its own.
 */
export function toSummary({ format, profile, report }: Imported, lineOf: LineOf = () => null): string {
  const { sections, filledIn, notCarriedOver } = report;
  const total = totalOf(sections);
  const others = notCarriedOver.filter(({ isContent }) => isContent === false).length;
  const { empty = [], filled = [] } = Object.groupBy(filledIn, ({ value }) => (isEmpty(value) ? 'empty' : 'filled'));
  const losses = sections.flatMap((section) => section.losses);
  const notes = sections.flatMap((section) => section.notes);
  const byReason = Map.groupBy(filled, ({ why }) => why);
  const contents = contentsOf(profile);
  return [
    `Read as ${format}; kept ${total.kept} of its ${pluralize(total.values, 'value')}, ` +
      `${toPercent(total.kept, total.values)} %${total.noted === 0 ? '' : `, ${total.noted} of them in notes`}` +
      `${others === 0 ? '' : `, not counting ${others} about its layout or private`}.`,
    ...block('Lost:', losses),
    ...block('Kept in notes, which are shown to nobody:', notes),
    ...block('Left empty, because the resume does not say it:', toLines(Map.groupBy(empty, patternOf), lineOf)),
    ...block('Filled in; correct what is wrong:', toLines(byReason, lineOf)),
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

/** The path of a field without indices, which stands for all entries. */
const patternOf = ({ field }: FilledIn) => field.replace(/\[\d+\]/g, '[]');

function linesOf(fields: readonly FilledIn[], lineOf: LineOf): string {
  const lines = fields.flatMap(({ field }) => lineOf(field) ?? []);
  if (lines.length === 0) return '';
  const more = lines.length > 6 ? ` and ${lines.length - 6} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 6).join(', ')}${more}: `;
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
export function toDetails({ carriedOver, changed, notCarriedOver, filledIn }: LossReport): string {
  const { lost = [], noted = [] } = Object.groupBy(notCarriedOver, ({ isNoted }) => (isNoted ? 'noted' : 'lost'));
  const byReason = (values: typeof notCarriedOver) =>
    [...Map.groupBy(values, ({ why }) => why)].flatMap(([why, same]) => [
      `${why}:`,
      ...same.map(({ where, value }) => `  ${where} “${value}”`),
    ]);
  const parts = carriedOver.map(({ where }) => /^(?:(.*)(?:: |\.))?(.*)$/.exec(where)!);
  const unchanged = [...Map.groupBy(parts, ([, parent = '']) => parent)].map(
    ([parent, same]) => `${parent === '' ? '' : `${parent}: `}${same.map(([, , field]) => field).join(', ')}`,
  );
  const changes = changed.map(({ where, value, how }) => `${where} “${value}”: ${how}`);
  const fields = filledIn.map(({ field, value, why }) => `${field}: ${value || '(empty)'} (${why})`);
  return [
    ...block('Not carried over:', byReason(lost)),
    ...block('Kept in notes:', byReason(noted)),
    ...block('Changed:', changes),
    ...block('Filled in or left empty:', fields),
    ...block('Carried over unchanged:', unchanged),
  ].join('\n');
}

/** Why too little of an import is in its place for a profile: no job, or under half of the content; otherwise null. */
export function refusalOf({ format, report: { sections } }: Imported): string | null {
  const { values, kept, noted } = totalOf(sections);
  const work = sections.find(({ section }) => section === 'work');
  if (work && work.kept === work.noted) return `read as ${format}, it has jobs, but none of them could be read`;
  const placed = kept - noted;
  if (2 * placed < values)
    return `read as ${format}, only ${placed} of its ${values} values have a place in a profile, ${toPercent(placed, values)} %`;
  return null;
}
