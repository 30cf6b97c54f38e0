import type { Candidate } from '../../../model/profile/profile.ts';
import type { Profile } from '../../../model/profile/profile-document.ts';
import { isVisible } from '../../../model/visible-text.ts';

/** What anybody may see of the profile: the candidate's fields that the owner lists under `public`, unless nothing in them can be seen. */
export type PublicProfile = Readonly<Partial<Candidate>>;

/** Returns the public part of a profile. */
export const publicProfileOf = ({ candidate, public: fields }: Profile): PublicProfile =>
  Object.fromEntries(
    fields
      .map((field) => [field, candidate[field]] as const)
      .filter(([, value]) => (typeof value === 'string' ? isVisible(value) : value !== 0)),
  );

/** Returns what a page calls the profile: the name that it may show, otherwise neutral words. */
export const headingOf = ({ name }: PublicProfile): string => name || 'A professional profile';
