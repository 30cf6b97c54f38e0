import type { Candidate } from '../../../model/profile/profile.ts';
import type { Profile } from '../../../model/profile/profile-document.ts';
import { isVisible } from '../../../model/text.ts';
import type { Site } from '../page.ts';

/** The candidate's fields that the owner lists under `public`, without those in which nothing is visible. */
export type PublicProfile = Readonly<Partial<Candidate>>;

export const publicProfileOf = ({ candidate, public: fields }: Profile): PublicProfile =>
  Object.fromEntries(
    fields
      .map((field) => [field, candidate[field]] as const)
      .filter(([, value]) => (typeof value === 'string' ? isVisible(value) : value !== 0)),
  );

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
});
