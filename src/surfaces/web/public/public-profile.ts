import type { Candidate } from '../../../model/profile.ts';
import type { Profile } from '../../../model/profile-document.ts';

/** What anybody may see of the profile: the candidate's fields that the owner lists under `public`, and no others. */
export type PublicProfile = Readonly<Partial<Candidate>>;

/** Returns the public part of a profile. */
export const publicProfileOf = ({ candidate, public: fields }: Profile): PublicProfile =>
  Object.fromEntries(fields.map((field) => [field, candidate[field]]));

/** Returns what a page without a token calls the profile: the name if it is public, otherwise neutral words. */
export const headingOf = ({ name }: PublicProfile): string => name ?? 'A professional profile';
