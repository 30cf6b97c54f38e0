import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences, toWebAddress } from '../source/normalize.ts';
import { joined, type Value } from '../source/value.ts';
import type { Draft, DraftProject, Format, Position } from './draft.ts';
import { profileUrlOf } from './networks.ts';
import { toSkills } from './skill-groups.ts';

const sections =
  'basics work volunteer education awards certificates certifications publications skills languages interests references projects';
const members = [...sections.split(' '), 'meta', '$schema'];

const noSections = 'The profile has no volunteer work, awards, interests or references';
const noProjectField = 'A project has no dates, roles or kind in the profile';

/** JSON Resume 1.0.0 and its older spellings, written as JSON or as YAML. */
export const jsonResume: Format = {
  name: 'JSON Resume',
  description: 'an object with basics, work and the like',
  recognises: (input) =>
    input.at('basics').kind === 'object' ||
    input.at('work').kind === 'list' ||
    (input.keys.length > 0 && input.keys.every((key) => members.includes(key))),
  toDraft(input) {
    const basics = input.at('basics');
    // Only ids of our own export are ids of the profile.
    const isOurs = input.at('meta').text('generator')?.text.startsWith('candidate-profile') ?? false;
    const idOf = (item: InputCursor) => (isOurs ? item.text('id') : undefined);
    explainUnmapped(input);
    const { skills, domains } = toSkills(input.items('skills'));
    return {
      id: idOf(basics),
      name: basics.text('name'),
      title: basics.text('label'),
      location: toLocation(basics.at('location')),
      summary: basics.text('summary'),
      yearsExperience: basics.text('yearsExperience'),
      availability: basics.text('availability'),
      domains: [...basics.texts('domains'), ...domains],
      positions: input.items('work').map((work) => ({ id: idOf(work), ...toPosition(work) })),
      projects: input.items('projects').map((project) => ({ id: idOf(project), ...toProject(project) })),
      skills,
      email: basics.text('email'),
      phone: basics.text('phone'),
      links: toLinks(basics),
      education: input.items('education').map((education) => ({
        institution: education.text('institution'),
        area: education.text('area'),
        degree: education.text('studyType'),
        start: education.text('startDate'),
        end: education.text('endDate'),
        score: education.text('score', 'gpa'),
        url: education.text('url', 'website'),
        details: education.texts('courses'),
      })),
      certifications: input.items('certificates', 'certifications').map((certificate) => ({
        name: certificate.text('name', 'title'),
        issuer: certificate.text('issuer'),
        date: certificate.text('date'),
        url: certificate.text('url', 'website'),
      })),
      languages: input.items('languages').map((language) => ({
        language: language.text('language', 'name') ?? language.text(),
        fluency: language.text('fluency', 'level'),
      })),
      publications: input.items('publications').map((publication) => ({
        name: publication.text('name'),
        publisher: publication.text('publisher'),
        date: publication.text('releaseDate', 'date'),
        url: publication.text('url', 'website'),
        summary: publication.text('summary'),
      })),
    } satisfies Draft;
  },
};

const toPosition = (work: InputCursor): Position => ({
  company: work.text('name', 'company'),
  title: work.text('position'),
  start: work.text('startDate'),
  end: work.text('endDate'),
  tenureStart: work.text('companyStartDate'),
  tenureEnd: work.text('companyEndDate'),
  about: work.text('description'),
  summary: work.text('summary'),
  accomplishments: work.texts('highlights'),
});

const toProject = (project: InputCursor): DraftProject => ({
  name: project.text('name'),
  summary: toSentences(
    [project.text('description', 'summary') ?? [], ...project.texts('highlights')].flat(),
    'joined into the summary of the project',
  ),
  tags: project.texts('keywords'),
  urls: [project.text('url', 'website') ?? []].flat(),
  links: {
    github: project.at('links').text('github'),
    live: project.at('links').text('live'),
    details: project.at('links').text('details'),
  },
});

function toLocation(location: InputCursor): Value | undefined {
  const parts = [location.text('city'), location.text('region'), location.text('countryCode', 'country')];
  return location.text() ?? joined(parts, ', ', 'joined with the rest of the location into one text');
}

const toLinks = (basics: InputCursor) => [
  { url: basics.text('url', 'website') },
  ...basics.items('profiles').map((profile) => {
    profile.explain('It has no link, and none can be derived from network and user name');
    const [label, url] = [profile.text('network'), toWebAddress(profile.text('url'))];
    if (url) profile.at('username').explain('The link to the profile is used instead');
    return { label, url: url ?? profileUrlOf(label, profile.text('username')) };
  }),
];

/** Explains why fields without a counterpart in the profile are not carried over. */
function explainUnmapped(input: InputCursor): void {
  const explainAll = (why: string, parent: InputCursor, ...keys: string[]) => {
    for (const key of keys) parent.at(key).explain(why);
  };
  const basics = input.at('basics');
  explainAll('It describes the file, not the person', input, '$schema', 'meta');
  explainAll(noSections, input, 'volunteer', 'awards', 'interests', 'references');
  explainAll('The profile has no picture', basics, 'image', 'picture');
  explainAll(
    'It is private; the profile says city, region and country',
    basics.at('location'),
    'address',
    'postalCode',
  );
  for (const work of input.items('work'))
    explainAll('A company has no location or link in the profile', work, 'location', 'url', 'website');
  for (const project of input.items('projects'))
    explainAll(noProjectField, project, 'startDate', 'endDate', 'roles', 'entity', 'type');
}
