import { Background } from 'resume-profile/background';
import { shownIn } from 'resume-profile/hides';
import type { Profile } from 'resume-profile/profile-document';
import { z } from 'zod';
import { operation } from './operation.ts';

export const getBackground = operation({
  name: 'get_background',
  title: 'Get background',
  summary:
    'Education, certifications, languages, publications, awards, volunteering and further sections of the resume.',
  description:
    'Use it to learn what the candidate has besides jobs, projects and skills: education, certifications, languages, publications, awards, volunteering, and further sections under their own titles, such as talks or patents. A list without entries is absent. Dates are as precise as the candidate states them: YYYY, YYYY-MM or YYYY-MM-DD; a null end date means ongoing, an absent one that it is not stated.',
  kind: 'read',
  isOffered: ({ background }) => background === true,
  access: 'bearer',
  rest: { method: 'GET', path: '/background' },
  resources: [
    { path: 'background', title: 'Background', description: 'Education, certifications, languages and the like' },
  ],
  input: z.object({}),
  output: Background,
  handle: (_input, { profile }) => backgroundOf(profile),
});

/** Returns the background in a resume; its entries still have fields that are not part of the answer. */
export function backgroundOf(profile: Profile): z.input<typeof Background> {
  const { resume } = shownIn('programs', profile);
  return {
    education: ifAny(resume.education),
    certifications: ifAny(resume.certifications),
    languages: ifAny(resume.languages),
    publications: ifAny(resume.publications),
    awards: ifAny(resume.awards),
    volunteer: ifAny(resume.volunteer),
    sections: ifAny(resume.sections?.filter(({ entries }) => entries.length > 0)),
  };
}

const ifAny = <Item>(items: readonly Item[] = []): Item[] | undefined => (items.length === 0 ? undefined : [...items]);
