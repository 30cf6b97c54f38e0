import type { InputCursor } from '../source/input-cursor.ts';
import { joined } from '../source/value.ts';
import type { Draft, Format } from './draft.ts';
import { withoutHtml } from './html.ts';
import {
  toCertification,
  toCustomLink,
  toEducation,
  toPositions,
  toProfileLink,
  toProject,
  toPublication,
  toWebsite,
} from './reactive-resume-items.ts';
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
        [...sections.get('summary')!, ...of('summary')].map((place) => withoutHtml(place.text('content'))),
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

const layout = 'It says how Reactive Resume sets the page, not who you are';
const settings = /^(id|visible|hidden|icon|columns|separateLinks|options|type)$/;
const kinds = 'summary experience education skills projects languages certifications publications profiles'.split(' ');

/** The sections that are shown, by what they hold; those that the author added are of a kind by their title in version 4, by their type in 5. */
function toSections(input: InputCursor): Map<string, InputCursor[]> {
  const sections = input.at('sections');
  const custom = sections.at('custom');
  const all = [
    { kind: 'summary', section: input.at('summary') },
    ...sections.keys.flatMap((kind) => (kind === 'custom' ? [] : { kind, section: sections.at(kind) })),
    ...custom.keys.map((id) => ({ kind: topicOf(custom.at(id).text('name')?.text ?? ''), section: custom.at(id) })),
    ...input.items('customSections').map((section) => ({ kind: section.text('type')?.text, section })),
  ];
  const held = new Map<string, InputCursor[]>(kinds.map((kind) => [kind, []]));
  for (const { kind = '', section } of all) {
    const same = held.get(kind);
    if (!same) section.leave('The profile has no section for it');
    else if (isShown(section)) {
      for (const key of ['name', 'title']) section.at(key).leave(layout);
      same.push(section);
    }
  }
  return held;
}

/** Whether a section or an item is shown; says why it is left if not, and what of it is about layout if so. */
function isShown(place: InputCursor): boolean {
  const isHidden = place.text('visible')?.text === 'false' || place.text('hidden')?.text === 'true';
  if (isHidden) place.leave('It is hidden in the resume');
  else for (const key of place.keys) if (settings.test(key)) place.at(key).leave(layout);
  return !isHidden;
}

function explainUnmapped(input: InputCursor): void {
  input.at('metadata').leave(layout);
  input.at('metadata').at('notes').leave('It is a note to yourself');
  for (const place of [input, input.at('basics')]) place.at('picture').leave('The profile has no picture');
  for (const key of ['$schema', 'version']) input.at(key).leave('It describes the file, not the person');
  for (const field of input.at('basics').items('customFields'))
    for (const key of ['id', 'icon']) field.at(key).leave(layout);
  for (const item of input.at('sections').at('skills').items('items'))
    for (const key of ['description', 'proficiency']) item.at(key).leave('A skill has no level in the profile');
}
