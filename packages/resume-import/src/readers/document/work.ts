import type { Draft, DraftEntry, Position } from '../../draft/draft.ts';
import { toCoarsePeriod, toDateRange } from '../../source/dates.ts';
import { joined, type Value } from '../../source/value.ts';
import { type Entry, mostFrequent, type Part, splitAt, splitPart } from './entries.ts';
import { isCompany, isDegree, isJobTitle, isPlace, isSchool } from './wording.ts';

/** Finds the dates, the place and the address of an entry, and the parts of its head that are left. */
export function toRest({ parts, period }: Pick<Entry, 'parts' | 'period'>) {
  const address = parts.find(({ text }) => /^(https?:\/\/|www\.)\S+$|^[\w-]+(\.[\w-]+)+\/\S*$/i.test(text));
  // The first part is a name.
  const place = parts.slice(1).findLast(({ text }) => isPlace(text));
  return {
    ...toDateRange(period),
    location: place?.value,
    url: address?.value,
    parts: parts.filter((part) => part !== address && part !== place),
  };
}

const valuesOf = (parts: readonly Part[]) => parts.map(({ value }) => value);

/** The paragraphs of an entry before its bullets are its summary; the rest are highlights. */
export function toBody({ body }: Pick<Entry, 'body'>): { summary: Value | undefined; highlights: Value[] } {
  const bullet = body.findIndex(({ isBullet }) => isBullet);
  const lead = bullet === -1 ? body.length : bullet;
  const values = body.map(({ value }) => value);
  return { summary: joined(values.slice(0, lead), '\n', 'lines joined'), highlights: values.slice(lead) };
}

/** An entry of a section of the document's own: only its name and its dates are recognized. */
export function toFreeEntry(entry: Entry): DraftEntry {
  const { start, end, url } = toRest(entry);
  const { summary, highlights } = toBody(entry);
  const dates = entry.isRange ? { start, end } : { date: start };
  // Two names look like a place.
  const [name, ...details] = entry.parts.filter(({ value }) => value !== url);
  return { name: name?.value, details: joined(valuesOf(details), ', ', 'joined'), ...dates, url, summary, highlights };
}

/** Splits each entry into company and title. Entries that are not jobs are returned in `others`. */
export function toPositions(entries: readonly Entry[]): { positions: Position[]; others: DraftEntry[] } {
  const rests = entries.map((entry) => {
    const rest = toRest(entry);
    const [only, ...more] = rest.parts;
    return { entry, rest: { ...rest, parts: only && more.length === 0 ? splitPart(only, isJobTitle) : rest.parts } };
  });
  // Entries with unclear wording are read as most others are.
  const patterns = rests.flatMap((each, index) =>
    isTenure(each, rests[index + 1]) ? [] : (patternOf(each.rest.parts) ?? []),
  );
  const key = mostFrequent(patterns.map((each) => [keyOf(each), 1]));
  const pattern = patterns.find((each) => keyOf(each) === key);
  const companies = rests.flatMap(({ rest: { parts } }) => toRoles(parts, pattern)?.company ?? []);
  const areWithPlace = companies.length > 1 && companies.every(({ text }) => companyAndPlace.test(text));
  const positions: Position[] = [];
  const others: DraftEntry[] = [];
  let previous: { company: Part; key: string; isAbove: boolean } | undefined;
  let tenure: Job | undefined;
  for (const [index, job] of rests.entries()) {
    const { entry, rest } = job;
    if (isTenure(job, rests[index + 1])) {
      tenure = job;
      continue;
    }
    if (tenure && isRoleIn(tenure, job)) {
      positions.push(toRole(tenure, job, !isRoleIn(tenure, rests[index - 1]!)));
      continue;
    }
    tenure = undefined;
    const { parts, ...common } = rest;
    const roles = toRoles(parts, pattern);
    const inherited = previous?.isAbove && previous.key === entry.key ? previous.company : undefined;
    const company = roles?.company ?? (roles && entry.parts.length === 1 ? inherited : undefined);
    if (!roles) {
      others.push(toFreeEntry(entry));
      continue;
    }
    const isWithPlace = company && (areWithPlace || (companyAndPlace.test(company.text) && isCompany(company.text)));
    const [name, place] = isWithPlace ? splitAt(company, company.text.indexOf(',')) : [company];
    positions.push({
      ...common,
      ...(place && !common.location && { location: place.value }),
      title: roles.title?.value,
      company: (common.location ? company : name)?.value,
      about: joined(valuesOf(parts.filter((part) => part !== roles.title && part !== roles.company)), ', ', 'joined'),
      ...toBody(entry),
    });
    if (roles.company && roles.title)
      previous = { company: roles.company, key: entry.key, isAbove: roles.company.row < roles.title.row };
  }
  return { positions, others };
}

const keyOf = ({ title, company }: Pattern) => `${title} ${company}`;

type Job = { readonly entry: Entry; readonly rest: ReturnType<typeof toRest> };

/** Whether an entry is a company with its dates, and the next entry a role there. */
const isTenure = (job: Job, next: Job | undefined): boolean =>
  next !== undefined &&
  job.rest.parts.length > 0 &&
  !job.rest.parts.some(({ text }) => isJobTitle(text)) &&
  isRoleIn(job, next);

/** Whether a job is a role in a tenure: within its time, and of another style or nothing but a title. */
function isRoleIn(tenure: Job, { entry, rest }: Job): boolean {
  const [span, own] = [spanOf(tenure.entry), spanOf(entry)];
  const isWithin = own !== null && span !== null && own.from >= span.from && own.until <= span.until;
  const [title, ...others] = rest.parts;
  if (!isWithin || !title || others.length > 1 || entry === tenure.entry) return false;
  return entry.key === tenure.entry.key ? others.length === 0 && isJobTitle(title.text) : true;
}

/** The first and last month of an entry, as `YYYY-MM`; null without a start. */
function spanOf({ period }: Entry): { from: string; until: string } | null {
  if (!period) return null;
  const { start, end } = toDateRange(period);
  const { start: from, end: until, isOngoing } = toCoarsePeriod(start, end);
  if (!from) return null;
  const last = isOngoing || !until ? '9999' : until.text;
  return { from: `${from.text}-01`.slice(0, 7), until: `${last}-12`.slice(0, 7) };
}

/** A role below its company, whose description is in the first role. */
function toRole(
  { entry: head, rest: company }: Job,
  { entry, rest: { parts, ...common } }: Job,
  isFirst: boolean,
): Position {
  const [name, ...more] = company.parts;
  const [title, place] = parts;
  const { summary, highlights } = toBody(head);
  const lines = [...valuesOf(more.slice(company.location ? 0 : 1)), summary, ...highlights];
  return {
    ...common,
    title: title?.value,
    ...(place && !common.location && { location: place.value }),
    company: name?.value,
    tenureStart: company.start,
    tenureEnd: company.end,
    tenureLocation: company.location ?? more[0]?.value,
    ...(isFirst && { about: joined(lines, '\n', 'lines joined') }),
    ...toBody(entry),
  };
}

/** A name, and a word or a few that may be a place. */
const companyAndPlace = /^[^,]+, \p{Lu}[\p{L}.’' -]{1,30}$/u;

/** The numbers of the parts that are title and company. */
type Pattern = { readonly title: number; readonly company: number };

/** Finds the title and the company by the wording of one of them; undefined if neither has such wording. */
function patternOf(parts: readonly Part[]): Pattern | undefined {
  if (parts.length < 2) return undefined;
  const titles = parts.flatMap(({ text }, index) => (isJobTitle(text) ? [index] : []));
  const [title, ...others] = titles as [number, ...number[]];
  if (titles.length > 0 && others.length === 0) return { title, company: title === 0 ? 1 : 0 };
  const companies = parts.slice(0, 2).flatMap(({ text }, index) => (isCompany(text) ? [index] : []));
  return companies.length === 1 ? { title: 1 - companies[0]!, company: companies[0]! } : undefined;
}

/** The company and the title among the parts of a head; null if they are unclear. */
function toRoles(parts: readonly Part[], most: Pattern | undefined): { company?: Part; title?: Part } | null {
  const [first, second] = parts;
  if (!first) return null;
  if (!second) return isJobTitle(first.text) ? { title: first } : null;
  const own = patternOf(parts) ?? most;
  const [title, company] = [parts[own?.title ?? -1], parts[own?.company ?? -1]];
  return title && company ? { title, company } : null;
}

/** Names of organizations that have the word of a role in them, such as Volunteer Fire Department. */
const isOrganization = (text: string): boolean =>
  isCompany(text) || /\b(department|association|corps|society|club|union|volunteers of)\b/i.test(text);

/** Reads entries. An entry that cannot be read is in `others`, as an entry of its section. */
function readEach<Made>(entries: readonly Entry[], read: (entry: Entry) => Made | null) {
  const results = entries.map((entry) => ({ entry, made: read(entry) }));
  const others = results.flatMap(({ entry, made }) => (made === null ? toFreeEntry(entry) : []));
  return { made: results.flatMap(({ made }) => made ?? []), others };
}

/** Splits each entry into role and organization by the wording of the role; unclear entries are in `others`. */
export function toVolunteering(entries: readonly Entry[]) {
  const { made: volunteer, others } = readEach(entries, (entry): NonNullable<Draft['volunteer']>[number] | null => {
    const { parts, start, end, ...common } = toRest(entry);
    const [only, ...more] = parts;
    const named = only && more.length === 0 ? splitPart(only, isJobTitle) : parts;
    const [role, ...otherRoles] = named.filter(({ text }) => isJobTitle(text));
    const [organization, ...rest] = named.filter((part) => part !== role);
    if (!role || otherRoles.length > 0 || isOrganization(role.text) || !organization) return null;
    const { summary, highlights } = toBody(entry);
    return {
      ...common,
      ...(entry.isRange ? { start, end } : { start }),
      organization: organization.value,
      role: role.value,
      summary: joined([...valuesOf(rest), summary], '\n', 'lines joined'),
      highlights,
    };
  });
  return { volunteer, others };
}

/** “Diploma in Oncology, University of Porto” has the school after the comma, “Diploma at the University” after `at`. */
function splitSchool(part: Part): Part[] {
  const atComma = splitPart(part, isSchool, /\s*(?:,| at | @ )\s*/g);
  return atComma.length > 1 ? atComma : splitPart(part, isSchool);
}

/** Splits each entry into school, degree and field of study; unclear entries are in `others`. */
export function toEducation(entries: readonly Entry[]) {
  const { made: education, others } = readEach(entries, (entry): NonNullable<Draft['education']>[number] | null => {
    const { parts: all, ...common } = toRest(entry);
    const parts = all.flatMap((part) => (isSchool(part.text) && isDegree(part.text) ? splitSchool(part) : [part]));
    const institution = parts.find(({ text }) => isSchool(text));
    const degree = parts.find((part) => part !== institution && isDegree(part.text));
    if (!institution && !degree) return null;
    // “Master of Science in Hydrology” names the field of study, and “Bachelor of Arts, Honours” may not.
    const [inDegree, field] = degree ? splitPart(degree, isDegree, / in /g) : [];
    const isTown = ({ text }: Part) =>
      institution?.text.endsWith(` ${text}`) && /^universi\p{L}* (of|de|di|da|do|van|von|zu) /iu.test(institution.text);
    const town = field && !common.location && parts.find(isTown);
    const rest = parts.filter((part) => part !== institution && part !== degree && part !== town);
    const score = rest.find(
      ({ text }) => /\b(gpa|cgpa|grade|note|average)\b|^\d[.,]\d+ ?\/ ?\d/i.test(text) || /^[A-F][+-]?$/.test(text),
    );
    const beside = field ?? rest.find((part) => part !== score && !isDegree(part.text));
    const [title, area = beside] = degree && !beside ? splitPart(degree, isDegree) : [inDegree];
    const more = rest.filter((part) => part !== score && part !== area);
    const { summary, highlights } = toBody(entry);
    return {
      ...common,
      ...(town && { location: town.value }),
      institution: institution?.value,
      degree: title?.value,
      area: area?.value,
      score: score?.value,
      details: [...valuesOf(more), ...(summary ? [summary] : []), ...highlights],
    };
  });
  return { education, others };
}
