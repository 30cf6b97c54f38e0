import { type Spread, spreadOf } from './statistics.ts';

/** The results of a section of the report. */
export interface Section {
  readonly title: string;
  /** A paragraph on the measurement. */
  readonly text: string;
  /** The first row is the head. */
  readonly table: readonly (readonly string[])[];
  readonly goals: readonly Goal[];
}

/** A measured value beside the value aimed at. */
export interface Goal {
  readonly work: string;
  readonly measured: Spread;
  readonly unit: '×' | 'MB' | 'ms';
  readonly limit: '≤' | '≥';
  readonly value: number;
  /** Whether every process is to reach it, and not only their median. */
  readonly isForWorst: boolean;
}

/** Returns a goal for values that are measured, one a round. */
export const goalOf = (
  work: string,
  values: readonly number[],
  unit: Goal['unit'],
  limit: Goal['limit'],
  value: number,
  isForWorst = false,
): Goal => ({ work, measured: spreadOf(values), unit, limit, value, isForWorst });

/** Returns a goal for the median of ratios, one a round. */
export const ratioGoal = (work: string, ratios: readonly number[], limit: Goal['limit'], value: number): Goal =>
  goalOf(work, ratios, '×', limit, value);

/** Prints a median with the lowest and the highest value. */
export const toText = ({ median, low, high }: Spread): string =>
  `${toDigits(median)} (${toDigits(low)}–${toDigits(high)})`;

/** Prints a number with three digits or more. */
export function toDigits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}

export const toTable = ([head = [], ...rows]: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export function toGoals(goals: readonly Goal[]): string {
  const rows = goals.map(({ work, measured, unit, limit, value, isForWorst }) => {
    const isMet = limit === '≤' ? (isForWorst ? measured.high : measured.median) <= value : measured.median >= value;
    const goal = `${limit} ${value} ${unit}${isForWorst ? ', the worst' : ''}`;
    return [work, `${toText(measured)} ${unit}`, goal, isMet ? 'yes' : '**no**'];
  });
  return toTable([['Work', 'Measured', 'Goal', 'Met'], ...rows]);
}

export const toSection = ({ title, text, table }: Section): string => `## ${title}\n\n${text}\n\n${toTable(table)}\n`;

/** Returns the goals with what was measured, which `bench/results.md` keeps. */
export const toSummary = (sections: readonly Section[], machine: readonly string[]): string => `# Benchmarks

For those who ask how fast the service is. Written by \`npm run bench\`, which also prints the table of each measurement. Servers are measured
in turn on the same machine, each in a new process in every round. A ratio compares two servers in the same round: the CPU of the server
per request, unless the row names something else, as median (lowest–highest) of all rounds. Only ratios hold on another machine.

${machine.map((line) => `- ${line}`).join('\n')}

## Goals

${toGoals(sections.flatMap(({ goals }) => goals))}
`;

/** Returns the whole report. */
export const toReport = (sections: readonly Section[], machine: readonly string[]): string =>
  `${toSummary(sections, machine)}
${sections.map(toSection).join('\n')}`;
