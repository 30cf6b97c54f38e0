import type { Draft, DraftEntry, DraftProject, DraftSection, Format, Position } from '../draft/draft.ts';
import type { InputCursor } from '../source/input-cursor.ts';
import { toWebAddress } from '../source/normalize.ts';
import { joined, literal, type Value } from '../source/value.ts';
import { linksOf, toAccount, toPlace, toUnlinked } from './contact.ts';
import { isLink, type Leftover, leftoversIn, restOf, toLabelled, toTitle } from './leftovers.ts';
import { toMarks, toPlain, toSummaryAndHighlights, withoutHtml } from './rich-text.ts';
import { toSkills } from './skill-groups.ts';

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
    const input = inMarks(source);
    const basics = input.at('basics');
    for (const key of ['$schema', 'meta']) input.at(key).exclude('It describes the file, not the person');
    const known: Draft = {
      name: basics.text('name'),
      title: basics.text('label'),
      location: toPlace(basics.at('location')),
      summary: basics.text('summary'),
      yearsExperience: basics.text('yearsExperience'),
      availability: basics.text('availability'),
      domains: basics.texts('domains'),
      positions: input.items('work').map(toPosition),
      isInOrder: true,
      positionsTitle: 'Work',
      projects: input.items('projects').map(toProject),
      email: basics.text('email'),
      phone: basics.text('phone'),
      photo: basics.text('image', 'picture'),
      ...toBackground(input),
    };
    const profiles = basics
      .items('profiles')
      .map((one) => toAccount(one.text('network'), one.text('username'), toWebAddress(one.text('url'))));
    const website = { url: basics.text('url', 'website') };
    const rest = Object.groupBy(leftoversIn(basics), (each) => (isLink(each) ? 'links' : 'details'));
    return {
      ...inBullets(known),
      links: [
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

function toPosition(work: InputCursor): Position {
  return {
    company: work.text('name', 'company'),
    title: work.text('position'),
    start: work.text('startDate'),
    end: work.text('endDate'),
    about: work.text('description'),
    summary: work.text('summary'),
    location: toPlace(work.at('location')),
    url: work.text('url', 'website'),
    highlights: [...work.texts('highlights'), ...restOf(work)],
  };
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

/**
 * Reads the sections from education to references. Fields that the profile lacks are added to an entry's texts.
 */
function toBackground(input: InputCursor) {
  return {
    ...toSkills(
      input.items('skills').map((skill) => {
        const [name, keywords] = [skill.text('name') ?? skill.text(), skill.texts('keywords')];
        const category = keywords.length === 0 ? skill.text('category', 'type', 'group', 'tags') : undefined;
        return { name, keywords, category, level: withRest(skill, skill.text('level'), ', ') };
      }),
    ),
    education: input.items('education').map((education) => ({
      institution: education.text('institution'),
      area: education.text('area'),
      degree: education.text('studyType'),
      location: toPlace(education.at('location')),
      start: education.text('startDate'),
      end: education.text('endDate', 'end'),
      score: education.text('score', 'gpa'),
      url: education.text('url', 'website'),
      details: [...education.texts('courses'), ...education.texts('highlights'), ...restOf(education)],
    })),
    certifications: input.items('certificates', 'certifications').map((certificate) => ({
      name: certificate.text('name', 'title') ?? certificate.text(),
      issuer: certificate.text('issuer', 'awarder', 'authority'),
      ...toNote(certificate),
    })),
    languages: input.items('languages').map((language) => ({
      language: language.text('language', 'name') ?? language.text(),
      fluency: withRest(language, language.text('fluency', 'level'), ', '),
    })),
    publications: input.items('publications').map((publication) => ({
      name: publication.text('name', 'title') ?? publication.text(),
      authors: publication.texts('authors'),
      publisher: publication.text('publisher'),
      ...toNote(publication, ['releaseDate', 'date']),
    })),
    awards: input.items('awards').map((award) => ({
      title: award.text('title', 'name') ?? award.text(),
      awarder: award.text('awarder', 'issuer'),
      ...toNote(award),
    })),
    volunteer: input.items('volunteer').map((work) => ({
      organization: work.text('organization', 'company', 'name') ?? work.text(),
      role: work.text('position'),
      location: toPlace(work.at('location')),
      start: work.text('startDate'),
      end: work.text('endDate', 'end'),
      url: work.text('url', 'website'),
      summary: work.text('summary'),
      highlights: [...work.texts('highlights'), ...restOf(work)],
    })),
    interests: input.items('interests', 'hobbies').map((interest) => ({
      name: interest.text('name') ?? interest.text(),
      keywords: [...interest.texts('keywords'), ...restOf(interest)],
    })),
    references: input.items('references').map((reference) => ({
      name: reference.text('name'),
      reference: withRest(reference, reference.text('reference') ?? reference.text()),
    })),
  } satisfies Draft;
}

/** The date, the address and all further texts of an entry without a period and bullets. */
const toNote = (item: InputCursor, dates = ['date']) => ({
  date: item.text(...dates),
  url: item.text('url', 'website'),
  summary: withRest(item, item.text('summary')),
});

const withRest = (item: InputCursor, text: Value | undefined, separator = '\n') =>
  joined([text, ...restOf(item)], separator, 'joined with what its entry has besides');

const settings =
  /^(meta(data)?|theme|config(uration)?|settings|options|layout|styles?|template|i18n|labels|translations)( |$)/i;
const textSettings = /^(version|id|slug|lang|language|locale)$/i;

/** Whether a member says how the resume is shown or stored. A list of languages does not, `language: en` does. */
const isSetting = (key: string, { kind }: InputCursor): boolean =>
  /^[$_]/.test(key) || settings.test(toTitle(key)) || (kind === 'text' && textSettings.test(key));

/** Makes a section of each member that JSON Resume doesn't know. */
const toFurtherSections = (input: InputCursor): DraftSection[] =>
  input.unread.flatMap((key) => toSections(key, input.at(key)));

function toSections(key: string, member: InputCursor): DraftSection[] {
  if (isSetting(key, member)) return member.exclude('It says how the resume is shown or stored') ?? [];
  const sections = member.items().flatMap(toSection);
  if (sections.length > 0) return sections;
  return [{ title: literal(toTitle(key)), entries: toEntries(member) }];
}

/** Reads a section with a title of its own, such as those of our own export. */
function toSection(item: InputCursor): DraftSection[] {
  const list = ['entries', 'items'].find((key) => item.at(key).kind === 'list');
  const title = list && item.text('title', 'name', 'label');
  return list && title ? [{ title, entries: toEntries(item.at(list)) }] : [];
}

function toEntries(member: InputCursor): DraftEntry[] {
  if (member.kind === 'text') return [{ text: member.text() }];
  if (member.kind === 'list')
    return member.items().map((item) => (item.kind === 'text' ? { bullet: item.text() } : toEntry(item)));
  return leftoversIn(member).map(toDetail);
}

/** Makes an entry of a leftover. */
const toDetail = ({ title, value }: Leftover): DraftEntry => ({ name: literal(title), details: value });

const organizations = 'organization company institution event conference publisher awarder issuer'.split(' ');

function toEntry(item: InputCursor): DraftEntry {
  const known = {
    text: item.text('text'),
    bullet: item.text('bullet'),
    name: item.text('name', 'title', 'position', 'role', 'label'),
    details: item.text('details'),
    organization: item.text(...organizations),
    location: toPlace(item.at('location')),
    date: item.text('date', 'releaseDate'),
    start: item.text('startDate'),
    end: item.text('endDate', 'end'),
    url: item.text('url', 'website', 'link'),
    summary: item.text('summary', 'description'),
    highlights: item.texts('highlights'),
  };
  const rest = leftoversIn(item);
  const isStated = known.date ?? known.start ?? known.end;
  const [first, second] = isStated ? [] : rest.filter(({ value }) => isDate(value));
  return {
    ...known,
    ...(second ? { start: first!.value, end: second.value } : first && { date: first.value }),
    highlights: [...known.highlights, ...rest.filter((each) => each !== first && each !== second).map(toLabelled)],
  };
}

/** Whether a text is a date, whatever the language of its field's name. */
const isDate = ({ text }: Value) => /^\d{4}-\d\d(-\d\d)?$/.test(text);
