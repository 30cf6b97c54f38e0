import { pluralize } from '../../../model/pluralize.ts';
import type { Profile } from '../../../model/profile/profile-document.ts';

/** Says what a profile holds, a count for each kind of entry: `3 jobs`, `2 schools`, `4 in “Talks”`. */
export function contentsOf({ experience, projects, resume }: Profile): string[] {
  const jobs = experience.reduce((sum, { roles }) => sum + Math.max(1, roles.length), 0);
  const counts: [number | undefined, string][] = [
    [jobs, 'job'],
    [projects.length, 'project'],
    [resume.skills.length, 'skill'],
    [resume.education?.length, 'school'],
    [resume.certifications?.length, 'certification'],
    [resume.languages?.length, 'language'],
    [resume.publications?.length, 'publication'],
    [resume.awards?.length, 'award'],
    [resume.volunteer?.length, 'volunteer role'],
    [resume.interests?.length, 'interest'],
    [resume.references?.entries.length, 'reference'],
    [resume.links?.length, 'link'],
  ];
  return [
    ...counts.flatMap(([count, noun]) => (count ? pluralize(count, noun) : [])),
    ...(resume.sections ?? []).map(({ title, entries }) => `${entries.length} in “${title}”`),
  ];
}
