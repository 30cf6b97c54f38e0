import type { Profile } from '../../model/profile/profile-document.ts';
import { toOutline } from '../outline/outline.ts';

/** Returns a profile as a schema.org ProfilePage, for programs that read pages: nothing that is not on the page. */
export function toProfilePage(profile: Profile) {
  const { candidate, resume, experience } = profile;
  const { email, phone, links = [], education = [], languages = [], awards = [] } = resume;
  const jobs = experience.filter(({ current, company }) => current && company !== '');
  const schools = education.flatMap(({ institution, url }) => (institution === undefined ? [] : { institution, url }));
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    inLanguage: toOutline(profile).language,
    mainEntity: given({
      '@type': 'Person',
      name: candidate.name,
      jobTitle: candidate.title,
      description: candidate.summary,
      homeLocation: candidate.location && { '@type': 'Place', name: candidate.location },
      email,
      telephone: phone,
      sameAs: links.map(({ url }) => url),
      worksFor: jobs.map(({ company: name, url }) => given({ '@type': 'Organization', name, url })),
      alumniOf: schools.map(({ institution: name, url }) => given({ '@type': 'EducationalOrganization', name, url })),
      knowsAbout: resume.skills,
      knowsLanguage: languages.map(({ language }) => language),
      award: awards.map(({ title }) => title),
    }),
  };
}

/** The properties of an object that are not empty. */
const given = (object: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => value && !(Array.isArray(value) && value.length === 0)),
  );
