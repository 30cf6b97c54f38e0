import { designShape } from 'resume-profile/resume-design';
import { titledKeys } from 'resume-profile/resume-section';
import type { Draft, DraftEntry, DraftLink, DraftProject, Format, Position } from '../draft/draft.ts';
import type { InputCursor } from '../source/input-cursor.ts';
import { toWebAddress } from '../source/normalize.ts';
import { joined, literal, type Value } from '../source/value.ts';
import { type Contact, linksOf, toAccount, toPlace, toUnlinked } from './contact.ts';
import { toBackground, toDetail, toFurtherSections } from './json-resume-sections.ts';
import { isLink, leftoversIn, restOf, toLabelled } from './leftovers.ts';
import { toMarks, toPlain, toSummaryAndHighlights, withoutHtml } from './rich-text.ts';

const sections =
  'basics work volunteer education awards certificates certifications publications skills languages interests hobbies references projects';
const members = [...sections.split(' '), 'meta', '$schema'];

/** JSON Resume 1.0.0 and its older spellings, written as JSON or as YAML. */
export const jsonResume: Format = {
  name: 'JSON Resume',
  description: 'an object with basics, work and the like',
  recognises: (input) =>
    input.at('basics').kind === 'object' ||
    input.at('work').kind === 'list' ||
    (input.keys.length > 0 && input.keys.every((key) => members.includes(key))),
  toDraft(source) {
    // Ids, the order of sections and the like have this meaning in our own export only, and its texts have no markup.
    const isOurs = source.at('meta').text('generator')?.text.startsWith('candidate-profile') ?? false;
    const input = isOurs ? source : inMarks(source);
    const [basics, meta] = [input.at('basics'), input.at('meta')];
    const idOf = (item: InputCursor) => (isOurs ? item.text('id') : undefined);
    const sectionOf = (item: InputCursor) => (isOurs ? item.text('section') : undefined);
    for (const key of ['$schema', 'meta']) input.at(key).exclude('It describes the file, not the person');
    const known: Draft = {
      id: idOf(basics),
      name: basics.text('name'),
      title: basics.text('label'),
      location: toPlace(basics.at('location')),
      summary: basics.text('summary'),
      yearsExperience: basics.text('yearsExperience'),
      availability: basics.text('availability'),
      domains: basics.texts('domains'),
      positions: isOurs ? toOwnPositions(input.items('work')) : input.items('work').map(toPosition),
      isInOrder: true,
      positionsTitle: 'Work',
      projects: input
        .items('projects')
        .map((project) => ({ id: idOf(project), section: sectionOf(project), ...toProject(project) })),
      email: basics.text('email'),
      phone: basics.text('phone'),
      photo: basics.text('image', 'picture'),
      ...toBackground(input, sectionOf),
      ...(isOurs && {
        ...toOwnSkills(input, basics),
        areReferencesPrinted: true,
        order: meta.texts('order'),
        titles: Object.fromEntries(titledKeys.map((key) => [key, meta.at('titles').text(key)])),
        experienceOrder: meta.text('experienceOrder'),
        publicationStyle: meta.text('publicationStyle'),
        design: Object.fromEntries(Object.keys(designShape).map((key) => [key, meta.at('design').text(key)])),
        language: meta.text('language'),
      }),
    };
    // Our own export has all links in their order as well.
    const links = basics.items('links').map((link) => ({ label: link.text('label'), url: link.text('url') }));
    const profiles = basics.items('profiles').flatMap((profile) => toProfile(profile, links));
    const website = { url: basics.text('url', 'website') };
    const rest = Object.groupBy(leftoversIn(basics), (each) => (isLink(each) ? 'links' : 'details'));
    return {
      ...(isOurs ? known : inBullets(known)),
      links: [
        ...links,
        website,
        ...linksOf(profiles),
        ...(rest.links ?? []).map(({ title, value }) => ({ label: literal(title), url: value })),
      ],
      sections: [
        toUnlinked(literal('Profiles'), profiles),
        { title: literal('Basics'), entries: (rest.details ?? []).map(toDetail) },
        ...toFurtherSections(input),
      ],
    };
  },
};

/** A draft in which the bullets of descriptions are bullets. */
const inBullets = ({ positions = [], projects = [], volunteer = [], ...rest }: Draft): Draft => ({
  ...rest,
  positions: positions.map(withBulletsApart),
  projects: projects.map(withBulletsApart),
  volunteer: volunteer.map(withBulletsApart),
});

/** The skills as our own export has them: the profile's groups, and the list of skills if they do not imply it. */
function toOwnSkills(input: InputCursor, basics: InputCursor): Draft {
  const groups = input.items('skills').filter(({ keys }) => keys.includes('keywords'));
  if (groups.length === 0) return {};
  return {
    skills: [],
    skillGroups: groups.map((group) => ({
      name: group.text('name'),
      level: group.text('level'),
      section: group.text('section'),
      skills: group.texts('keywords'),
    })),
    skillList: basics.texts('skills'),
  };
}

function toPosition(work: InputCursor): Position {
  return {
    company: work.text('name', 'company'),
    title: work.text('position'),
    start: work.text('startDate'),
    end: work.text('endDate'),
    tenureStart: work.text('companyStartDate'),
    tenureEnd: work.text('companyEndDate'),
    tenureLocation: work.text('companyLocation'),
    about: work.text('description'),
    summary: work.text('summary'),
    location: toPlace(work.at('location')),
    url: work.text('url', 'website'),
    highlights: [...work.texts('highlights'), ...restOf(work)],
  };
}

/** Positions as our own export has them: a summary is that of the company, unless the company has one apart. */
function toOwnPositions(works: readonly InputCursor[]): Position[] {
  const idOf = (work: InputCursor) => work.text('id');
  const apart = new Set(works.filter((work) => work.keys.includes('companySummary')).map((work) => idOf(work)?.text));
  return works.map((work) => {
    const id = idOf(work);
    const companySummary = work.text('companySummary');
    const section = work.text('section');
    const { summary, ...position } = toPosition(work);
    return {
      id,
      section,
      ...position,
      ...(apart.has(id?.text) ? { about: companySummary, summary } : { about: summary }),
    };
  });
}

function toProject(project: InputCursor): DraftProject {
  const links = project.at('links');
  const known = {
    name: project.text('name'),
    summary: project.text('description', 'summary'),
    role: joined([...project.texts('roles'), project.text('entity')], ', ', 'roles and organization joined'),
    start: project.text('startDate'),
    end: project.text('endDate', 'end'),
    tags: [...project.texts('keywords'), ...project.texts('type')],
    links: { github: links.text('github'), live: links.text('live'), details: links.text('details') },
    urls: project.texts('url', 'website'),
    highlights: project.texts('highlights'),
  };
  const { urls = [], lines = [] } = Object.groupBy(leftoversIn(project), (each) => (isLink(each) ? 'urls' : 'lines'));
  return {
    ...known,
    urls: [...known.urls, ...urls.map(({ value }) => value)],
    highlights: [...known.highlights, ...lines.map(toLabelled)],
  };
}

/** Reads a profile on a network. None if it is one of `links`. */
function toProfile(profile: InputCursor, links: readonly DraftLink[]): Contact[] {
  const address = toWebAddress(profile.text('url'));
  if (address && links.some(({ url }) => url?.text === address.text))
    return profile.exclude('It is one of the links') ?? [];
  return [toAccount(profile.text('network'), profile.text('username'), address)];
}

/** The fields whose texts keep the marks that themes show, and texts without a key. */
const prose = /^(summary|description|highlights|courses|reference|text|bullet|details)?$/;

/** A cursor that reads texts without HTML, and without Markdown where a profile has no marks. */
const inMarks = (cursor: InputCursor): InputCursor => ({
  ...cursor,
  get unread() {
    return cursor.unread;
  },
  at: (key) => inMarks(cursor.at(key)),
  items: (...keys) => cursor.items(...keys).map(inMarks),
  text: (...keys) => withMarks(keys)(cursor.text(...keys)),
  texts: (...keys) => cursor.texts(...keys).flatMap((value) => withMarks(keys)(value) ?? []),
});

const html = /<\/?(p|ul|ol|li|br|b|strong|em|i|a|div|span|h\d)\b[^<>]*>/i;

/** A single word, such as a web address, has no Markdown. */
const withMarks =
  (keys: readonly string[]) =>
  (value: Value | undefined): Value | undefined => {
    const read = keys.every((key) => prose.test(key)) ? toMarks : toPlain;
    if (value && html.test(value.text)) return read(withoutHtml(value));
    return value && /\s/.test(value.text.trim()) ? read(value) : value;
  };

/** Moves the bullets of an entry's summary before those that it has. */
function withBulletsApart<Entry extends Pick<DraftEntry, 'summary' | 'highlights'>>(entry: Entry): Entry {
  const { summary, highlights } = toSummaryAndHighlights(entry.summary);
  return { ...entry, summary, highlights: [...highlights, ...(entry.highlights ?? [])] };
}
