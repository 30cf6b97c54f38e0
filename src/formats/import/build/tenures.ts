import { byLatestEnd, startOfDate, unionOf } from '../../../model/dates.ts';
import type { Position } from '../readers/draft.ts';
import { type Period, toCompletedPeriod } from './dates.ts';

/** A position that says when it began. `until` is null while it goes on; an end that cannot be read is taken to be that of the start's own month or year. */
export interface DatedPosition extends Period {
  readonly position: Position;
  readonly from: string;
  readonly until: string | null;
}

/** Reads the dates of a position; undefined unless it says when it began. */
export function toDated(position: Position): DatedPosition | undefined {
  const { start, end } = position;
  const period = toCompletedPeriod(start, end);
  if (!period.start) return undefined;
  const until = period.end?.text ?? toCompletedPeriod(start, start).end!.text;
  return { position, ...period, from: period.start.text, until: period.isOngoing ? null : until };
}

/**
 * Groups positions into tenures, the times without a break at one company: its positions that overlap, or follow one another
 * without another company in between. Tenures are in the order of a profile, positions in each newest first.
 */
export function toTenures(positions: readonly DatedPosition[]): DatedPosition[][] {
  const tenures: DatedPosition[][] = [];
  const tenuresAt = new Map<string | Position, DatedPosition[][]>();
  // Positions of equal dates keep the source's order, which is newest first as a rule.
  for (const dated of positions.toReversed().sort(byTime)) {
    const [company, last] = [companyKeyOf(dated), tenures.at(-1)];
    const atCompany = tenuresAt.get(company) ?? [];
    const tenure = atCompany.find(
      (each) => each === last || dated.position.id !== undefined || continuesTenure(dated, each),
    );
    if (tenure) {
      tenure.push(dated);
      continue;
    }
    const begun = [dated];
    tenures.push(begun);
    tenuresAt.set(company, [...atCompany, begun]);
  }
  return tenures
    .map((tenure) => tenure.reverse())
    .reverse()
    .sort((one, other) => byLatestEnd(unionOf(one), unionOf(other)));
}

const byTime = (one: DatedPosition, other: DatedPosition) =>
  one.from.localeCompare(other.from) || (one.until ?? '9999').localeCompare(other.until ?? '9999');

/** Equal for positions at one company, whatever the case and spaces of its name; unique for a position without a company and an id. */
function companyKeyOf({ position }: DatedPosition): string | Position {
  const { id, company } = position;
  if (company === undefined && id === undefined) return position;
  return `${id?.text ?? ''} ${(company?.text ?? '').normalize('NFKC').toLowerCase().replace(/\s/g, '')}`;
}

/** Whether a position begins before a tenure ends, or within a month after. */
function continuesTenure({ from }: DatedPosition, tenure: readonly DatedPosition[]): boolean {
  const { until } = unionOf(tenure);
  return until === null || (startOfDate(from) - startOfDate(until)) / 86_400_000 <= 31;
}
