import type { Imported } from '../import-profile.ts';
import { toPercent, totalOf } from './loss-report.ts';

/** Says why a profile should not be made of an import that loses too much: all jobs, or more than half of the content. Null if it may. */
export function refusalOf({ format, lossReport: { sections } }: Imported): string | null {
  const total = totalOf(sections);
  const work = sections.find(({ section }) => section === 'work');
  if (work?.kept === 0) return `read as ${format}, it has jobs, but none of them could be read`;
  if (2 * total.kept < total.values)
    return `read as ${format}, only ${total.kept} of its ${total.values} values could be kept, ${toPercent(total)} %`;
  return null;
}
