import type { SectionKey } from 'resume-profile/resume-section';
import type { Draft, DraftSection, Format } from '../draft/draft.ts';
import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { changed, joined, layoutReason, literal, omit, type Value } from '../source/value.ts';
import { type Contact, linksOf, toAccount, toUnlinked } from './contact.ts';
import { keyOfTopic, toHeadings } from './headings.ts';
import { toPrintedLanguage } from './languages.ts';
import * as entries from './rendercv-entries.ts';
import { headOf, toInterests, toLanguages, toSkills } from './rendercv-entries.ts';
import { toMarks, toPlain } from './rich-text.ts';
import { type Topic, topicOf } from './topics.ts';

/** RenderCV 1 and 2. */
export const renderCv: Format = {
  name: 'RenderCV',
  description: 'an object with cv',
  recognises: (input) => input.at('cv').kind === 'object',
  toDraft(input) {
    const cv = input.at('cv');
    const sections = cv.at('sections');
    if (sections.keys.length === 0)
      throw new Error(`is a RenderCV file ${whatIsWrong(sections)}; versions from 1.0 on have their content there`);
    for (const key of ['design', 'locale', 'locale_catalog', 'settings', 'rendercv_settings', '$schema'])
      input.at(key).exclude(layoutReason);
    cv.at('sort_entries').exclude(layoutReason);
    const accounts = cv
      .items('social_networks')
      .map((account) => toAccount(account.text('network'), account.text('username')));
    const connections = cv.items('custom_connections').map(toConnection);
    return {
      name: toPlain(cv.text('name')),
      title: toPlain(cv.text('headline', 'label')),
      location: toPlain(cv.text('location')),
      email: firstOf(cv.texts('email'), 'The profile has only one e-mail address'),
      phone: joined(cv.texts('phone').map(toPhone), ', ', 'joined with the other phone numbers'),
      photo: toAddress(cv.text('photo')),
      links: [...cv.texts('website').map((url) => ({ url })), ...linksOf([...accounts, ...connections])],
      language: toPrintedLanguage(input.at('locale').text('language') ?? input.at('locale_catalog').text('language')),
      ...toSections(sections, [
        toUnlinked(titleOf('social_networks'), accounts),
        toUnlinked(titleOf('custom_connections'), connections),
      ]),
    } satisfies Draft;
  },
};

const whatIsWrong = ({ kind }: InputCursor) =>
  kind === 'nothing' || kind === 'object' ? 'without sections in cv.sections' : `whose cv.sections is a ${kind}`;

function toConnection(connection: InputCursor): Contact {
  connection.at('fontawesome_icon').exclude(layoutReason);
  const [label, url] = [toPlain(connection.text('placeholder')), connection.text('url')];
  return url ? { link: { label, url } } : { entry: { text: label } };
}

function firstOf([first, ...others]: readonly Value[], why: string): Value | undefined {
  for (const other of others) omit(other, why);
  return first;
}

const toAddress = (photo: Value | undefined) =>
  photo && /^data:/i.test(photo.text) ? omit(photo, 'The picture is not a file') : photo;

const toPhone = (phone: Value) =>
  phone.text.startsWith('tel:') ? changed(phone, 'tel: removed', phone.text.slice(4)) : phone;

interface EntryOfTopic {
  readonly title: string;
  readonly topic: Topic | undefined;
  readonly entry: InputCursor;
}

/** Sorts the entries of all sections by their fields, otherwise by the title of their section. */
function toSections(sections: InputCursor, further: readonly DraftSection[]) {
  const all = withSummary(
    sections.keys.flatMap((title) => {
      const titled = topicOf(title);
      const isSchooling = titled === 'education' && !/academic/i.test(title);
      return sections.items(title).map((entry) => {
        const topic = isSchooling && entry.keys.includes('company') ? 'education' : topicOfEntry(entry, titled);
        return { title, topic, entry };
      });
    }),
  );
  const read = all.map((each) => ({ ...each, skills: each.topic === 'skills' ? toSkills(each.entry) : {} }));
  const { headings, sectionOf } = toHeadings(
    read.flatMap(({ title, topic, skills }) => {
      const keys = topic === 'skills' ? skillKeys.filter((key) => skills[key]) : [];
      const found = [...new Set(keys.map((key) => (key === 'skillGroups' ? 'skills' : key)))];
      return (found.length > 0 ? found : [keyOfTopic(topic)]).map((key) => ({ title: titleOf(title), key }));
    }),
  );
  /** The entries of a topic as a reader makes them, with the section that they are in if that heads another key. */
  const of = <Made extends object>(topic: Topic, toMade: (entry: InputCursor) => Made) =>
    all.flatMap((each) => (each.topic === topic ? within(each.title, keyOfTopic(topic)!, [toMade(each.entry)]) : []));
  const within = <Made extends object>(title: string, key: SectionKey, made: readonly Made[] = []) => {
    const section = sectionOf(titleOf(title), key);
    return made.map((each) => ({ ...each, ...(section && { section }) }));
  };
  const groupsOf = ({ title, skills: { skills = [], skillGroups = [] } }: (typeof read)[number]) =>
    // A list of skills without a name is a group if it is in another section.
    within(
      title,
      'skills',
      sectionOf(titleOf(title), 'skills') && skills.length > 0 ? [...skillGroups, { skills }] : skillGroups,
    );
  const job = headings.find(({ key }) => key === 'experience');
  return {
    headings,
    summary: toSentences(
      all.flatMap(({ topic, entry }) => (topic === 'summary' ? (toMarks(headOf(entry)) ?? []) : [])),
      'joined with the rest of its section into the summary',
    ),
    positions: of('experience', entries.toPosition),
    isInOrder: true as const,
    ...(job?.title && { positionsTitle: job.title.text }),
    projects: of('projects', entries.toProject),
    skills: read.flatMap(({ title, skills }) => (sectionOf(titleOf(title), 'skills') ? [] : (skills.skills ?? []))),
    skillGroups: read.flatMap(groupsOf),
    education: of('education', entries.toEducation),
    certifications: of('certifications', entries.toCertification),
    languages: [
      ...read.flatMap(({ title, skills }) => within(title, 'languages', skills.languages)),
      ...of('languages', (entry) => ({ entry })).flatMap(({ entry, ...rest }) =>
        toLanguages(entry).map((each) => ({ ...each, ...rest })),
      ),
    ],
    publications: of('publications', entries.toPublication),
    awards: of('awards', entries.toAward),
    volunteer: of('volunteering', entries.toVolunteering),
    interests: [
      ...read.flatMap(({ title, skills }) => within(title, 'interests', skills.interests)),
      ...of('interests', (entry) => ({ entry })).flatMap(({ entry, ...rest }) =>
        toInterests(entry).map((each) => ({ ...each, ...rest })),
      ),
    ],
    references: of('references', entries.toReference),
    sections: [
      ...all.flatMap(({ title, topic, entry }) =>
        topic === undefined ? { title: titleOf(title), entries: [entries.toSectionEntry(entry)] } : [],
      ),
      ...further,
    ],
  } satisfies Draft;
}

const skillKeys = ['skills', 'skillGroups', 'languages', 'interests'] as const;

/** The topics whose entries are recognised by fields alone, so that no name is taken for an employer or a school. */
const byFields: readonly (Topic | undefined)[] = ['experience', 'education', 'volunteering', 'other'];

function topicOfEntry(entry: InputCursor, titled: Topic | undefined): Topic | undefined {
  const has = (...fields: string[]) => fields.some((field) => entry.keys.includes(field));
  const isLine = !has('name', 'label', 'title');
  if (titled === 'other') return undefined;
  if (has('institution')) return 'education';
  if (has('authors', 'journal', 'doi')) return 'publications';
  if (has('company', 'position')) return jobs[titled ?? 'experience'];
  if (titled === 'summary') return isLine ? titled : undefined;
  if (titled === 'projects' && isLine && isSentence(headOf(entry))) return undefined;
  return byFields.includes(titled) ? undefined : titled;
}

/** Whether a line is not a name. */
const isSentence = (line: Value | undefined) => /[.!?]$/.test(line?.text ?? '') || (line?.text.length ?? 0) > 100;

/** The kind of an entry with a company, by the topic of its section. */
const jobs: Partial<Record<Topic, Topic>> = {
  experience: 'experience',
  education: 'experience',
  volunteering: 'volunteering',
  projects: 'projects',
  skills: 'experience',
  summary: 'experience',
};

/** Takes the first section for the summary if it is plain text and no other section is the summary. */
function withSummary(all: readonly EntryOfTopic[]): readonly EntryOfTopic[] {
  const first = all.filter(({ title }) => title === all[0]?.title);
  const isSummary =
    !all.some(({ topic }) => topic === 'summary') &&
    first.every(({ topic, title, entry }) => topic === undefined && !topicOf(title) && entry.kind === 'text');
  return isSummary ? all.map((each) => (first.includes(each) ? { ...each, topic: 'summary' } : each)) : all;
}

const shortWords =
  /^(an?|and|as|at|but|by|for|from|if|in|into|like|near|nor|of|off|on|onto|or|over|so|than|that|to|upon|when|with|yet)$/;

/** The title of a section by its key, as RenderCV prints it: `honors_and_awards` reads “Honors and Awards”. */
function titleOf(key: string): Value {
  if (/ |\p{Lu}/u.test(key)) return literal(key);
  const words = key.replace(/_+/g, ' ').trim().split(' ');
  return literal(
    words.map((word) => (shortWords.test(word) ? word : word.charAt(0).toUpperCase() + word.slice(1))).join(' '),
  );
}
