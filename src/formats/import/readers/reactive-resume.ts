import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { joined } from '../source/value.ts';
import { toItems } from './bullets.ts';
import { toDateRange } from './date-range.ts';
import type { Draft, DraftProject, Format, Position } from './draft.ts';
import { withoutHtml } from './html.ts';
import { profileUrlOf } from './networks.ts';
import { toSkills } from './skill-groups.ts';
import { topicOf } from './topics.ts';

/** The JSON export of Reactive Resume 4 and 5. */
export const reactiveResume: Format = {
  name: 'Reactive Resume',
  description: 'an object with basics and sections',
  recognises: (input) => input.at('basics').kind === 'object' && input.at('sections').kind === 'object',
  toDraft(input) {
    const basics = input.at('basics');
    explainUnmapped(input);
    const sections = toSections(input);
    const of = (kind: string) => sections.get(kind)!.flatMap((section) => section.items('items').filter(isShown));
    const { skills, domains } = toSkills(of('skills'));
    return {
      name: basics.text('name'),
      title: basics.text('headline'),
      location: basics.text('location'),
      summary: joined(
        [...sections.get('summary')!, ...of('summary')].map((section) => withoutHtml(section.text('content'))),
        '\n',
        'joined with the other summary',
      ),
      domains,
      positions: of('experience').flatMap(toPositions),
      projects: of('projects').map(toProject),
      skills,
      email: basics.text('email'),
      phone: basics.text('phone'),
      links: [
        toWebsite(basics),
        ...basics.items('customFields').map(toCustomLink),
        ...of('profiles').map(toProfileLink),
      ],
      education: of('education').map(toEducation),
      certifications: of('certifications').map(toCertification),
      languages: of('languages').map((item) => ({
        language: item.text('name', 'language'),
        fluency: item.text('description', 'fluency'),
      })),
      publications: of('publications').map(toPublication),
    } satisfies Draft;
  },
};

const layout = 'It is about the layout of the page, not about you';
const settings = /^(id|visible|hidden|icon|columns|separateLinks|options|type)$/;
const kinds = 'summary experience education skills projects languages certifications publications profiles'.split(' ');

/** Groups the visible sections by kind. The kind of a custom section follows from its title in version 4, from its type in 5. */
function toSections(input: InputCursor): Map<string, InputCursor[]> {
  const sections = input.at('sections');
  const custom = sections.at('custom');
  const all = [
    { kind: 'summary', section: input.at('summary') },
    ...sections.keys.flatMap((kind) => (kind === 'custom' ? [] : { kind, section: sections.at(kind) })),
    ...custom.keys.map((id) => ({ kind: topicOf(custom.at(id).text('name')?.text ?? ''), section: custom.at(id) })),
    ...input.items('customSections').map((section) => ({ kind: section.text('type')?.text, section })),
  ];
  const byKind = new Map<string, InputCursor[]>(kinds.map((kind) => [kind, []]));
  for (const { kind = '', section } of all) {
    const sameKind = byKind.get(kind);
    if (!sameKind) section.explain('The profile has no section for it');
    else if (isShown(section)) {
      for (const key of ['name', 'title']) section.at(key).explain(layout);
      sameKind.push(section);
    }
  }
  return byKind;
}

/** Whether a section or item is visible. Explains what of it is not carried over: everything if hidden, otherwise its layout settings. */
function isShown(cursor: InputCursor): boolean {
  const isHidden = cursor.text('visible')?.text === 'false' || cursor.text('hidden')?.text === 'true';
  if (isHidden) cursor.explain('It is hidden in the resume');
  else for (const key of cursor.keys) if (settings.test(key)) cursor.at(key).explain(layout);
  return !isHidden;
}

function explainUnmapped(input: InputCursor): void {
  input.at('metadata').explain(layout);
  input.at('metadata').at('notes').explain('It is a note to yourself');
  for (const parent of [input, input.at('basics')]) parent.at('picture').explain('The profile has no picture');
  for (const key of ['$schema', 'version']) input.at(key).explain('It describes the file, not the person');
  for (const field of input.at('basics').items('customFields'))
    for (const key of ['id', 'icon']) field.at(key).explain(layout);
  for (const item of input.at('sections').at('skills').items('items'))
    for (const key of ['description', 'proficiency']) item.at(key).explain('A skill has no level in the profile');
}

// If the versions name a field differently, the name of version 4 comes first.

/** The position at a company, or one for each of its roles, which version 5 has. */
function toPositions(item: InputCursor): Position[] {
  const company = item.text('company', 'name');
  for (const key of ['location', 'url', 'website'])
    item.at(key).explain('A company has no location or link in the profile');
  const roles = item.items('roles');
  if (roles.length === 0) return [{ company, ...toRole(item) }];
  for (const key of ['position', 'period']) item.at(key).explain('The roles at the company are used instead');
  const about = withoutHtml(item.text('description'));
  return roles.map((role) => {
    role.at('id').explain(layout);
    return { company, about, ...toRole(role) };
  });
}

function toRole(role: InputCursor) {
  const text = withoutHtml(role.text('summary', 'description'));
  const items = toItems(text);
  const isList = items.some(({ isBullet }) => isBullet);
  const paragraphs = items.flatMap(({ item, isBullet }) => (isBullet ? [] : item));
  return {
    title: role.text('position'),
    ...toDateRange(role.text('date', 'period')),
    summary: isList ? toSentences(paragraphs, 'joined with the other paragraphs') : text,
    accomplishments: items.flatMap(({ item, isBullet }) => (isBullet ? item : [])),
  };
}

function toProject(item: InputCursor): DraftProject {
  for (const key of ['date', 'period', 'location'])
    item.at(key).explain('A project has no dates or location in the profile');
  const texts = [item.text('description'), item.text('summary')].map(withoutHtml);
  return {
    name: item.text('name'),
    summary: toSentences(
      texts.flatMap((text) => text ?? []),
      'joined into the summary of the project',
    ),
    tags: item.texts('keywords'),
    urls: [addressIn(item) ?? []].flat(),
  };
}

function toEducation(item: InputCursor) {
  item.at('location').explain('A school has no location in the profile');
  return {
    institution: item.text('institution', 'school', 'name'),
    area: item.text('area'),
    degree: item.text('studyType', 'degree'),
    ...toDateRange(item.text('date', 'period')),
    score: item.text('score', 'grade'),
    url: addressIn(item),
    details: toItems(withoutHtml(item.text('summary', 'description'))).map(({ item }) => item),
  };
}

const toCertification = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  issuer: item.text('issuer'),
  date: item.text('date'),
  url: addressIn(item),
});

const toPublication = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  publisher: item.text('publisher'),
  date: item.text('date'),
  url: addressIn(item),
  summary: withoutHtml(item.text('summary', 'description')),
});

const toWebsite = (basics: InputCursor) => ({
  label: basics.at('url').text('label') ?? basics.at('website').text('label'),
  url: addressIn(basics),
});

function toProfileLink(item: InputCursor) {
  const [label, url] = [item.text('network'), addressIn(item)];
  const why = 'It has no link, and none can be derived from network and user name';
  for (const key of ['network', 'username'])
    item.at(key).explain(url ? 'The link to the profile is used instead' : why);
  return { label, url: url ?? profileUrlOf(label, item.text('username')) };
}

/** A custom field becomes a link if it has an address: in its value in version 4, in `link` in 5. */
function toCustomLink(field: InputCursor) {
  const [label, link, value] = [field.text('name', 'text'), field.text('link'), field.text('value')];
  const isAddress = /^(https?:\/\/|[\w-]+(\.[\w-]+)+\/)\S+$/.test(value?.text ?? '');
  return { label, url: link ?? (isAddress ? value : undefined) };
}

const addressIn = (item: InputCursor) => item.at('url').text('href') ?? item.at('website').text('url');
