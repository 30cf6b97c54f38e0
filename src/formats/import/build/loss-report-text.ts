import type { LossReport } from './loss-report.ts';

/** Writes the loss report of an import from a format as text for a terminal. */
export function toLossReportText(
  format: string,
  { carriedOver, changed, notCarriedOver, filledIn }: LossReport,
): string {
  const total = carriedOver.length + changed.length + notCarriedOver.length;
  const missing = [...Map.groupBy(notCarriedOver, ({ why }) => why)].flatMap(([why, values]) => [
    `${why}:`,
    ...values.map(({ where, value }) => `  ${where} “${value}”`),
  ]);
  return [
    `Read as ${format}. Of its ${total} values ${carriedOver.length} are carried over, ${changed.length} changed, ` +
      `${notCarriedOver.length} not carried over; ${filledIn.length} fields are filled in.`,
    ...section('Carried over unchanged', groupLocations(carriedOver)),
    ...section(
      'Changed',
      changed.map(({ where, value, how }) => `${where} “${value}”: ${how}`),
    ),
    ...section('Not carried over', missing),
    ...section(
      'Filled in because the profile needs it; correct what is wrong',
      filledIn.map(({ field, value, why }) => `${field}: ${value} (${why})`),
    ),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

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
