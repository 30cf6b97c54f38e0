import { toCandidateKey } from 'resume-profile/ids';
import { introduction, ownTitlesOf, Profile } from 'resume-profile/profile-document';
import { isLanguageTag, wordsOf } from 'resume-profile/resume-language';
import { sectionKeys } from 'resume-profile/resume-section';
import { pluralize } from 'resume-profile/text';
import { languageOf } from '../readers/languages.ts';
import { toCoarsePeriod } from '../source/dates.ts';
import {
  distinct,
  normalized,
  toEmail,
  toHeading,
  toLine,
  toLines,
  toParagraphs,
  toWebAddress,
} from '../source/normalize.ts';
import { literal, omit, take, type Value } from '../source/value.ts';
import type { Draft, DraftEntry, DraftProject } from './draft.ts';
import { isReordered, toExperience, toUndatedEntries } from './experience.ts';
import { emptyList, type Fill, type FilledIn, notSaid, takeText, toIds } from './fill.ts';

/** Makes a valid profile of a draft and records filled-in fields. */
export function toProfile(draft: Draft) {
  const filledIn: FilledIn[] = [];
  const fill: Fill = (field, value, why) => {
    filledIn.push({ field, value: Array.isArray(value) ? emptyList : String(value), why });
    return value;
  };
  const list = (texts: readonly string[], field: string) => (texts.length > 0 ? texts : fill(field, [], notSaid));

  const experience = toExperience(draft, fill);
  const undated = toUndatedEntries(draft.positions ?? []);
  if (undated.length > 0) fill('resume.sections[0]', pluralize(undated.length, 'job'), undatedReason);
  const resume = toResume(draft, undated);
  if (!resume.email) fill('owner_email', '', noOwnerReason);
  const name = takeText(toHeading(draft.name), 'candidate.name', fill);
  const notes = (draft.notes ?? []).flatMap((note) => toParagraphs(note) ?? []).map(take);
  const projects = toProjects(draft.projects ?? [], fill);
  const profile = Profile.parse({
    ...(resume.email && { owner_email: fill('owner_email', resume.email, ownerReason) }),
    candidate: {
      id: toIds('cand', [toCandidateKey(name)], 'candidate.id', fill)[0],
      name,
      title: takeText(toHeading(draft.title), 'candidate.title', fill),
      location: takeText(toHeading(draft.location), 'candidate.location', fill),
      summary: takeText(toParagraphs(draft.summary), 'candidate.summary', fill),
      ...toYears(draft.yearsExperience),
      domains: list(toLines(draft.domains).map(take), 'candidate.domains'),
    },
    experience,
    projects,
    availability: { status: takeText(toLine(draft.availability), 'availability.status', fill) },
    resume: {
      ...resume,
      ...toSettings(draft, { experience, projects, resume }, fill),
      ...(!resume.skill_groups && { skills: list(resume.skills ?? [], 'resume.skills') }),
    },
    ...publishing,
    ...(notes.length > 0 && { notes }),
  });
  const sections = Object.keys(Profile.shape);
  const sectionOf = ({ field }: FilledIn) => sections.indexOf(/^\w+/.exec(field)![0]);
  filledIn.sort((one, other) => sectionOf(one) - sectionOf(other));
  const photo = toLine(draft.photo);
  return { profile, filledIn, ...(photo && { photo: take(photo) }) };
}

const undatedReason = 'the resume does not say when they began, which experience requires';
const ownerReason = 'the e-mail address of the resume; notices are sent there';
const noOwnerReason = 'serve needs your address, here or in OWNER_EMAIL';

/** The parts of a new profile that everybody sees, and the answers that programs get. */
const publishing = { background: true, evidence: true, public: [...introduction] };

/** Completes a profile that has only what a resume prints, as `toProfile` does. */
export function withDefaults(printed: Profile): { profile: Profile; filledIn: readonly FilledIn[] } {
  const { email = '' } = printed.resume;
  return {
    profile: { ...(email && { owner_email: email }), ...printed, ...publishing },
    filledIn: [{ field: 'owner_email', value: email, why: email ? ownerReason : noOwnerReason }],
  };
}

function toYears(value: Value | undefined): Pick<Profile['candidate'], 'years_experience'> | undefined {
  if (value === undefined) return undefined;
  if (!/^(\d|[1-9]\d|100)$/.test(value.text)) return omit(value, 'It is not a whole number from 0 to 100');
  return { years_experience: Number(take(value)) };
}

function toProjects(drafts: readonly DraftProject[], fill: Fill): Profile['projects'] {
  const projects = drafts
    .map(({ urls, links, ...draft }) => ({ links: toProjectLinks(urls, links), fields: toFields(draft) }))
    .filter(({ links, fields }) => Object.keys({ ...links, ...fields }).length > 0)
    .map(({ links, fields: { name, summary, ...fields } }, index) => ({
      name: takeText(name as Value | undefined, `projects[${index}].name`, fill),
      summary: takeText(summary as Value | undefined, `projects[${index}].summary`, fill),
      ...takeFields(fields),
      links: takeFields(links),
    }));
  const names = projects.map(({ name }) => name);
  const ids = toIds('proj', names, 'projects[].id', fill);
  return projects.map((project, index) => ({ id: ids[index]!, ...project }));
}

const linkKinds = ['github', 'live', 'details'] as const;

/** Assigns addresses of unknown kind: the first at GitHub is `github`, the next `live`, the next `details`. */
function toProjectLinks(urls: DraftProject['urls'] = [], links: DraftProject['links'] = {}) {
  const assigned: Partial<Record<string, Value>> = {};
  for (const kind of linkKinds) assigned[kind] = toWebAddress(links[kind]);
  for (const url of distinct(urls.flatMap((each) => toWebAddress(each) ?? []))) {
    const isGitHub = /(^|\.)github\.com$/.test(new URL(url.text).hostname);
    const kind = linkKinds.find((each) => !assigned[each] && (each !== 'github' || isGitHub));
    if (Object.values(assigned).some((one) => one?.text === url.text)) take(url);
    else if (kind) assigned[kind] = url;
    else omit(url, 'A project has three links at most');
  }
  return withoutNothing(assigned);
}

type Resume = Omit<Profile['resume'], 'skills'> & { skills?: string[] };

/** The lists of entries, with the fields that an entry needs one of. */
// biome-ignore format: a table
const mainFields = {
  education: ['institution', 'area', 'degree'], certifications: ['name'], languages: ['language'], publications: ['name'],
  awards: ['title'], volunteer: ['organization', 'role'], interests: ['name'],
} satisfies Partial<Record<keyof Draft, string[]>>;

/** Makes the fields of `resume` in a profile, without empty lists and without entries that lack their main field. */
function toResume(draft: Draft, undated: ReturnType<typeof toUndatedEntries>): Resume {
  const { references = [], skills = [], skillGroups = [], links = [] } = draft;
  const lists: Record<string, unknown[]> = {};
  // Skills without a group are a group without a name if there are groups.
  if (skillGroups.length === 0) lists.skills = toLines(skills).map(take);
  else lists.skill_groups = [...skillGroups, { skills }].flatMap((group) => toEntries(['name', 'skills'], group));
  lists.links = toResumeLinks(links);
  for (const [key, fields] of Object.entries(mainFields))
    lists[key] = (draft[key as keyof typeof mainFields] ?? []).flatMap((entry) => toEntries(fields, entry));
  lists.certifications = (draft.certifications ?? []).flatMap(toCertifications);
  lists.sections = toSections(draft, undated);
  const asked = references.flatMap((entry) => toEntries(['name', 'reference'], entry));
  return {
    ...takeFields(toFields({ email: toEmail(draft.email), phone: draft.phone })),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(asked.length > 0 && { references: { print: false, entries: asked } }),
  } as Resume;
}

/** Makes a certification, whose period begins with its `date`; one without an end is still valid. */
const toCertifications = ({ date: start, ...draft }: DraftFields & { readonly date?: Value | undefined }) =>
  toEntries(mainFields.certifications, { ...draft, start }).map(({ start_date: date, end_date, ...entry }) => ({
    ...entry,
    ...(date !== undefined && { date }),
    ...(end_date !== undefined && end_date !== null && { end_date }),
  }));

/** Makes the further sections; those with the same title become one. */
function toSections({ sections = [], positionsTitle = '' }: Draft, undated: ReturnType<typeof toUndatedEntries>) {
  const made = [
    ...undated.map(({ section = literal(positionsTitle), ...entry }) => ({
      title: toHeading(section)?.text ?? 'Experience',
      entries: toSectionEntries(entry),
    })),
    ...sections.flatMap(({ title, entries }) => {
      const line = toHeading(title);
      // An entry that is made counts as carried over.
      const own = line ? entries.flatMap(toSectionEntries) : [];
      return line && own.length > 0 ? [{ title: take(line), entries: own }] : [];
    }),
  ].filter(({ entries }) => entries.length > 0);
  return [...Map.groupBy(made, ({ title }) => title)].map(([title, same]) => ({
    title,
    entries: same.flatMap(({ entries }) => entries),
  }));
}

/** Makes the links, each address once, with the first label that it has. */
function toResumeLinks(links: NonNullable<Draft['links']>): NonNullable<Resume['links']> {
  const labelled = links.flatMap(({ label, url }) => {
    const address = toWebAddress(url);
    return address === undefined ? [] : { label: toHeading(label), address };
  });
  return [...Map.groupBy(labelled, ({ address }) => address.text)].map(([url, same]) => {
    for (const { address } of same) take(address);
    const [label, ...others] = distinct(same.flatMap((each) => each.label ?? []));
    for (const other of others) omit(other, 'It belongs to a repeated link');
    return { ...(label && { label: take(label) }), url };
  });
}

type DraftFields = { readonly [Date in 'start' | 'end']?: Value | undefined } & {
  readonly [field: string]: Value | readonly Value[] | undefined;
};

/** The fields of an entry that have a value, under their names in the profile. A value without text becomes null. */
type Fields = Readonly<Record<string, Value | readonly Value[]>>;

/** Normalizes the fields of an entry, with dates as coarse as the source has them. Nothing is taken yet. */
function toFields({ start, end, ...draft }: DraftFields): Fields {
  const period = toCoarsePeriod(start, end);
  const end_date = period.end && period.isOngoing ? { ...period.end, text: '' } : period.end;
  return withoutNothing({ ...normalized(draft), start_date: period.start, end_date });
}

const withoutNothing = (fields: DraftFields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field && !(Array.isArray(field) && field.length === 0) ? [[name, field]] : [],
    ),
  );

const takeFields = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, 'parts' in field ? take(field) || null : field.map(take)]),
  );

/** Makes an entry of a draft; no entry, and a reason for each field, unless one of its main fields has a value. */
function toEntries(mainFields: readonly string[], draft: DraftFields): Record<string, unknown>[] {
  const fields = toFields(draft);
  if (mainFields.some((name) => name in fields)) return [takeFields(fields)];
  for (const value of Object.values(fields).flat())
    omit(value, `It belongs to an entry without ${mainFields.join(' or ')}`);
  return [];
}

/** Makes the entries of a section; without a text, bullet or name, the next best field comes first, then highlights. */
function toSectionEntries(draft: DraftEntry): Record<string, unknown>[] {
  const entry = withHead(draft);
  if (entry.text || entry.bullet || entry.name) return toEntries(['text', 'bullet', 'name'], entry);
  return (entry.highlights ?? []).flatMap((bullet) => toSectionEntries({ bullet }));
}

function withHead(draft: DraftEntry): DraftEntry {
  const { text, bullet, name, organization, details, summary } = draft;
  if (text || bullet || name) return draft;
  if (organization) return { ...draft, name: organization, organization: undefined };
  if (details) return { ...draft, text: details, details: undefined };
  return { ...draft, text: summary, summary: undefined };
}

/** Makes the settings of `resume` from the statements of the source or its own arrangement. */
function toSettings(
  draft: Draft,
  entries: Pick<Profile, 'experience' | 'projects'> & { readonly resume: Resume },
  fill: Fill,
): Partial<Profile['resume']> {
  const { headings = [] } = draft;
  const language = toLanguage(draft, fill);
  const printed: Partial<Record<string, string>> = wordsOf(language).headings;
  const titles = headings.flatMap(({ title, key }) => {
    const heading = key && title?.text !== printed[key] ? toHeading(title) : undefined;
    return heading ? [[key, take(heading)]] : [];
  });
  const known: readonly string[] = [...sectionKeys, ...ownTitlesOf(entries)];
  const order = headings.flatMap(({ title, key }) => key ?? title?.text ?? []).filter((name) => known.includes(name));
  return {
    ...(language && { language }),
    ...(titles.length > 0 && { titles: Object.fromEntries(titles) }),
    ...(!isUsual(order) && { order }),
    ...(isReordered(entries.experience) && { experience_order: 'as_written' as const }),
  };
}

/** Whether sections are in the usual order: own sections come before the interests. */
function isUsual(names: readonly string[]): boolean {
  const usual: readonly string[] = sectionKeys;
  const rankOf = (name: string) => (usual.includes(name) ? usual.indexOf(name) : usual.indexOf('interests') - 0.5);
  return names.every((name, index) => index === 0 || rankOf(names[index - 1]!) <= rankOf(name));
}

/** The language that the source states, otherwise the language of its headings, unless that is English. */
function toLanguage({ language: stated, headings = [] }: Draft, fill: Fill): string | undefined {
  if (stated) return isLanguageTag(stated.text) ? take(stated) : omit(stated, 'It is not the tag of a language');
  const recognised = languageOf(headings.flatMap(({ title }) => title?.text ?? []));
  if (recognised === undefined || recognised === 'en') return undefined;
  return fill('resume.language', recognised, 'recognised by the headings of the resume');
}
