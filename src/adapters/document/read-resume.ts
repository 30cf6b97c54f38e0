import { readSync } from 'node:fs';
import { emptyList } from 'resume-import/draft/fill';
import { importResume, profileFault } from 'resume-import/import-resume';
import { refusalOf } from 'resume-import/report/summary';
import { readProfileText } from 'resume-profile/profile-reader';
import { toProfileYaml } from 'resume-profile/profile-writer';
import { decodeUtf8 } from 'resume-profile/utf-8';
import type { ReadResume } from '../../model/profile/read-resume.ts';
import { schemaFrom } from '../../profile-schema.ts';

/** Converts a file to a profile document, which is saved in a directory later. Rejects with a reason if it is not a resume. */
export async function readResume(descriptor: number, length: number, directory: string): Promise<ReadResume> {
  const content = readAll(descriptor, length);
  const imported = await importResume(content).catch((error: Error) => {
    if (error.message === profileFault) return null;
    throw error;
  });
  if (imported === null) return { text: decodeUtf8(content), account: null };
  const refusal = refusalOf(imported);
  if (refusal !== null) throw new Error(refusal);
  const { format, profile, photo, report } = imported;
  const text = toProfileYaml(profile, { schema: schemaFrom(directory), photo });
  const { profile: shown, written, locatedFaults } = readProfileText(text);
  return {
    text,
    account: {
      format,
      checked: { profile: shown, written, locatedFaults },
      sections: report.sections,
      filledIn: report.filledIn
        // The check of the document finds empty texts, and ids need no review.
        .filter(({ field, value }) => value !== '' && value !== emptyList && !field.endsWith('.id'))
        .map(({ field, value, why }) => ({ path: toPath(field), message: `filled in as “${value}”: ${why}` })),
    },
  };
}

/** Reads a file from its beginning, whatever offset its descriptor has. */
function readAll(descriptor: number, length: number): Buffer {
  const content = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = readSync(descriptor, content, at, length - at, at);
    if (count === 0) throw new Error('is shorter than it was');
    at += count;
  }
  return content;
}

/** Returns the path of a field such as `experience[0].summary`. */
const toPath = (field: string) =>
  (field.match(/[\w$-]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
