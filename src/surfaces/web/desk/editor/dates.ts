import { toDate as findDate, isPresentWord } from 'resume-profile/date-reader';

/** Returns a typed date as the document writes it, or the text if it is not one date: `05/03/2018` may be two. */
export function toDate(typed: string): number | string {
  const found = findDate(typed);
  if (found?.isWhole !== true) return typed;
  return found.date.length === 4 ? Number(found.date) : found.date;
}

/** Returns the date in a form: null if it is ongoing, undefined if it is left out. */
export function readDate(
  goesOn: 'never' | 'if-empty' | 'by-box',
  { typed, isTicked }: { readonly typed: string; readonly isTicked: boolean },
  before: unknown,
): unknown {
  const isKept = typed === toText(before);
  if (goesOn === 'by-box') {
    // The change counts: a typed date although the box is still ticked, a tick although the old date is still there.
    if (isTicked && (typed === '' || isKept)) return null;
    if (typed === '') return undefined;
  }
  if (isKept) return before;
  if (goesOn !== 'never' && isPresentWord(typed)) return null;
  if (typed === '') return goesOn === 'if-empty' ? null : undefined;
  return toDate(typed);
}

/** A map of the profile document. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Returns a company whose dates follow changed dates of its roles. A date that was edited, or did not agree with the
 * roles before, stays; two missing dates agree.
 */
export function followingRoles(company: Values, before: unknown): Values {
  const old = (before ?? {}) as Values;
  const [were, are] = [periodOf(old.roles), periodOf(company.roles)];
  const changed = (['company_start_date', 'company_end_date'] as const).filter(
    (key) =>
      toText(company[key]) === toText(old[key]) &&
      agree(toText(old[key]), toText(were[key])) &&
      toText(were[key]) !== toText(are[key]),
  );
  const dated: Values = { ...company, ...Object.fromEntries(changed.map((key) => [key, are[key]])) };
  if ('company_start_date' in company) return dated;
  const rankOf = (key: string) => firstKeys.indexOf(key) + 1 || firstKeys.length + 1;
  return Object.fromEntries(Object.entries(dated).toSorted(([one], [other]) => rankOf(one) - rankOf(other)));
}

/** The keys that a new company has first. */
const firstKeys = ['id', 'company', 'location', 'company_start_date', 'company_end_date'];

/** When the first role began and the last one ended; the end is null if a role is ongoing. */
function periodOf(roles: unknown): Readonly<Record<'company_start_date' | 'company_end_date', unknown>> {
  const list = (Array.isArray(roles) ? roles : []) as readonly (Values | null)[];
  const [starts, ends] = ['start_date', 'end_date'].map((key) =>
    list.map((role) => role?.[key] ?? null).toSorted(byText),
  );
  return {
    company_start_date: starts!.find((date) => date !== null) ?? undefined,
    company_end_date: ends!.includes(null) ? null : (ends!.at(-1) ?? null),
  };
}

/** Whether two dates are equal, or one is the year or month of the other. */
const agree = (one: string, other: string): boolean =>
  one === other || (one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one)));

const toText = (value: unknown): string => String(value ?? '');

const byText = (one: unknown, other: unknown): number => (toText(one) < toText(other) ? -1 : 1);
