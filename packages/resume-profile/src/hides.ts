import { z } from 'zod';

/** What of `resume` its owner can keep from some readers: contacts, the photo, and sections that a resume need not have. */
// biome-ignore format: a list of words
const hideable = [
  'email', 'phone', 'photo', 'links', 'education', 'certifications', 'languages', 'publications', 'awards', 'volunteer',
  'interests', 'references', 'sections',
] as const;

const keys = z.array(z.enum(hideable)).optional();

/** The schema of `resume.hides`. */
export const Hides = z
  .strictObject({
    page: keys.describe('What the page and the vCard do not show'),
    pdf: keys.describe('What the PDF does not show'),
    word: keys.describe('What the file for Word does not show'),
    programs: keys.describe('What get_background and find_evidence leave out; contacts are never served'),
  })
  .describe(`What some readers are not shown, each a list of: ${hideable.join(', ')} (your own sections)`);

/** A form of the resume that can leave something out; `programs` are `get_background` and `find_evidence`. */
type Medium = keyof z.output<typeof Hides>;

interface Hiding {
  readonly resume: { readonly hides?: z.output<typeof Hides> | undefined };
}

/** Returns a profile with only what one form of the resume shows. */
export function shownIn<Profile extends Hiding>(medium: Medium, profile: Profile): Profile {
  const hidden: readonly string[] = profile.resume.hides?.[medium] ?? [];
  if (hidden.length === 0) return profile;
  const shown = Object.entries(profile.resume).filter(([key]) => !hidden.includes(key));
  return { ...profile, resume: Object.fromEntries(shown) };
}
