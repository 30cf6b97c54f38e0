import { toCandidateKey, toFreeId, toId } from 'resume-profile/ids';
import { equals } from './patch.ts';
import type { Value } from './working-copy.ts';

type PlainMap = Readonly<Record<string, Value>>;
const isMap = (value: Value): value is PlainMap => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : []);
const mapOf = (value: Value): PlainMap => (isMap(value) ? value : {});

/**
 * Returns edited values with what follows from them: ids of new entries, whether a job is current, dates of a company that
 * follow those of its roles, required lists and texts that are still empty. An entry that stayed as it was is left alone.
 */
export function completed(before: Value, now: Value): Value {
  if (!isMap(now) || equals(before, now)) return now;
  const old = mapOf(before);
  const { candidate, experience, projects, availability, resume } = now;
  const { references, sections } = mapOf(resume);
  return {
    ...mapOf(withoutEmptyItems(now, old)),
    candidate: ofCandidate(candidate, old.candidate),
    experience: entriesOf('exp', 'company', experience, old.experience, ofCompany),
    projects: entriesOf('proj', 'name', projects, old.projects, (entry) => ({ name: '', summary: '', ...entry })),
    availability: { status: '', ...mapOf(availability) },
    resume: {
      ...mapOf(withoutEmptyItems(resume, old.resume)),
      ...('skills' in mapOf(resume) || 'skill_groups' in mapOf(resume) ? {} : { skills: [] }),
      ...(references === undefined ? {} : { references: withEntries(references) }),
      ...(sections === undefined ? {} : { sections: listOf(withoutEmptyItems(sections, undefined)).map(withEntries) }),
    },
  };
}

const withEntries = (value: Value): Value =>
  isMap(value) ? withoutEmptyItems({ entries: [], ...value }, undefined) : value;

/** Leaves out items of changed lists that nobody has typed into. */
function withoutEmptyItems(value: Value, before: Value): Value {
  if (equals(value, before)) return value;
  if (Array.isArray(value))
    return value.map((item) => withoutEmptyItems(item, undefined)).filter((item) => item !== '' && !equals(item, {}));
  if (!isMap(value)) return value;
  const old = mapOf(before);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutEmptyItems(inner, old[key])]));
}

function ofCandidate(value: Value, before: Value): Value {
  if (value !== undefined && equals(value, before)) return value;
  const candidate: PlainMap = { name: '', title: '', location: '', summary: '', domains: [], ...mapOf(value) };
  return isUnset(candidate.id) ? { ...candidate, id: toId('cand', toCandidateKey(String(candidate.name))) } : candidate;
}

const isUnset = (value: Value): boolean => value === undefined || value === null || value === '';

/** Completes the changed entries of a list, and gives new ones an id that is derived from their names. */
function entriesOf(
  prefix: string,
  nameKey: string,
  value: Value,
  before: Value,
  complete: (entry: PlainMap, before: PlainMap) => PlainMap,
): Value {
  const list = listOf(withoutEmptyItems(value ?? [], before));
  const [old, used] = [listOf(before).map(mapOf), new Set(list.map((entry) => String(mapOf(entry).id ?? '')))];
  const entries = list.map((entry) => {
    if (!isMap(entry)) return entry;
    const known = old.find(({ id }) => !isUnset(id) && id === entry.id);
    if (known !== undefined && equals(known, entry)) return entry;
    const whole = complete(entry, known ?? {});
    if (!isUnset(entry.id)) return whole;
    const id = toFreeId(toId(prefix, String(entry[nameKey] ?? '')), used);
    used.add(id);
    return { ...whole, id };
  });
  return Array.isArray(value) || value === undefined ? entries : value;
}

/** The order of the keys of a new job and of a new role. */
const companyKeys = [
  ...['id', 'company', 'url', 'location', 'company_start_date', 'company_end_date', 'current', 'summary'],
  'roles',
];
const roleKeys = ['title', 'location', 'start_date', 'end_date', 'summary', 'accomplishments'];

const inOrder = (map: PlainMap, keys: readonly string[]): PlainMap => {
  const rankOf = (key: string) => keys.indexOf(key) + 1 || keys.length + 1;
  return Object.fromEntries(Object.entries(map).toSorted(([one], [other]) => rankOf(one) - rankOf(other)));
};

function ofCompany(entry: PlainMap, before: PlainMap): PlainMap {
  const roles = listOf(entry.roles).map((role) =>
    isMap(role) ? inOrder({ title: '', accomplishments: [], ...role }, roleKeys) : role,
  );
  const dated = followingRoles({ company: '', summary: '', ...entry, roles }, before);
  const company = { ...dated, current: isUnset(dated.company_end_date) };
  return Object.keys(before).length === 0 ? inOrder({ id: '', ...company }, companyKeys) : company;
}

const dateKeys = ['company_start_date', 'company_end_date'] as const;

/**
 * Returns a company whose dates follow changed dates of its roles. A date that was edited, or did not agree with the
 * roles before, stays, and so do the dates of a company without roles; two missing dates agree.
 */
function followingRoles(company: PlainMap, before: PlainMap): PlainMap {
  if (listOf(company.roles).length === 0) return company;
  const [were, are] = [periodOf(before.roles), periodOf(company.roles)];
  const changed = dateKeys.filter(
    (key) =>
      toText(company[key]) === toText(before[key]) &&
      agree(toText(before[key]), toText(were[key])) &&
      toText(were[key]) !== toText(are[key]),
  );
  return { ...company, ...Object.fromEntries(changed.map((key) => [key, are[key]])) };
}

/** When the first role began and the last one ended; the end is null if a role is ongoing. */
function periodOf(roles: Value): Readonly<Record<(typeof dateKeys)[number], Value>> {
  const [starts, ends] = ['start_date', 'end_date'].map((key) =>
    listOf(roles)
      .map((role) => mapOf(role)[key] ?? null)
      .toSorted((one, other) => (toText(one) < toText(other) ? -1 : 1)),
  );
  return {
    company_start_date: starts!.find((date) => date !== null) ?? undefined,
    company_end_date: ends!.includes(null) ? null : (ends!.at(-1) ?? null),
  };
}

/** Whether two dates are equal, or one is the year or month of the other. */
const agree = (one: string, other: string): boolean =>
  one === other || (one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one)));

const toText = (value: Value): string => String(value ?? '');
