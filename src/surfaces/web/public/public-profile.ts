import type { Candidate } from 'resume-profile/profile';
import type { Profile } from 'resume-profile/profile-document';
import { withoutMarks } from 'resume-profile/prose';
import { designShape } from 'resume-profile/resume-design';
import { isVisible } from 'resume-profile/text';
import type { Site } from '../page.ts';

/**
 * The parts that the owner lists under `public`, without texts that have no visible character: fields of the candidate (for the
 * summary only the first sentence, without its marks), the availability, and the numbers of jobs and projects.
 */
export interface PublicProfile extends Readonly<Partial<Candidate>> {
  readonly availability?: string;
  readonly counts?: { readonly jobs: number; readonly projects: number };
}

export function publicProfileOf({ candidate, experience, projects, ...profile }: Profile): PublicProfile {
  const fields = {
    ...candidate,
    summary: firstSentenceOf(withoutMarks(candidate.summary)),
    availability: profile.availability.status,
    counts: { jobs: experience.length, projects: projects.length },
  };
  return Object.fromEntries(
    profile.public
      .map((field) => [field, fields[field]] as const)
      .filter(([, value]) => (typeof value === 'string' ? isVisible(value) : value !== 0)),
  );
}

/** Returns a profile with only the public parts and the look of another one. */
export function publicPartOf(profile: Profile): Profile {
  const { name = '', title = '', location = '', summary = '', domains = [], ...shown } = publicProfileOf(profile);
  const { id = 'candidate', years_experience: years, availability: status = '' } = shown;
  const looks = Object.entries(profile.resume).filter(([key]) => key === 'language' || Object.hasOwn(designShape, key));
  return {
    candidate: { id, name, title, location, summary, domains, ...(years !== undefined && { years_experience: years }) },
    experience: [],
    projects: [],
    availability: { status },
    resume: { skills: [], ...Object.fromEntries(looks) },
    public: profile.public,
    ...(profile.accent !== undefined && { accent: profile.accent }),
  };
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** An abbreviation such as `Dr.` or `B.`, which does not end a sentence. */
const abbreviation = /(^|[\s(])(\p{L}|\p{Lu}\p{Ll}{1,3})\.\s*$/u;

export function firstSentenceOf(text: string): string {
  let sentence = '';
  for (const { segment } of sentences.segment(text.trim())) {
    sentence += segment;
    if (!abbreviation.test(sentence)) break;
  }
  return sentence.trim();
}

/** Returns the title of a page about the profile: the public name, otherwise neutral words. */
export const headingOf = ({ name }: PublicProfile): string => name || 'A professional profile';

/** The absolute addresses of the service, under their published names. */
export const addressesOf = ({ baseUrl }: Pick<Site, 'baseUrl'>) => ({
  page_url: `${baseUrl}/`,
  docs_url: `${baseUrl}/docs`,
  openapi_url: `${baseUrl}/openapi.json`,
  mcp_url: `${baseUrl}/mcp`,
  token_url: `${baseUrl}/auth/token`,
  jwks_url: `${baseUrl}/.well-known/jwks.json`,
  llms_url: `${baseUrl}/llms.txt`,
  privacy_url: `${baseUrl}/privacy`,
  qr_url: `${baseUrl}/qr.svg`,
  sitemap_url: `${baseUrl}/sitemap.xml`,
  api_catalog_url: `${baseUrl}/.well-known/api-catalog`,
});
