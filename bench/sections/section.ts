import type { Section } from '../report.ts';
import { toDigits, toText } from '../report.ts';
import type { Effort, Series } from '../rounds.ts';
import { ratiosOf, spreadOf } from '../statistics.ts';

/** How a run of the benchmarks measures. */
export interface Run {
  readonly effort: Effort;
  /** Whether the run is a short one, for while one works. */
  readonly isQuick: boolean;
  /** For the data of all servers. */
  readonly folder: string;
}

/** Measures one part of the report. */
export type Measure = (run: Run) => Promise<Section>;

/** Returns the works that a run measures: a short one only those in short runs. */
export const worksOfRun = <Work extends { readonly inQuickRun?: boolean }>(
  { isQuick }: Run,
  works: readonly Work[],
): Work[] => works.filter(({ inQuickRun = false }) => inQuickRun || !isQuick);

export const seriesHead = ['Work', 'Server', 'CPU, µs a request', 'Ratio', 'Requests/s', 'p99, ms'];

/** Returns a row a server; the ratio is that of the CPU to the first one's. */
export function seriesRows(work: string, series: readonly Series[]): string[][] {
  const [first] = series;
  return series.map(({ name, cpuUs, perSecond, p99Ms }, index) => [
    index === 0 ? work : '',
    name,
    toDigits(spreadOf(cpuUs).median),
    index === 0 ? '1' : toText(spreadOf(ratiosOf(cpuUs, first!.cpuUs))),
    toDigits(spreadOf(perSecond).median),
    toDigits(spreadOf(p99Ms).median),
  ]);
}
