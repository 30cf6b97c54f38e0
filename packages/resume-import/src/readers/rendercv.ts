import type { Draft, DraftEntry, DraftProject, Format, Position } from '../draft/draft.ts';
import { toDateRange } from '../source/dates.ts';
import type { InputCursor } from '../source/input-cursor.ts';
import { distinct, toDoiAddress, toSentences } from '../source/normalize.ts';
import { changed, joined, layoutReason, literal, omit, type Value } from '../source/value.ts';
import { type Contact, linksOf, toAccount, toUnlinked } from './contact.ts';
import { arranged } from './headings.ts';
import { isSpokenLanguage, toPrintedLanguage } from './languages.ts';
import { restOf } from './leftovers.ts';
import { linksIn, toDescription, toMarks, toPlain, withoutMarkdown } from './rich-text.ts';
import { type Topic, topicOf } from './topics.ts';

/** RenderCV 1 and 2. */
export const renderCv: Format = {
  name: 'RenderCV',
  description: 'an object with cv',
  recognises: (input) => input.at('cv').kind === 'object',
  toDraft(input) {
    const cv = input.at('cv');
    const sections = cv.at('sections');
    if (sections.keys.length === 0) {
      const isMissing = sections.kind === 'nothing' || sections.kind === 'object';
      const fault = isMissing ? 'without sections in cv.sections' : `whose cv.sections is a ${sections.kind}`;
      throw new Error(`is a RenderCV file ${fault}; versions from 1.0 on have their content there`);
    }
    for (const key of ['design', 'locale', 'locale_catalog', 'settings', 'rendercv_settings', '$schema'])
      input.at(key).exclude(layoutReason);
    cv.at('sort_entries').exclude(layoutReason);
    const accounts = cv
      .items('social_networks')
      .map((account) => toAccount(account.text('network'), account.text('username')));
    const connections = cv.items('custom_connections').map(toConnection);
    const content = toSections(sections);
    const [email, ...otherEmails] = cv.texts('email');
    for (const other of otherEmails) omit(other, 'The profile has only one e-mail address');
    const photo = cv.text('photo');
    const isEmbedded = photo && /^data:/i.test(photo.text);
    return {
      name: toPlain(cv.text('name')),
      title: toPlain(cv.text('headline', 'label')),
      location: toPlain(cv.text('location')),
      email,
      phone: joined(cv.texts('phone').map(toPhone), ', ', 'joined with the other phone numbers'),
      photo: isEmbedded ? omit(photo, 'The picture is not a file') : photo,
      links: [...cv.texts('website').map((url) => ({ url })), ...linksOf([...accounts, ...connections])],
      language: toPrintedLanguage(input.at('locale').text('language') ?? input.at('locale_catalog').text('language')),
      ...content,
      isInOrder: true,
      sections: [
        ...(content.sections ?? []),
        toUnlinked(titleOf('social_networks'), accounts),
        toUnlinked(titleOf('custom_connections'), connections),
      ],
    };
  },
};

function toConnection(connection: InputCursor): Contact {
  connection.at('fontawesome_icon').exclude(layoutReason);
  const [label, url] = [toPlain(connection.text('placeholder')), connection.text('url')];
  return url ? { link: { label, url } } : { entry: { text: label } };
}

const toPhone = (phone: Value) =>
  phone.text.startsWith('tel:') ? changed(phone, 'tel: removed', phone.text.slice(4)) : phone;

/** Sorts the entries of all sections by their fields, otherwise by the title of their section. */
function toSections(sections: InputCursor): Draft {
  const all = sections.keys.flatMap((title) => {
    const titled = topicOf(title);
    const isSchooling = titled === 'education' && !/academic/i.test(title);
    return sections.items(title).map((entry): EntryOfTopic => {
      const topic = isSchooling && entry.keys.includes('company') ? 'education' : topicOfEntry(entry, titled);
      return { title, topic, entry };
    });
  });
  const parts = withSummary(all).map(({ title, topic, entry }) => ({
    title: titleOf(title),
    draft: topic ? readers[topic](entry) : { sections: [{ title: titleOf(title), entries: [toSectionEntry(entry)] }] },
  }));
  const summaries = parts.map(({ draft }) => draft.summary);
  const summary = toSentences(summaries, 'joined with the rest of its section into the summary');
  return { ...arranged(parts), summary };
}

type Keyed = Exclude<Topic, 'other'>;
type EntryOfTopic = { readonly title: string; readonly topic: Keyed | undefined; readonly entry: InputCursor };

const readers: Readonly<Record<Keyed, (entry: InputCursor) => Draft>> = {
  summary: (entry) => ({ summary: toMarks(headOf(entry)) }),
  experience: (entry) => ({ positions: [toPosition(entry)] }),
  projects: (entry) => ({ projects: [toProject(entry)] }),
  skills: toSkills,
  education(entry) {
    // An entry with a school, or one with the fields of a job in a section about education.
    const institution = entry.text('institution', 'company');
    const known = {
      institution: withoutMarkdown(institution),
      area: toPlain(entry.text('area')),
      degree: toPlain(entry.text('degree', 'position')),
      location: toPlain(entry.text('location')),
      ...toPeriod(entry),
      url: linksIn(institution)[0] ?? entry.text('url'),
    };
    const { summary, highlights } = toTexts(entry);
    return { education: [{ ...known, details: [summary ?? [], highlights].flat() }] };
  },
  certifications: (entry) => {
    const { start, end } = toPeriod(entry);
    const note = { name: withoutMarkdown(headOf(entry)), ...toNote(entry) };
    return { certifications: [start === end ? note : { ...note, date: start, end }] };
  },
  languages: (entry) => ({ languages: toLanguages(entry) }),
  publications(entry) {
    const [title, doi] = [headOf(entry), entry.text('doi')];
    const [address, other] = distinct([doi ? toDoiAddress(doi) : [], entry.text('url') ?? []].flat());
    if (other) omit(other, 'RenderCV prints the DOI instead');
    const publication = {
      name: address ? toPlain(title) : withoutMarkdown(title),
      authors: entry.texts('authors').flatMap((author) => toPlain(author) ?? []),
      publisher: toPlain(entry.text('journal')),
      date: entry.text('date', 'end_date', 'start_date'),
      url: address ?? linksIn(title)[0],
      summary: toRest(entry),
    };
    return { publications: [publication] };
  },
  awards: (entry) => ({ awards: [{ title: withoutMarkdown(headOf(entry)), ...toNote(entry) }] }),
  volunteering(entry) {
    const { company: organization, title: role, ...rest } = toPosition(entry);
    return { volunteer: [{ organization, role, ...rest }] };
  },
  interests(entry) {
    const { label, items } = toLabelled(entry);
    return { interests: label ? [{ name: label, keywords: items }] : items.map((name) => ({ name })) };
  },
  // A person with their words, or a line of text.
  references: (entry) => ({
    references: [
      entry.kind === 'object' && entry.text('name', 'label', 'title')
        ? { name: withoutMarkdown(headOf(entry)), reference: toRest(entry) }
        : { reference: toMarks(headOf(entry)) },
    ],
  }),
};

function topicOfEntry(entry: InputCursor, titled: Topic | undefined): Keyed | undefined {
  const has = (...fields: string[]) => fields.some((field) => entry.keys.includes(field));
  const isLine = !has('name', 'label', 'title');
  if (titled === 'other') return undefined;
  if (has('institution')) return 'education';
  if (has('authors', 'journal', 'doi')) return 'publications';
  if (has('company', 'position')) return jobs[titled ?? 'experience'];
  if (titled === 'summary') return isLine ? titled : undefined;
  if (titled === 'projects' && isLine) {
    const line = headOf(entry)?.text ?? '';
    if (/[.!?]$/.test(line) || line.length > 100) return undefined;
  }
  // Their entries are recognised by fields only, so that no name is taken for an employer or a school.
  return titled === 'experience' || titled === 'education' || titled === 'volunteering' ? undefined : titled;
}

/** The kind of an entry with a company, by the topic of its section. */
// biome-ignore format: a table
const jobs: Partial<Record<Topic, Keyed>> = {
  experience: 'experience', education: 'experience', skills: 'experience', summary: 'experience',
  volunteering: 'volunteering', projects: 'projects',
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
  const capital = (word: string) => (shortWords.test(word) ? word : word.charAt(0).toUpperCase() + word.slice(1));
  return literal(key.replace(/_+/g, ' ').trim().split(' ').map(capital).join(' '));
}

const toPosition = (entry: InputCursor): Position => ({
  company: withoutMarkdown(entry.text('company')),
  title: toPlain(entry.text('position')),
  location: toPlain(entry.text('location')),
  url: linksIn(entry.text('company'))[0] ?? entry.text('url'),
  ...toPeriod(entry),
  ...toTexts(entry),
});

/** A project, or a job among the projects, which is an entry with a role. */
function toProject(entry: InputCursor): DraftProject {
  const name = entry.text('company') ?? headOf(entry);
  const location = toPlain(entry.text('location'));
  const known = {
    name: withoutMarkdown(name),
    role: toPlain(entry.text('position')),
    ...toPeriod(entry),
    // The examples of RenderCV have the address of a project in its date.
    urls: [[name, entry.text('date')].flatMap(linksIn), entry.text('url') ?? []].flat(),
  };
  const texts = toTexts(entry);
  // A single link is an address of the project, such as its label GitHub says.
  const { true: links = [], false: highlights = [] } = Object.groupBy(texts.highlights, (it) => `${isLink(it)}`);
  const summary = isLink(texts.summary) ? undefined : texts.summary;
  const urls = [...known.urls, ...[texts.summary, ...links].filter(isLink).flatMap(linksIn)];
  return {
    ...known,
    urls,
    summary: toSentences([summary, location], 'joined into the summary of the project'),
    highlights,
  };
}

const isLink = (value: Value | undefined) => /^\[[^\]]*\]\(\S*\)\.?$/.test(value?.text ?? '');

/** The date, the address and one text of all further fields, of an entry without a place and bullets. */
const toNote = (entry: InputCursor) => ({
  date: entry.text('date', 'end_date', 'start_date'),
  url: linksIn(headOf(entry))[0] ?? entry.text('url'),
  summary: toRest(entry),
});

/** All texts of an entry except its head, its authors and its date. */
function toRest(entry: InputCursor): Value | undefined {
  const location = toPlain(entry.text('location'));
  const { summary, highlights } = toTexts(entry);
  return toSentences([location, summary, ...highlights], restJoined);
}

/** An entry of a section that the profile has no key for. */
function toSectionEntry(entry: InputCursor): DraftEntry {
  const name =
    entry.text('position', 'name', 'label', 'title') ??
    joined([entry.text('degree'), entry.text('area')], ', ', 'joined');
  const line = name ?? headOf(entry);
  const organization = entry.text('company', 'institution', 'journal');
  const [link] = [name, organization].flatMap(linksIn);
  const text = name ? withoutMarkdown(line) : toMarks(line);
  const { start, end } = toPeriod(entry);
  return {
    ...(name ? { name: text } : entry.kind === 'object' ? { bullet: text } : { text }),
    organization: withoutMarkdown(organization),
    location: toPlain(entry.text('location')),
    url: link ?? entry.text('url'),
    details: joined([toMarks(entry.text('details')), ...entry.texts('authors').map(toPlain)], ', ', 'joined'),
    ...(start === end ? { date: start } : { start, end }),
    ...toTexts(entry, ['summary']),
  };
}

/** The name or title of an entry of any type; for an entry that is a line of text, that line. */
const headOf = (entry: InputCursor): Value | undefined =>
  entry.text('name', 'label', 'title', 'bullet', 'number', 'reversed_number') ?? entry.text();

/** The start and end of an entry. RenderCV uses `date` for both; an end date without a start is read the same way. */
function toPeriod(entry: InputCursor) {
  const [start, end, date] = [entry.text('start_date'), entry.text('end_date'), entry.text('date')];
  if (!start) return toDateRange(date ?? end);
  if (date) omit(date, 'The start date is used instead');
  return { start, end };
}

/**
 * The summary and the highlights of an entry. Further highlights are the bullets in the summary, and fields that no
 * type of entry has, so the other fields must be read before.
 */
function toTexts(entry: InputCursor, fields = ['details', 'summary']) {
  const texts = fields.map((field) => toMarks(entry.text(field)));
  const { summary, highlights } = toDescription(texts, restJoined);
  const own = entry.texts('highlights').flatMap((highlight) => toMarks(withNestedBullets(highlight)) ?? []);
  return { summary, highlights: [...highlights, ...own, ...restOf(entry)] };
}

const restJoined = 'joined with the rest of its entry';

/** Puts the bullets below a highlight on lines of their own. RenderCV reads text after ` - ` as one. */
function withNestedBullets(highlight: Value): Value {
  const parts = highlight.text.split(/(?<!\d)\s-\s|\s-\s(?!\s*\d)/).map((part) => part.trim());
  const [lead = '', ...nested] = parts.filter((part) => part !== '');
  if (nested.length === 0) return highlight;
  return changed(highlight, 'nested list put on lines of its own', [lead, ...nested].join('\n- '));
}

/** A list under a label, such as `Programming: Go, Python`; without a label if the entry is only the list. */
function toLabelled(entry: InputCursor): { label: Value | undefined; items: Value[] } {
  const head = toPlain(headOf(entry));
  const rest = [entry.text('details'), entry.text('summary'), ...entry.texts('highlights')];
  const items = rest.flatMap((text) => splitList(toPlain(text)));
  if (items.length > 0) return { label: head, items };
  const [, label, list] = /^([^:：,;.]{1,60})[:：]\s*(\S.*)$/su.exec(head?.text ?? '') ?? [];
  if (label === undefined) return { label: undefined, items: splitList(head) };
  const part = (text: string) => changed(head!, 'split into a label and what it stands for', text);
  return { label: part(label), items: splitList(part(list!)) };
}

/** The skills of an entry, which may be a list of languages or interests among the skills. */
function toSkills(entry: InputCursor): Draft {
  const { label, items } = toLabelled(entry);
  const languages = items.map(toLanguage);
  if (languages.filter(({ language }) => isSpokenLanguage(language.text)).length * 2 >= items.length) {
    entry.at('label').exclude(headingReason);
    return { languages };
  }
  if (label && topicOf(label.text) === 'interests') return { interests: [{ name: label, keywords: items }] };
  return label ? { skillGroups: [{ name: label, skills: items }] } : { skills: items };
}

/** The languages of an entry: one, with its fluency in another field or on the same line, or several on one line. */
function toLanguages(entry: InputCursor): NonNullable<Draft['languages']> {
  const [head, details] = [headOf(entry), entry.text('details', 'summary')].map(toPlain);
  if (!details) return splitList(head).map(toLanguage);
  if (topicOf(head?.text ?? '') !== 'languages') return [{ language: head, fluency: details }];
  for (const key of ['label', 'name']) entry.at(key).exclude(headingReason);
  return splitList(details).map(toLanguage);
}

const headingReason = 'It is the heading of a list, which the profile has under a key of its own';

function toLanguage(value: Value): { language: Value; fluency: Value | undefined } {
  const parts = /^([^(（:：–—]{1,100})(?:[(（](.+)[)）]|[:：–—](.+)|\s-\s(.+))$/u.exec(value.text);
  if (!parts) return { language: value, fluency: undefined };
  const [language, fluency] = [parts[1]!, parts[2] ?? parts[3] ?? parts[4]!].map((part) =>
    changed(value, 'split into language and fluency', part.trim()),
  );
  return { language: language!, fluency };
}

// Words that no item of a list has, in the languages with the most resumes.
const prose =
  /\b(with|understanding|knowledge|experienced?|familiar(ity)?|proficien\w+|ability|able|comfortable|kenntnisse|erfahrung\w*|conocimientos?|experiencia|connaissances?|conhecimentos?|conoscenz[ae])\b/i;

/** Splits a list of short items, such as `Go, Python (NumPy, Pandas)`, outside parentheses. A sentence is one item. */
function splitList(value: Value | undefined): Value[] {
  const separators = new Set(value?.text.replace(/\([^()]*\)/g, '').match(/[,;|•·、，；]/g));
  const parts = value?.text.match(/(?:\([^()]*\)|[^,;|•·、，；])+/g) ?? [];
  const texts = parts.map((part) => part.replace(/^\s+(and\s)?/i, '').trim()).filter((part) => part !== '');
  const maxWords = /[.!?。]$/.test(value?.text ?? '') ? 2 : 5;
  const isShort = (text: string) =>
    text.replace(/\([^()]*\)/g, '').split(/\s+/).length <= maxWords && text.length <= 80;
  const isList = separators.size === 1 && texts.length > 1 && texts.every(isShort) && !prose.test(value!.text);
  if (!value || !isList) return value ? [value] : [];
  return texts.map((text) => changed(value, 'split at its commas', text));
}
