import { type SectionKey, sectionKeys } from 'resume-profile/resume-section';
import type { Draft, Format } from '../draft/draft.ts';
import type { InputCursor } from '../source/input-cursor.ts';
import { joined, layoutReason, literal, privateReason, type Value } from '../source/value.ts';
import { type Contact, linksOf, toAccount, toPlace, toUnlinked } from './contact.ts';
import { toHeadings } from './headings.ts';
import { toPrintedLanguage } from './languages.ts';
import * as items from './reactive-resume-items.ts';
import { toText } from './rich-text.ts';
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
    const { headings, of, custom } = toSections(input);
    const [job] = headings.filter(({ key }) => key === 'experience');
    const { links, further, ...contact } = toContact(input);
    const profiles = of('profiles', toProfile);
    const summaries = [
      input.at('basics').text('summary'),
      ...of('summary', (each) => ({ text: each.text('content', 'body') })).map(({ text }) => text),
    ];
    return {
      ...contact,
      summary: joined(summaries.map(toText), '\n', 'joined with the other summary'),
      headings,
      positions: of('experience', items.toPositions),
      isInOrder: true,
      ...(job?.title && { positionsTitle: job.title.text }),
      projects: of('projects', items.toProject),
      ...toSkills(of('skills', items.toSkill)),
      links: [...links, ...linksOf(profiles)],
      education: of('education', items.toEducation),
      certifications: of('certifications', items.toCertification),
      languages: of('languages', items.toLanguage),
      publications: of('publications', items.toPublication),
      awards: of('awards', items.toAward),
      volunteer: of('volunteer', items.toVolunteering),
      interests: of('interests', items.toInterest),
      references: of('references', items.toReference),
      sections: [...custom, toUnlinked(literal('Profiles'), profiles), ...further],
      notes: [
        metadata.text('notes'),
        ...of('cover-letter', (letter) => ({ texts: letter.texts('recipient', 'content') })).flatMap((it) => it.texts),
      ].flatMap((note) => toText(note) ?? []),
      language: notEnglish(toPrintedLanguage(metadata.at('page').text('locale') ?? metadata.text('locale'))),
    } satisfies Draft;
  },
};

/** English is the language of a resume whose language nobody has set. */
const notEnglish = (tag: Value | undefined) => (tag?.text.startsWith('en') ? undefined : tag);

const ofTheFile = /^(\$schema|version|id|public|slug|tags|title|visibility|locked|(is|created|updated|user)[A-Z]\w*)$/;

/** The resume in a file, which has it under `data` in version 1 and as the programming interface answers it. */
const resumeIn = (file: InputCursor) => (file.at('data').kind === 'object' ? file.at('data') : file);

/** Whether a resume is one of version 1 or 2, whose sections stand beside the profile. */
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

/** The kinds that general items of a custom section can become; a name is never taken for an employer or a school. */
const customKinds = 'skills projects languages certifications publications awards interests references'.split(' ');
/** The kinds that are not a section of the profile. */
const unheaded = ['profiles', 'cover-letter'] as const;
const kinds = [...customKinds, 'summary', 'experience', 'education', 'volunteer', ...unheaded];

const notJobs = ['other', 'volunteering'];

/** Sorts visible sections by kind; `custom` are those of other kinds, each under its own title. */
function toSections(input: InputCursor) {
  const shown = inLayoutOrder(input, sectionsIn(input)).filter(({ section }) => isShown(section));
  const all = shown.map(({ kind, section }) => {
    const title = section.text('name', 'title');
    const shownItems = section.items('items').filter(isShown);
    return { kind, title, shownItems: kind === 'summary' ? [section, ...shownItems] : shownItems };
  });
  const isKnown = (kind: string) => kinds.includes(kind);
  const isUnheaded = (kind: string) => unheaded.some((each) => each === kind);
  for (const { kind, section } of shown)
    if (isKnown(kind))
      for (const key of ['name', 'title', 'heading'])
        section.at(key).exclude('It is a heading, which is counted apart');
  const { headings, sectionOf } = toHeadings(
    all
      .filter(({ kind, shownItems }) => !isUnheaded(kind) && shownItems.length > 0)
      .map(({ kind, title }) => ({ title, key: sectionKeys.find((key) => key === kind) })),
  );
  return {
    headings,
    /** The items of a kind as a reader makes them, with the section that they are in if that heads another key. */
    of: <Made extends object>(
      kind: SectionKey | (typeof unheaded)[number],
      toMade: (item: InputCursor) => Made | readonly Made[],
    ) =>
      all.flatMap((each) => {
        if (each.kind !== kind) return [];
        const key = sectionKeys.find((key) => key === kind);
        const section = key && sectionOf(each.title, key);
        return each.shownItems
          .flatMap((item) => [toMade(item)].flat() as Made[])
          .map((made) => ({ ...made, ...(section && { section }) }));
      }),
    custom: all.flatMap(({ kind, title, shownItems }) =>
      isKnown(kind) ? [] : { title: title ?? literal(kind), entries: shownItems.map(items.toEntry) },
    ),
  };
}

interface LocatedSection {
  /** Its name in the layout. */
  readonly id: string;
  readonly kind: string;
  readonly section: InputCursor;
}

/** Sorts sections as the pages of the resume have them, main column first; those that no page has follow. */
function inLayoutOrder(input: InputCursor, sections: readonly LocatedSection[]): LocatedSection[] {
  const layout = input.at('metadata').at('layout');
  const pages = layout.items('pages').flatMap((page) => page.texts('main', 'sidebar'));
  const names = [...layout.texts(), ...pages].map(({ text }) => text.replace(/^custom\./, ''));
  const placeOf = ({ id }: LocatedSection) => (names.includes(id) ? names.indexOf(id) : names.length);
  return sections.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function sectionsIn(input: InputCursor): LocatedSection[] {
  const sections = input.at('sections');
  const custom = sections.at('custom');
  const own = sections.keys
    .filter((key) => key !== 'custom')
    .map((key) => ({ id: key, ...toKind(key, sections.at(key)) }));
  return [
    { id: 'summary', kind: 'summary', section: input.at('summary') },
    { id: 'summary', kind: 'summary', section: input.at('basics').at('summary') },
    ...own,
    ...custom.keys.map((id) => ({ id, ...toKind('custom', custom.at(id)) })),
    ...input.items('customSections').map((section) => ({
      id: section.text('id')?.text ?? '',
      ...toKind('custom', section),
    })),
  ].filter(({ section }) => section.kind === 'object');
}

/**
 * The kind of a section by its key in `sections` or its type, otherwise by its title. A titled custom text is not the
 * summary, and talks in the shape of jobs are not jobs.
 */
function toKind(key: string, section: InputCursor): { kind: string; section: InputCursor } {
  const [type, title] = [section.text('type')?.text ?? '', section.text('name', 'title')?.text ?? ''];
  const named = [key, type].map((name) => (name === 'work' ? 'experience' : name)).find((name) => kinds.includes(name));
  const topic = topicOf(title) ?? '';
  const isOther = named === 'summary' ? title !== '' : named === 'experience' && notJobs.includes(topic);
  if (key === 'custom' && isOther) return { kind: 'text', section };
  if (named) return { kind: named, section };
  const isGeneral = type === '' || type === 'custom';
  return { kind: isGeneral && customKinds.includes(topic) ? topic : type || key, section };
}

const settings =
  /^(id|visible|hidden|type|columns|icon|iconColor|separateLinks|options|levelNum|keepTogether|startOnNewPage|keywordLayout|layout|isDuplicated)$/;

/** Whether a section or item is visible. If it is hidden, explains why its content isn't carried over. */
function isShown(cursor: InputCursor): boolean {
  const isHidden = cursor.text('visible')?.text === 'false' || cursor.text('hidden')?.text === 'true';
  if (isHidden) cursor.explain('It is hidden in the resume');
  excludeSettings(cursor);
  if (isHidden) {
    const items = cursor.items('items');
    if (items.length === 0 && cursor.keys.includes('items'))
      for (const key of ['name', 'title']) cursor.at(key).exclude('It is the heading of an empty section');
    items.forEach(excludeSettings);
  }
  return !isHidden;
}

function excludeSettings(cursor: InputCursor): void {
  for (const key of cursor.keys) if (settings.test(key)) cursor.at(key).exclude(layoutReason);
  if (cursor.text('level')?.text === '0') cursor.at('level').exclude('No level is shown');
}

/** The draft fields of the resume's header. `further` are its fields that are not links. */
function toContact(input: InputCursor) {
  const basics = input.at('basics');
  basics.at('birthdate').exclude(privateReason);
  const fields = basics.items('customFields').map(toField);
  const profiles = basics.items('profiles').map(toProfile);
  return {
    name: basics.text('name'),
    title: basics.text('headline'),
    location: toPlace(basics.at('location')),
    email: basics.text('email'),
    phone: basics.text('phone'),
    photo: toPhoto(input.at('picture')) ?? toPhoto(basics.at('picture')) ?? toPhoto(basics.at('photo')),
    links: [
      { label: basics.at('url').text('label') ?? basics.at('website').text('label'), url: items.addressIn(basics) },
      ...linksOf([...fields, ...profiles]),
    ],
    further: [toUnlinked(literal('Custom fields'), fields), toUnlinked(literal('Profiles'), profiles)],
  };
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

function toProfile(profile: InputCursor): Contact {
  profile.at('id').exclude(layoutReason);
  return toAccount(profile.text('network'), profile.text('username'), items.addressIn(profile));
}
