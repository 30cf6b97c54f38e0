import assert from 'node:assert/strict';
import { importResume } from 'resume-import/import-resume';
import { toJsonResume } from 'resume-profile/json-resume';
import type { Profile } from 'resume-profile/profile-document';
import { readProfileText } from 'resume-profile/profile-reader';

/** The keys of a profile that no export has, by design. */
const omitted = ['owner_email', 'public', 'background', 'evidence', 'accent', 'notes', '$schema'];
const omittedOfResume = ['pdf_url', 'photo', 'hides', 'downloads'];

const without = (data: object, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(data).filter(([key]) => !keys.includes(key)));

const resumeOf = (profile: Profile) => ({
  ...without(profile, omitted),
  resume: without(
    profile.resume,
    profile.resume.references?.print ? omittedOfResume : [...omittedOfResume, 'references'],
  ),
});

/** Asserts that a profile is the same after it was exported to JSON Resume and imported again. */
export async function assertRestored(profile: Profile, name?: string): Promise<void> {
  const exported = JSON.stringify(toJsonResume(profile, '1.0.0'));
  const { profile: restored, report } = await importResume(Buffer.from(exported));
  const lost = report.notCarriedOver.filter(({ isContent }) => isContent !== false);
  assert.deepEqual([restored.notes, lost], [undefined, []], 'all of an export has a place');
  // As it is read again, which puts the entries in order.
  const { profile: read } = readProfileText(JSON.stringify(restored), 'FILE');
  assert.deepEqual(resumeOf(read!), resumeOf(profile), name);
}
