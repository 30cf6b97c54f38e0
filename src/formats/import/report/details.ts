import type { LossReport } from './loss-report.ts';

/** Says what became of each value of an input, some hundred lines. */
export function toDetails({ carriedOver, changed, notCarriedOver, filledIn }: LossReport): string {
  const missing = [...Map.groupBy(notCarriedOver, ({ why }) => why)].flatMap(([why, values]) => [
    `${why}:`,
    ...values.map(({ where, value }) => `  ${where} “${value}”`),
  ]);
  return [
    ...section('Not carried over', missing),
    ...section(
      'Changed',
      changed.map(({ where, value, how }) => `${where} “${value}”: ${how}`),
    ),
    ...section(
      'Filled in or left empty',
      filledIn.map(({ field, value, why }) => `${field}: ${value || '(empty)'} (${why})`),
    ),
    ...section('Carried over unchanged', groupLocations(carriedOver)),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];

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
