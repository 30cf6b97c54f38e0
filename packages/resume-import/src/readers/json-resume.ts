import type { Draft, DraftEntry, DraftProject, DraftSection, Format } from '../draft/draft.ts';
import { fieldsIn, type InputCursor } from '../source/input-cursor.ts';
import { toWebAddress } from '../source/normalize.ts';
import { joined, literal, type Value } from '../source/value.ts';
import { linksOf, toAccount, toPlace, toUnlinked } from './contact.ts';
import { isLink, type Leftover, leftoversIn, restOf, toLabelled, toTitle } from './leftovers.ts';
import { toMarks, toPlain, toSummaryAndHighlights, withoutHtml } from './rich-text.ts';
import { toSkills } from './skill-groups.ts';

const sections =
  'basics work volunteer education awards certificates certifications publications skills languages interests hobbies references projects';
const topLevel = [...sections.split(' '), 'meta', '$schema'];

/** JSON Resume 1.0.0 and its older spellings, written as JSON or as YAML. */
export const jsonResume: Format = {
  name: 'JSON Resume',
  description: 'an object with basics, work and the like',
  recognises: (input) =>
    input.at('basics').kind === 'object' ||
    input.at('work').kind === 'list' ||
    (input.keys.length > 0 && input.keys.every((key) => topLevel.includes(key))),
  toDraft(source) {
    const input = source.rewriting(withMarks);
    const basics = input.at('basics');
    for (const key of ['$schema', 'meta']) input.at(key).exclude('It describes the file, not the person');
    const known = {
      ...fieldsIn(basics, members.basics),
      location: toPlace(basics.at('location')),
      domains: basics.texts('domains'),
      positions: input.items('work').map((work) => toWork(work, members.work)),
      isInOrder: true,
      positionsTitle: 'Work',
      projects: input.items('projects').map(toProject),
      ...toBackground(input),
    } as const;
    const profiles = basics
      .items('profiles')
      .map((one) => toAccount(one.text('network'), one.text('username'), toWebAddress(one.text('url'))));
    const website = { url: basics.text('url', 'website') };
    const { links = [], details = [] } = Object.groupBy(leftoversIn(basics), (each) =>
      isLink(each) ? 'links' : 'details',
    );
    const others = links.map(({ title, value }) => ({ label: literal(title), url: value }));
    return {
      ...known,
      links: [website, ...linksOf(profiles), ...others],
      sections: [
        toUnlinked(literal('Profiles'), profiles),
        { title: literal('Basics'), entries: details.map(toDetail) },
        ...input.unread.flatMap((key) => toSections(key, input.at(key))),
      ],
    };
  },
};

/** The members that have the fields of each kind of entry, in version 1.0.0 and in older or common spellings. */
// biome-ignore format: a table
const members = {
  basics: { name: 'name', title: 'label', summary: 'summary', email: 'email', phone: 'phone', photo: 'image|picture',
    yearsExperience: 'yearsExperience', availability: 'availability' },
  period: { start: 'startDate', end: 'endDate|end' },
  url: { url: 'url|website' },
  work: { company: 'name|company', title: 'position', about: 'description', summary: 'summary' },
  project: { name: 'name', summary: 'description|summary' },
  links: { github: 'github', live: 'live', details: 'details' },
  education: { institution: 'institution', area: 'area', degree: 'studyType', score: 'score|gpa' },
  volunteer: { role: 'position', summary: 'summary' },
  entry: { text: 'text', bullet: 'bullet', name: 'name|title|position|role|label', details: 'details', date: 'date|releaseDate',
    organization: 'organization|company|institution|event|conference|publisher|awarder|issuer',
    url: 'url|website|link', summary: 'summary|description' },
};

/** Some fields of an entry with a period, a place and bullets. */
const toWork = <Field extends string>(work: InputCursor, fields: Record<Field | 'summary', string>) =>
  withBulletsApart({
    ...fieldsIn(work, { ...fields, ...members.period, ...members.url }),
    location: toPlace(work.at('location')),
    highlights: [...work.texts('highlights'), ...restOf(work)],
  });

function toProject(project: InputCursor): DraftProject {
  const known = {
    ...fieldsIn(project, { ...members.project, ...members.period }),
    role: joined([...project.texts('roles'), project.text('entity')], ', ', 'roles and organization joined'),
    tags: project.texts('keywords', 'type'),
    links: fieldsIn(project.at('links'), members.links),
    urls: project.texts('url', 'website'),
    highlights: project.texts('highlights'),
  };
  const { urls = [], lines = [] } = Object.groupBy(leftoversIn(project), (each) => (isLink(each) ? 'urls' : 'lines'));
  return withBulletsApart({
    ...known,
    urls: [...known.urls, ...urls.map(({ value }) => value)],
    highlights: [...known.highlights, ...lines.map(toLabelled)],
  });
}

/** The fields whose texts keep the marks that themes show, and texts without a key. */
const prose = /^(summary|description|highlights|courses|reference|text|bullet|details)?$/;
const html = /<\/?(p|ul|ol|li|br|b|strong|em|i|a|div|span|h\d)\b[^<>]*>/i;

/** Reads a text without HTML, and without Markdown where a profile has no marks. A single word has no Markdown. */
function withMarks(value: Value, key: string): Value | undefined {
  const read = prose.test(key) ? toMarks : toPlain;
  if (html.test(value.text)) return read(withoutHtml(value));
  return /\s/.test(value.text.trim()) ? read(value) : value;
}

/** Moves the bullets of an entry's summary before its highlights. */
function withBulletsApart<Entry extends Pick<DraftEntry, 'summary' | 'highlights'>>(entry: Entry): Entry {
  const { summary, highlights } = toSummaryAndHighlights(entry.summary);
  return { ...entry, summary, highlights: [...highlights, ...(entry.highlights ?? [])] };
}

/** Reads the sections from education to references. Members that are not known are added to the texts of an entry. */
function toBackground(input: InputCursor) {
  return {
    ...toSkills(
      input.items('skills').map((skill) => {
        const [name, keywords] = [skill.text('name', ''), skill.texts('keywords')];
        const category = keywords.length === 0 ? skill.text('category', 'type', 'group', 'tags') : undefined;
        return { name, keywords, category, level: withRest(skill, skill.text('level'), ', ') };
      }),
    ),
    education: input.items('education').map((education) => ({
      ...fieldsIn(education, { ...members.education, ...members.period, ...members.url }),
      location: toPlace(education.at('location')),
      details: [...education.texts('courses', 'highlights'), ...restOf(education)],
    })),
    certifications: input.items('certificates', 'certifications').map((item) => ({
      // First, because a note has the rest of its entry.
      end: item.text('endDate', 'expirationDate', 'expiryDate', 'validUntil'),
      ...toNote(item, { name: 'name|title|', issuer: 'issuer|awarder|authority' }),
    })),
    languages: input.items('languages').map((language) => ({
      language: language.text('language', 'name', ''),
      fluency: withRest(language, language.text('fluency', 'level'), ', '),
    })),
    publications: input.items('publications').map((item) => ({
      authors: item.texts('authors'),
      ...toNote(item, { name: 'name|title|', publisher: 'publisher' }),
    })),
    awards: input.items('awards').map((item) => toNote(item, { title: 'title|name|', awarder: 'awarder|issuer' })),
    volunteer: input.items('volunteer').map((work) => ({
      organization: work.text('organization', 'company', 'name', ''),
      ...toWork(work, members.volunteer),
    })),
    interests: input.items('interests', 'hobbies').map((interest) => ({
      name: interest.text('name', ''),
      keywords: [...interest.texts('keywords'), ...restOf(interest)],
    })),
    references: input.items('references').map((reference) => ({
      name: reference.text('name'),
      reference: withRest(reference, reference.text('reference', '')),
    })),
  } satisfies Draft;
}

/** Some fields, the date, the address and all further texts of an entry without a period and bullets. */
const toNote = <Field extends string>(item: InputCursor, fields: Record<Field, string>) => ({
  ...fieldsIn(item, { ...fields, date: 'releaseDate|date', ...members.url }),
  summary: withRest(item, item.text('summary')),
});

const withRest = (item: InputCursor, text: Value | undefined, separator = '\n') =>
  joined([text, ...restOf(item)], separator, 'joined with the rest of its entry');

const settings =
  /^(meta(data)?|theme|config(uration)?|settings|options|layout|styles?|template|i18n|labels|translations)( |$)/i;
const textSettings = /^(version|id|slug|lang|language|locale)$/i;

/** Whether a member says how the resume is shown or stored. A list of languages does not, `language: en` does. */
const isSetting = (key: string, { kind }: InputCursor): boolean =>
  /^[$_]/.test(key) || settings.test(toTitle(key)) || (kind === 'text' && textSettings.test(key));

/** Makes sections of a member that JSON Resume does not know. */
function toSections(key: string, member: InputCursor): DraftSection[] {
  if (isSetting(key, member)) return member.exclude('It says how the resume is shown or stored') ?? [];
  // Sections with titles of their own, as our own export has.
  const sections = member.items().flatMap((item) => {
    const list = ['entries', 'items'].find((name) => item.at(name).kind === 'list');
    const title = list && item.text('title', 'name', 'label');
    return title ? { title, entries: toEntries(item.at(list)) } : [];
  });
  return sections.length > 0 ? sections : [{ title: literal(toTitle(key)), entries: toEntries(member) }];
}

function toEntries(member: InputCursor): DraftEntry[] {
  if (member.kind === 'text') return [{ text: member.text() }];
  if (member.kind === 'list')
    return member.items().map((item) => (item.kind === 'text' ? { bullet: item.text() } : toEntry(item)));
  return leftoversIn(member).map(toDetail);
}

const toDetail = ({ title, value }: Leftover): DraftEntry => ({ name: literal(title), details: value });

function toEntry(item: InputCursor): DraftEntry {
  const known = {
    ...fieldsIn(item, { ...members.entry, ...members.period }),
    location: toPlace(item.at('location')),
    highlights: item.texts('highlights'),
  };
  const rest = leftoversIn(item);
  const isStated = known.date ?? known.start ?? known.end;
  // Texts are dates whatever the language of their fields' names.
  const [first, second] = isStated ? [] : rest.filter(({ value }) => /^\d{4}-\d\d(-\d\d)?$/.test(value.text));
  return {
    ...known,
    ...(second ? { start: first!.value, end: second.value } : first && { date: first.value }),
    highlights: [...known.highlights, ...rest.filter((each) => each !== first && each !== second).map(toLabelled)],
  };
}
