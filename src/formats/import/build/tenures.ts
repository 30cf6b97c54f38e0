import { startOfDate, unionOf } from '../../../model/dates.ts';
import type { Position } from '../readers/draft.ts';
import { type Period, toCompletedPeriod } from './dates.ts';

/** A position with its dates read. `from` and `until` (null while it goes on) are estimates if the source has none. */
export interface DatedPosition extends Period {
  readonly position: Position;
  readonly from: string;
  readonly until: string | null;
}

/**
 * Groups positions into tenures, the times without a break at one company: its positions that overlap, or follow one another
 * without another company in between. The newest tenure comes first, and the newest position in each.
 */
export function toTenures(positions: readonly Position[]): DatedPosition[][] {
  const tenures: DatedPosition[][] = [];
  const tenuresAt = new Map<string | Position, DatedPosition[][]>();
  // Positions of equal dates keep the source's order, which is newest first as a rule.
  for (const dated of toDatedPositions(positions).reverse().sort(byTime)) {
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
  return tenures.map((tenure) => tenure.reverse()).reverse();
}

/** Without a start, a position that goes on is taken to have begun on the latest date known, any other on the earliest. */
function toDatedPositions(positions: readonly Position[]): DatedPosition[] {
  const periods = positions.map(({ start, end }) => toCompletedPeriod(start, end));
  const dates = periods.flatMap(({ start, end, isOngoing }) => [start?.text ?? [], isOngoing ? [] : (end?.text ?? [])]);
  const known = dates.flat().sort();
  return positions.map((position, index) => {
    const { start, end, isOngoing } = periods[index]!;
    const goesOn = isOngoing && (start !== undefined || end !== undefined);
    const from = start?.text ?? (goesOn ? known.at(-1) : (end?.text ?? known[0])) ?? '2000-01-01';
    return { position, start, end, isOngoing: goesOn, from, until: goesOn ? null : (end?.text ?? from) };
  });
}

const byTime = (one: DatedPosition, other: DatedPosition) =>
  one.from.localeCompare(other.from) || (one.until ?? '9999').localeCompare(other.until ?? '9999');

/** Equal for positions at one company, whatever the case and spaces of its name; unique for a position without a company. */
function companyKeyOf({ position }: DatedPosition): string | Position {
  const { id, company } = position;
  if (company === undefined) return position;
  return `${id?.text ?? ''} ${company.text.normalize('NFKC').toLowerCase().replace(/\s/g, '')}`;
}

/** Whether a position begins before a tenure ends, or within a month after; within a year if the end may be known by its year only. */
function continuesTenure({ from }: DatedPosition, tenure: readonly DatedPosition[]): boolean {
  const { until } = unionOf(tenure);
  return (
    until === null || (startOfDate(from) - startOfDate(until)) / 86_400_000 <= (until.endsWith('-01-01') ? 366 : 31)
  );
}
