import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { changed, leave, type Value } from '../source/value.ts';
import type { Draft, Format } from './draft.ts';
import { toPlain } from './markdown.ts';
import { profileUrlOf } from './networks.ts';
import {
  headOf,
  toCertification,
  toEducation,
  toLanguages,
  toPosition,
  toProject,
  toPublication,
  toSkills,
} from './rendercv-entries.ts';
import { type Topic, topicOf } from './topics.ts';

/** RenderCV 2, and what 1 has in common with it. */
export const renderCv: Format = {
  name: 'RenderCV',
  description: 'an object with cv',
  recognises: (input) => input.at('cv').kind === 'object',
  toDraft(input) {
    const cv = input.at('cv');
    for (const key of ['design', 'locale', 'settings', 'rendercv_settings']) input.at(key).leave(layout);
    cv.at('photo').leave('The profile has no picture');
    const entries = toEntries(cv.at('sections'));
    const of = (topic: Topic) => entries.flatMap((each) => (each.topic === topic ? each.entry : []));
    const skills = of('skills').flatMap(toSkills);
    return {
      name: toPlain(cv.text('name')),
      title: toPlain(cv.text('headline', 'label')),
      location: toPlain(cv.text('location')),
      summary: toSentences(
        of('summary').flatMap((entry) => toPlain(headOf(entry)) ?? []),
        'joined with the rest of its section into the summary',
      ),
      domains: skills.flatMap(({ domain }) => domain ?? []),
      positions: of('experience').map(toPosition),
      projects: of('projects').map(toProject),
      skills: skills.flatMap(({ skill }) => skill ?? []),
      email: firstOf(cv.texts('email'), 'The profile has one e-mail address'),
      phone: toPhone(firstOf(cv.texts('phone'), 'The profile has one phone number')),
      links: toLinks(cv),
      education: of('education').map(toEducation),
      certifications: of('certifications').map(toCertification),
      languages: of('languages').flatMap(toLanguages),
      publications: of('publications').map(toPublication),
    } satisfies Draft;
  },
};

const layout = 'It says how RenderCV sets the page, not who you are';
const noSection = 'The profile has no section for it';
const otherKind = 'The section of the profile holds entries of another kind';

/** The entries of all sections, each under the topic that its fields or else the title of its section give. */
function toEntries(sections: InputCursor): { topic: Topic | undefined; entry: InputCursor }[] {
  return sections.keys.flatMap((title) =>
    sections.items(title).map((entry) => {
      const titled = topicOf(title);
      const topic = topicOfEntry(entry, titled);
      if (topic === undefined) entry.leave(titled && titled !== 'volunteering' ? otherKind : noSection);
      return { topic, entry };
    }),
  );
}

function topicOfEntry({ keys }: InputCursor, titled: Topic | undefined): Topic | undefined {
  const has = (...fields: string[]) => fields.some((field) => keys.includes(field));
  if (titled === 'volunteering') return undefined;
  if (has('institution')) return 'education';
  if (has('company', 'position')) return 'experience';
  if (has('title', 'authors', 'journal', 'doi')) return 'publications';
  const isLine = !has('name', 'label');
  if (titled === 'summary') return isLine ? titled : undefined;
  // A lone line says too little to be a job or a degree.
  return isLine && (titled === 'experience' || titled === 'education') ? undefined : titled;
}

const toLinks = (cv: InputCursor) => [
  ...cv.texts('website').map((url) => ({ url })),
  ...cv.items('social_networks').map((account) => {
    account.leave('There is no address to link to, and none can be made of network and user name');
    const label = account.text('network');
    return { label, url: profileUrlOf(label, account.text('username')) };
  }),
  ...cv.items('custom_connections').map((connection) => {
    connection.at('fontawesome_icon').leave(layout);
    return { label: toPlain(connection.text('placeholder')), url: connection.text('url') };
  }),
];

function firstOf([first, ...others]: readonly Value[], why: string): Value | undefined {
  for (const other of others) leave(other, why);
  return first;
}

const toPhone = (phone: Value | undefined) =>
  phone?.text.startsWith('tel:') ? changed(phone, 'tel: removed', phone.text.slice(4)) : phone;
