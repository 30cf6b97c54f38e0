import type { Draft, DraftEntry, DraftSection } from '../draft/draft.ts';
import type { InputCursor } from '../source/input-cursor.ts';
import { joined, literal, type Value } from '../source/value.ts';
import { toPlace } from './contact.ts';
import { type Leftover, leftoversIn, restOf, toLabelled, toTitle } from './leftovers.ts';
import { toSkills } from './skill-groups.ts';

/**
 * Reads the sections from education to references. Fields that the profile lacks are added to an entry's texts.
 * `sectionOf` reads the section that an entry of our own export names.
 */
export function toBackground(input: InputCursor, sectionOf: (item: InputCursor) => Value | undefined) {
  return {
    ...toSkills(
      input.items('skills').map((skill) => {
        const [name, keywords] = [skill.text('name') ?? skill.text(), skill.texts('keywords')];
        const category = keywords.length === 0 ? skill.text('category', 'type', 'group', 'tags') : undefined;
        return { name, keywords, category, level: withRest(skill, skill.text('level'), ', ') };
      }),
    ),
    education: input.items('education').map((education) => ({
      section: sectionOf(education),
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
      section: sectionOf(certificate),
      name: certificate.text('name', 'title') ?? certificate.text(),
      issuer: certificate.text('issuer', 'awarder', 'authority'),
      ...toNote(certificate),
    })),
    languages: input.items('languages').map((language) => ({
      section: sectionOf(language),
      language: language.text('language', 'name') ?? language.text(),
      fluency: withRest(language, language.text('fluency', 'level'), ', '),
    })),
    publications: input.items('publications').map((publication) => ({
      section: sectionOf(publication),
      name: publication.text('name', 'title') ?? publication.text(),
      authors: publication.texts('authors'),
      publisher: publication.text('publisher'),
      ...toNote(publication, ['releaseDate', 'date']),
    })),
    awards: input.items('awards').map((award) => ({
      section: sectionOf(award),
      title: award.text('title', 'name') ?? award.text(),
      awarder: award.text('awarder', 'issuer'),
      ...toNote(award),
    })),
    volunteer: input.items('volunteer').map((work) => ({
      section: sectionOf(work),
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
      section: sectionOf(interest),
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
export const toFurtherSections = (input: InputCursor): DraftSection[] =>
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
export const toDetail = ({ title, value }: Leftover): DraftEntry => ({ name: literal(title), details: value });

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
