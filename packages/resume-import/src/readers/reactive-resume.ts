import type { Draft, DraftEntry, Format, Position } from '../draft/draft.ts';
import { toDateRange } from '../source/dates.ts';
import { fieldsIn, type InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { exclude, joined, layoutReason, literal, omit, privateReason, type Value } from '../source/value.ts';
import { type Contact, linksOf, toAccount, toPlace, toUnlinked, withText } from './contact.ts';
import { arranged } from './headings.ts';
import { toPrintedLanguage } from './languages.ts';
import { restOf } from './leftovers.ts';
import { toDescription, toItems, toProse, toSummaryAndHighlights, toText } from './rich-text.ts';
import { toSkills } from './skill-groups.ts';
import { topicOf } from './topics.ts';

/** The JSON export of Reactive Resume 3, 4 and 5. Readers list a field's name in version 4 before its other names. */
export const reactiveResume: Format = {
  name: 'Reactive Resume',
  description: 'an object with basics and sections',
  recognises(file) {
    const input = resumeIn(file);
    return isOlder(input) || (input.at('basics').kind === 'object' && input.at('sections').kind === 'object');
  },
  toDraft(file) {
    const input = resumeIn(file);
    refuseUnknown(input);
    for (const parent of [file, input])
      for (const key of parent.keys)
        if (ofTheFile.test(key)) parent.at(key).exclude('It describes the file, not the person');
    const metadata = input.at('metadata');
    for (const key of metadata.keys) if (key !== 'notes') metadata.at(key).exclude(layoutReason);
    const sections = shownSections(input);
    const itemsOf = (kind: string) => sections.flatMap((section) => (section.kind === kind ? section.items : []));
    const parts = sections
      .filter(({ kind, items }) => !unheaded.includes(kind) && items.length > 0)
      .map(({ kind, title, items }) => ({
        title,
        draft: kinds.includes(kind)
          ? readers[kind]!(items)
          : { sections: [{ title: title ?? literal(kind), entries: items.map(toEntry) }] },
      }));
    const { sections: custom = [], ...content } = arranged(parts);
    const basics = input.at('basics');
    basics.at('birthdate').exclude(privateReason);
    const summaries = [toText(basics.text('summary')), ...parts.map(({ draft }) => draft.summary)];
    const fields = basics.items('customFields').map(toField);
    const profiles = [...basics.items('profiles'), ...itemsOf('profiles')].map((profile) => {
      profile.at('id').exclude(layoutReason);
      return toAccount(profile.text('network'), profile.text('username'), addressIn(profile));
    });
    const website = {
      label: basics.at('url').text('label') ?? basics.at('website').text('label'),
      url: addressIn(basics),
    };
    const letters = itemsOf('cover-letter').flatMap((letter) => letter.texts('recipient', 'content'));
    const language = toPrintedLanguage(metadata.at('page').text('locale') ?? metadata.text('locale'));
    return {
      ...content,
      ...fieldsIn(basics, { name: 'name', title: 'headline', email: 'email', phone: 'phone' }),
      location: toPlace(basics.at('location')),
      photo: toPhoto(input.at('picture')) ?? toPhoto(basics.at('picture')) ?? toPhoto(basics.at('photo')),
      isInOrder: true,
      summary: joinedSummary(summaries),
      links: [website, ...linksOf([...fields, ...profiles])],
      sections: [...custom, toUnlinked(literal('Custom fields'), fields), toUnlinked(literal('Profiles'), profiles)],
      notes: [metadata.text('notes'), ...letters].flatMap((note) => toText(note) ?? []),
      // English is the language of a resume whose language nobody has set.
      ...(!language?.text.startsWith('en') && { language }),
    };
  },
};

const joinedSummary = (summaries: readonly (Value | undefined)[]) =>
  joined(summaries, '\n', 'joined with the other summary');

const ofTheFile = /^(\$schema|version|id|public|slug|tags|title|visibility|locked|(is|created|updated|user)[A-Z]\w*)$/;

/** The resume in a file, which has it under `data` in version 1 and as the programming interface answers it. */
const resumeIn = (file: InputCursor) => (file.at('data').kind === 'object' ? file.at('data') : file);

/** Whether a resume is of version 1 or 2, whose sections stand beside the profile. */
function isOlder(input: InputCursor): boolean {
  const sections = ['work', 'education', 'social', 'skills', 'awards'].map((key) => input.at(key));
  return input.at('profile').kind === 'object' && sections.some((section) => section.at('items').kind === 'list');
}

function refuseUnknown(input: InputCursor): void {
  const refuse = (version: string) => {
    throw new Error(`is a Reactive Resume of ${version}, which cannot be read; versions 3, 4 and 5 can`);
  };
  const stated = input.text('version') ?? input.at('metadata').text('version');
  const [major] = /^\d+/.exec(stated?.text ?? '') ?? [];
  if (major !== undefined && !/^[345]$/.test(major)) refuse(`version ${major}`);
  if (isOlder(input)) refuse(input.at('work').keys.includes('enable') ? 'version 1' : 'version 2');
  const sections = input.at('sections');
  const isKnown = sections.keys.some(
    (key) => key === 'custom' || ['items', 'content'].some((list) => sections.at(key).keys.includes(list)),
  );
  if (sections.keys.length > 0 && !isKnown) refuse('an unknown version');
}

const readers: Readonly<Record<string, (items: readonly InputCursor[]) => Draft>> = {
  summary: (items) => ({ summary: joinedSummary(items.map((item) => toText(item.text('content', 'body')))) }),
  experience: (items) => ({ positions: items.flatMap(toPositions) }),
  projects: (items) => ({
    projects: items.map((item) => ({
      name: item.text('name', 'title'),
      tags: item.texts('keywords'),
      urls: [addressIn(item) ?? []].flat(),
      ...toPeriod(item),
      ...toTexts(item),
    })),
  }),
  skills: (items) =>
    toSkills(
      items.map((item) => ({
        name: item.text('name', 'title'),
        level: levelOf(item, 'description', 'proficiency', 'level', 'subtitle'),
        category: undefined,
        keywords: item.texts('keywords'),
      })),
    ),
  education: (items) => ({
    education: items.map((item) => ({
      ...fieldsIn(item, { institution: 'institution|school', area: 'area', degree: 'studyType|degree' }),
      ...fieldsIn(item, { location: 'location', score: 'score|grade' }),
      ...toPeriod(item),
      url: addressIn(item),
      details: [
        ...toItems(toText(item.text('summary', 'description'))).map(({ item: line }) => line),
        ...item.texts('courses'),
        ...restOf(item),
      ],
    })),
  }),
  certifications: (items) => ({
    certifications: items.map((item) => {
      const { start, end } = toPeriod(item);
      const note = toNote(item, { name: 'name|title', issuer: 'issuer' });
      return start === end ? note : { ...note, date: start, end };
    }),
  }),
  languages: (items) => ({
    languages: items.map((item) => ({
      language: item.text('name', 'language', 'title'),
      fluency: levelOf(item, 'description', 'fluency', 'level', 'subtitle'),
    })),
  }),
  publications: (items) => ({
    publications: items.map((item) => toNote(item, { name: 'name|title', publisher: 'publisher' })),
  }),
  awards: (items) => ({ awards: items.map((item) => toNote(item, { title: 'title|name', awarder: 'awarder' })) }),
  volunteer: (items) => ({
    volunteer: items.map((item) => ({
      ...fieldsIn(item, { organization: 'organization', role: 'position', location: 'location' }),
      url: addressIn(item),
      ...toPeriod(item),
      ...toTexts(item),
    })),
  }),
  interests: (items) => ({
    interests: items.map((item) => ({
      name: item.text('name', 'title'),
      keywords: [...item.texts('keywords'), ...restOf(item)],
    })),
  }),
  references: (items) => ({ references: items.map(toReference) }),
};

/** The kinds of sections that are not a section of a profile. */
const unheaded: readonly string[] = ['profiles', 'cover-letter'];
const kinds = [...Object.keys(readers), ...unheaded];
/** The kinds that general items of a custom section can become; a name is never taken for an employer or a school. */
const customKinds = 'skills projects languages certifications publications awards interests references'.split(' ');

/** The visible sections with their visible items, in the order of the layout. */
const shownSections = (input: InputCursor) =>
  inLayoutOrder(input).flatMap(({ kind, section }) => {
    if (!isShown(section)) return [];
    const title = section.text('name', 'title');
    if (kinds.includes(kind))
      for (const key of ['name', 'title', 'heading'])
        section.at(key).exclude('It is a heading, which is counted apart');
    const items = section.items('items').filter(isShown);
    return { kind, title, items: kind === 'summary' ? [section, ...items] : items };
  });

/** Sections in the order of the layout or the pages; sections that are on no page follow. */
function inLayoutOrder(input: InputCursor) {
  const layout = input.at('metadata').at('layout');
  const pages = layout.items('pages').flatMap((page) => page.texts('main', 'sidebar'));
  const names = [...layout.texts(), ...pages].map(({ text }) => text.replace(/^custom\./, ''));
  const placeOf = ({ id }: { id: string }) => (names.includes(id) ? names.indexOf(id) : names.length);
  const sections = input.at('sections');
  const custom = sections.at('custom');
  const located = (id: string, key: string, section: InputCursor) => ({ id, kind: kindOf(key, section), section });
  const all = [
    ...[input, input.at('basics')].map((parent) => located('summary', 'summary', parent.at('summary'))),
    ...sections.keys.filter((key) => key !== 'custom').map((key) => located(key, key, sections.at(key))),
    ...custom.keys.map((id) => located(id, 'custom', custom.at(id))),
    ...input.items('customSections').map((section) => located(section.text('id')?.text ?? '', 'custom', section)),
  ].filter(({ section }) => section.kind === 'object');
  return all.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/**
 * The kind of a section by its key in `sections` or its type, otherwise by its title. A titled custom text is not the
 * summary, and talks in the shape of jobs are not jobs.
 */
function kindOf(key: string, section: InputCursor): string {
  const [type, title] = [section.text('type')?.text ?? '', section.text('name', 'title')?.text ?? ''];
  const named = [key, type].map((name) => (name === 'work' ? 'experience' : name)).find((name) => kinds.includes(name));
  const topic = topicOf(title) ?? '';
  const isOther = named === 'summary' ? title !== '' : named === 'experience' && /^(other|volunteering)$/.test(topic);
  if (key === 'custom' && isOther) return 'text';
  if (named) return named;
  const isGeneral = type === '' || type === 'custom';
  return isGeneral && customKinds.includes(topic) ? topic : type || key;
}

const settings =
  /^(id|visible|hidden|type|columns|icon|iconColor|separateLinks|options|levelNum|keepTogether|startOnNewPage|keywordLayout|layout|isDuplicated)$/;

/** Whether a section or item is visible. If it is hidden, explains why its content isn't carried over. */
function isShown(cursor: InputCursor): boolean {
  const isHidden = cursor.text('visible')?.text === 'false' || cursor.text('hidden')?.text === 'true';
  if (isHidden) cursor.explain('It is hidden in the resume');
  excludeSettings(cursor);
  if (!isHidden) return true;
  const items = cursor.items('items');
  if (items.length === 0 && cursor.keys.includes('items'))
    for (const key of ['name', 'title']) cursor.at(key).exclude('It is the heading of an empty section');
  items.forEach(excludeSettings);
  return false;
}

function excludeSettings(cursor: InputCursor): void {
  for (const key of cursor.keys) if (settings.test(key)) cursor.at(key).exclude(layoutReason);
  if (cursor.text('level')?.text === '0') cursor.at('level').exclude('No level is shown');
}

/** The address of a picture that is shown; its shape and filters are layout. */
function toPhoto(picture: InputCursor): Value | undefined {
  for (const key of picture.keys) if (key !== 'url') picture.at(key).exclude(layoutReason);
  const isHidden =
    [picture, picture.at('effects')].some((parent) => parent.text('hidden')?.text === 'true') ||
    picture.text('visible')?.text === 'false';
  if (isHidden) picture.at('url').explain('It is hidden in the resume');
  return isHidden ? undefined : picture.text('url');
}

/** A custom field is a link if it has an address: in its value in version 4, in `link` in 5. */
function toField(field: InputCursor): Contact {
  for (const key of ['id', 'icon', 'iconColor']) field.at(key).exclude(layoutReason);
  const [name, text, link, value] = ['name', 'text', 'link', 'value'].map((key) => field.text(key));
  const isAddress = /^(https?:\/\/|[\w-]+(\.[\w-]+)+\/)\S+$/.test(value?.text ?? '');
  if (link || isAddress) return { link: { label: name ?? text, url: link ?? value } };
  return { entry: name ? { name, details: value ?? text } : { text: value ?? text } };
}

/** The position at a company, or one for each of its roles, which version 5 has. */
function toPositions(item: InputCursor): Position[] {
  const shared = { company: item.text('company', 'name'), location: item.text('location'), url: addressIn(item) };
  const roles = item.items('roles');
  if (roles.length === 0) return [{ ...shared, ...toRole(item) }];
  const { start: tenureStart, end: tenureEnd } = toPeriod(item);
  const texts = [item.text('position'), toProse(item.text('description'))];
  const about = toSentences(texts, 'joined with what is said of all roles');
  return roles.map((role) => {
    role.at('id').exclude(layoutReason);
    return { ...shared, about, tenureStart, tenureEnd, ...toRole(role) };
  });
}

function toRole(role: InputCursor) {
  const { summary, highlights } = toSummaryAndHighlights(toText(role.text('summary', 'description')));
  return {
    title: role.text('position'),
    ...toPeriod(role),
    summary,
    highlights: [...highlights, ...role.texts('highlights'), ...restOf(role)],
  };
}

/** A person with their relation to the candidate, their contact details, and their words. */
const toReference = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  reference: joined(
    [
      ...['relationship', 'position', 'description', 'phone', 'email'].map((field) => toProse(item.text(field))),
      addressIn(item),
      toProse(item.text('summary')),
    ],
    '\n',
    'joined with the rest of the reference',
  ),
});

/** An item of a section that the profile has no key for. */
function toEntry(item: InputCursor): DraftEntry {
  const isSummarized = item.keys.includes('summary');
  const shortTexts = [item.text('subtitle'), ...(isSummarized ? [toText(item.text('description'))] : [])];
  const { start, end } = toPeriod(item);
  return {
    name: item.text('name', 'title', 'position'),
    organization: item.text('company', 'organization'),
    details: joined([...shortTexts, ...item.texts('keywords')], ', ', 'joined'),
    location: item.text('location'),
    url: addressIn(item),
    ...(start === end ? { date: start } : { start, end }),
    ...toTexts(item, isSummarized ? ['summary'] : ['description', 'content']),
  };
}

const descriptions = ['subtitle', 'description', 'summary'];

/** Some fields, the date, the address and one text of all further fields, of an item without a period and bullets. */
const toNote = <Field extends string>(item: InputCursor, members: Record<Field, string>) => ({
  ...fieldsIn(item, members),
  date: item.text('date', 'period') ?? toPeriod(item).start,
  url: addressIn(item),
  summary: toSentences(
    [...descriptions.map((field) => toProse(item.text(field))), ...restOf(item)],
    'joined with the rest of its item',
  ),
});

/** The summary of an item and its highlights, among them the fields that no version has. */
function toTexts(item: InputCursor, fields = descriptions) {
  const texts = fields.map((field) => toText(item.text(field)));
  const { summary, highlights } = toDescription(texts, 'joined into one summary');
  // No version has highlights, but resumes that programs wrote for it do.
  return { summary, highlights: [...highlights, ...item.texts('highlights'), ...restOf(item)] };
}

/** The first of some fields that says a level in words. A number counts the dots or stars that are shown. */
function levelOf(item: InputCursor, ...fields: string[]): Value | undefined {
  const levels = fields.flatMap((field) => item.text(field) ?? []).filter(({ text }) => text !== '0');
  const { words = [], counts = [] } = Object.groupBy(levels, ({ text }) => (/^\d+$/.test(text) ? 'counts' : 'words'));
  for (const count of counts)
    if (words.length > 0) exclude(count, 'It draws a level that is stated in words');
    else omit(count, 'It counts the dots or stars of a level');
  return words[0];
}

/** The start and end of an item: two dates in version 3, otherwise a text. */
function toPeriod(item: InputCursor) {
  const date = item.at('date');
  if (date.kind === 'object') return { start: date.text('start'), end: date.text('end') };
  return toDateRange(item.text('date', 'period'));
}

/** The address of an item: a text in version 3, otherwise with a text of its own. */
function addressIn(item: InputCursor): Value | undefined {
  const [url, website] = [item.at('url'), item.at('website')];
  for (const each of [url, website]) each.at('inlineLink').exclude(layoutReason);
  const address = url.text() ?? website.text() ?? url.text('href') ?? website.text('url');
  const label = url.text('label') ?? website.text('label');
  return address && label ? (withText(address, label) ?? address) : address;
}
