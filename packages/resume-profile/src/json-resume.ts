import { unionOf } from './dates.ts';
import { toCandidateKey, toId, withIds } from './ids.ts';
import { networkAt, pageOf } from './networks.ts';
import { introduction, type Job, type Profile } from './profile-document.ts';
import { designShape } from './resume-design.ts';
import { skillsIn } from './resume-document.ts';

/**
 * Converts a profile to JSON Resume 1.0.0. An entry with several roles becomes a `work` item for each role, with the same `id`.
 * Values without a field in that format have additional properties (`basics.domains`, `projects[].links`, `sections`), and the
 * settings of the PDF's look are in `meta`. Left out are empty texts, references unless they are printed, and settings of the
 * service (`owner_email`, `public`, `background`, `evidence`, `accent`, `resume.pdf_url`, `resume.photo`).
 */
export function toJsonResume(profile: Profile, version: string): Record<string, unknown> {
  const { experience, projects, resume } = profile;
  const design = Object.entries(resume).filter(([key]) => key in designShape);
  const exported = {
    $schema: 'https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json',
    basics: toBasics(profile),
    work: experience.flatMap(toWork),
    projects: projects.map(({ id, name, summary: description, highlights, tags: keywords, role, links, ...dates }) => ({
      ...dated({ id, name, description, highlights, keywords, ...dates }),
      url: links.live ?? links.github ?? links.details,
      roles: role === undefined ? undefined : [role],
      links,
    })),
    ...toBackground(resume),
    meta: {
      version: 'v1.0.0',
      generator: `candidate-profile ${version}`,
      language: resume.language,
      order: resume.order,
      experienceOrder: resume.experience_order,
      titles: resume.titles,
      publicationStyle: resume.publication_style,
      // Other programs read `meta.theme` as the name of a package.
      design: design.length === 0 ? undefined : Object.fromEntries(design),
    },
  };
  return JSON.parse(JSON.stringify(exported, (_key, value) => (value === '' ? undefined : value)));
}

function toBasics({ candidate, availability, resume }: Profile): object {
  const { links, skills, skill_groups: groups } = resume;
  const sites = links?.filter(({ url }) => networkAt(url) === null) ?? [];
  const site = sites.find(({ label }) => label === undefined) ?? sites[0];
  return {
    id: candidate.id,
    name: candidate.name,
    label: candidate.title,
    email: resume.email,
    phone: resume.phone,
    url: site?.url,
    summary: candidate.summary,
    location: candidate.location === '' ? undefined : { city: candidate.location },
    profiles: links
      ?.filter((link) => link !== site)
      .map(({ label, url }) => ({ network: label ?? networkAt(url)?.name, username: networkAt(url)?.username, url })),
    links,
    yearsExperience: candidate.years_experience,
    domains: candidate.domains,
    // The skills, if the groups of skills do not imply them.
    skills: groups && String(skillsIn(groups)) !== String(skills) ? skills : undefined,
    availability: availability.status,
  };
}

/** The `work` items of an entry: one for each role, or one for an entry without roles. */
function toWork(entry: Job): object[] {
  const { id, company: name, company_start_date: startDate, company_end_date: endDate, summary, roles } = entry;
  const { url, location, section } = entry;
  if (roles.length === 0)
    return [{ id, name, location, url, startDate, endDate: endDate ?? undefined, summary, section }];
  const { from, until } = unionOf(roles.map(({ start_date, end_date }) => ({ from: start_date, until: end_date })));
  const hasOwnPlaces = roles.some((role) => role.location !== undefined);
  const hasOwnSummaries = roles.some((role) => role.summary !== undefined);
  return roles.map((role, index) => ({
    id,
    name,
    location: hasOwnPlaces ? role.location : location,
    url,
    position: role.title,
    startDate: role.start_date,
    endDate: role.end_date ?? undefined,
    highlights: role.accomplishments,
    summary: role.summary ?? (index === 0 && !hasOwnSummaries ? summary : undefined),
    section,
    ...(index === 0 && {
      // The company's other fields, if the roles do not imply them.
      companySummary: hasOwnSummaries ? summary || null : undefined,
      companyLocation: hasOwnPlaces ? location : undefined,
      companyStartDate: from === startDate ? undefined : startDate,
      companyEndDate: until === endDate ? undefined : (endDate ?? 'present'),
    }),
  }));
}

/** The sections of JSON Resume for the fields of `resume` in a profile, and our own `sections`. */
function toBackground(resume: Profile['resume']): object {
  const { skills, skill_groups: groups, references } = resume;
  return {
    skills: groups
      ? groups.map(({ skills: keywords, ...group }) => ({ ...group, keywords }))
      : skills.map((name) => ({ name })),
    education: resume.education?.map(({ degree: studyType, details: courses, ...entry }) => ({
      ...dated({ ...entry, studyType }),
      courses,
    })),
    certificates: resume.certifications?.map(dated),
    languages: resume.languages,
    publications: resume.publications?.map(({ date, ...entry }) => ({ ...entry, releaseDate: date })),
    awards: resume.awards,
    volunteer: resume.volunteer?.map(({ role: position, ...entry }) => dated({ ...entry, position })),
    interests: resume.interests,
    references: references?.print ? references.entries : undefined,
    sections: resume.sections?.map(({ title, entries }) => ({ title, entries: entries.map(dated) })),
  };
}

type Period = Pick<Profile['projects'][number], 'start_date' | 'end_date'>;

/**
 * An entry with its dates, named as in JSON Resume, at the end. JSON Resume cannot tell "ongoing" from "unknown": both lack
 * `endDate`. `end: present` distinguishes them.
 */
const dated = <Entry extends Period>({ start_date: startDate, end_date, ...entry }: Entry) => ({
  ...entry,
  startDate,
  endDate: end_date ?? undefined,
  end: end_date === null ? 'present' : undefined,
});

type Item = Readonly<Record<string, unknown>>;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
const itemOf = (value: unknown): Item => (isItem(value) ? value : {});
const itemsOf = (value: unknown): Item[] => (Array.isArray(value) ? value.filter(isItem) : []);
const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : typeof value === 'string' && /\S/.test(value) ? value : undefined;
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap((text) => textOf(text) ?? []) : []);

/**
 * Converts a JSON Resume to a profile document: the whole profile if `toJsonResume` wrote it, otherwise the fields of that
 * format. The document may have faults, such as a date that does not exist: `readProfileText` of its JSON finds them.
 */
export function fromJsonResume(resume: Item): object {
  const [basics, meta] = [itemOf(resume.basics), itemOf(resume.meta)];
  const name = textOf(basics.name) ?? '';
  const { email } = basics;
  return withoutNothing({
    owner_email: email,
    candidate: {
      id: basics.id ?? toId('cand', toCandidateKey(name)),
      name,
      title: basics.label ?? '',
      location: placeOf(basics.location) ?? '',
      summary: basics.summary ?? '',
      years_experience: basics.yearsExperience,
      domains: basics.domains ?? [],
    },
    experience: withIds('exp', toExperience(itemsOf(resume.work)), ({ company }) => company),
    projects: withIds('proj', itemsOf(resume.projects).map(toProject), (project) => project.name),
    availability: { status: basics.availability ?? '' },
    resume: {
      email,
      phone: basics.phone,
      links: toLinks(basics),
      ...toSkills(resume.skills, basics.skills),
      ...toSections(resume),
      order: meta.order,
      titles: meta.titles,
      experience_order: meta.experienceOrder,
      publication_style: meta.publicationStyle,
      language: meta.language,
      ...itemOf(meta.design),
    },
    background: true,
    evidence: true,
    public: introduction,
  });
}

/** Leaves out missing values, and lists without entries that a profile does not require. */
const withoutNothing = <Data>(data: Data): Data =>
  JSON.parse(
    JSON.stringify(data, (key, value) =>
      Array.isArray(value) && value.length === 0 && !requiredLists.test(key) ? undefined : value,
    ),
  );

const requiredLists = /^(domains|experience|roles|accomplishments|projects|skills)$/;

function placeOf(location: unknown): string | undefined {
  const { city, region, countryCode } = itemOf(location);
  return textOf(location) ?? (textsOf([city, region, countryCode]).join(', ') || undefined);
}

function toLinks(basics: Item): object[] {
  if (Array.isArray(basics.links)) return basics.links;
  const profiles = itemsOf(basics.profiles).flatMap(({ network, username, url }) => {
    const address = textOf(url) ?? pageOf(textOf(network) ?? '', textOf(username) ?? '');
    return address === undefined ? [] : { label: textOf(network), url: address };
  });
  const url = textOf(basics.url);
  return [...(url === undefined ? [] : [{ url }]), ...profiles];
}

/** Makes one entry of a company's positions that have the same id or, without ids, follow each other. */
function toExperience(work: readonly Item[]) {
  const groups: [Item, ...Item[]][] = [];
  for (const item of work) {
    const same = item.id === undefined ? groups.at(-1) : groups.find(([first]) => first.id === item.id);
    const isSame = same !== undefined && same[0].id === item.id && same[0].name === item.name;
    if (isSame) same.push(item);
    else groups.push([item]);
  }
  return groups.map(toEntry);
}

function toEntry(items: readonly [Item, ...Item[]]) {
  const [first] = items;
  const places = new Set(items.map(({ location }) => placeOf(location)));
  const hasOwnSummaries = 'companySummary' in first;
  const hasOwnPlaces = places.size > 1 || 'companyLocation' in first;
  const periods = items.map(({ startDate, endDate }) => ({
    from: textOf(startDate) ?? '',
    until: textOf(endDate) ?? null,
  }));
  const { from, until } = unionOf(periods);
  const end = textOf(first.companyEndDate) ?? until;
  const company_end_date = end === 'present' ? null : end;
  const isBare =
    items.length === 1 && first.position === undefined && !hasOwnSummaries && first.highlights === undefined;
  return {
    id: first.id,
    company: textOf(first.name) ?? '',
    company_start_date: first.companyStartDate ?? from,
    company_end_date,
    current: company_end_date === null,
    summary: (hasOwnSummaries ? first.companySummary : first.summary) ?? '',
    location: hasOwnPlaces ? first.companyLocation : placeOf(first.location),
    url: first.url,
    section: first.section,
    roles: (isBare ? [] : items).map((item, index) => ({
      title: item.position ?? '',
      start_date: periods[index]!.from,
      end_date: periods[index]!.until,
      location: hasOwnPlaces ? placeOf(item.location) : undefined,
      summary: hasOwnSummaries || index > 0 ? item.summary : undefined,
      accomplishments: textsOf(item.highlights),
    })),
  };
}

/** The dates of an entry as a profile names them, the inverse of `dated`. */
const undated = ({ startDate, endDate, end, ...entry }: Item) => ({
  ...entry,
  start_date: startDate,
  end_date: end === 'present' ? null : endDate,
});

const toProject = ({ id, name, description, highlights, keywords, roles, url, links, section, ...dates }: Item) => ({
  ...undated({ startDate: dates.startDate, endDate: dates.endDate, end: dates.end }),
  ...{ id, name: textOf(name) ?? '', summary: description ?? '', highlights, section },
  tags: keywords,
  role: textsOf(roles).join(', ') || undefined,
  links: links ?? (url === undefined ? {} : { live: url }),
});

function toSkills(skills: unknown, list: unknown): object {
  const items = itemsOf(skills);
  if (items.every(({ keywords, level }) => keywords === undefined && level === undefined))
    return { skills: items.flatMap(({ name }) => textOf(name) ?? []) };
  return { skills: list, skill_groups: items.map(({ keywords = [], ...group }) => ({ ...group, skills: keywords })) };
}

/** The sections from education to our own, the inverse of `toBackground`. */
function toSections(resume: Item): object {
  const { references } = resume;
  return {
    education: itemsOf(resume.education).map(({ studyType: degree, courses: details, ...entry }) =>
      undated({ ...entry, degree, details }),
    ),
    certifications: itemsOf(resume.certificates).map(undated),
    languages: resume.languages,
    publications: itemsOf(resume.publications).map(({ releaseDate: date, ...entry }) => ({ ...entry, date })),
    awards: resume.awards,
    volunteer: itemsOf(resume.volunteer).map(({ position: role, ...entry }) => undated({ ...entry, role })),
    interests: resume.interests,
    references: references === undefined ? undefined : { print: true, entries: references },
    sections: itemsOf(resume.sections).map(({ title, entries }) => ({ title, entries: itemsOf(entries).map(undated) })),
  };
}
