import { emptyList } from '../../formats/import/build/fill.ts';
import { documentKindOf, importDocument, importProfile, profileFault } from '../../formats/import/import-profile.ts';
import { totalOf } from '../../formats/import/report/loss-report.ts';
import { refusalOf } from '../../formats/import/report/summary.ts';
import { toProfileYaml } from '../../formats/profile/profile-writer.ts';
import { decodeUtf8 } from '../../formats/utf-8.ts';
import type { ReadResume } from '../../model/profile/read-resume.ts';
import { serveOne } from '../child-process.ts';
import { readDocument } from './read-document.ts';

// Makes a profile document of one file that `document-reader.ts` sends, and ends.

serveOne(async ({ file, directory }: { file: Uint8Array; directory: string }): Promise<ReadResume> => {
  const content = Buffer.from(file);
  const imported = await importContent(content).catch((error: Error) => {
    if (error.message === profileFault) return null;
    throw error;
  });
  if (imported === null) return { text: decodeUtf8(content), account: null };
  const refusal = refusalOf(imported);
  if (refusal !== null) throw new Error(refusal);
  const { format, profile, photo, lossReport } = imported;
  const { values, kept } = totalOf(lossReport.sections);
  return {
    text: toProfileYaml(profile, directory, { photo }),
    account: {
      format,
      values,
      kept,
      losses: lossReport.sections.flatMap(({ losses }) => losses),
      filledIn: lossReport.filledIn
        // Empty texts are found in the document, and ids need no look.
        .filter(({ field, value }) => value !== '' && value !== emptyList && !field.endsWith('.id'))
        .map(({ field, value, why }) => ({ path: toPath(field), message: `filled in as “${value}”: ${why}` })),
    },
  };
});

const importContent = async (content: Buffer) =>
  (await documentKindOf(content)) === null ? importProfile(content) : importDocument(await readDocument(content));

/** The path that `experience[0].summary` stands for. */
const toPath = (field: string) =>
  (field.match(/[\w$-]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
