import { type PdfStyle, unprintableCharacters } from '../adapters/pdf/resume-pdf.ts';
import { readProfile } from '../adapters/profile/profile-file.ts';
import { unprintableWarningsOf, warningsOf } from '../formats/profile/profile-warnings.ts';
import type { Warning } from '../formats/profile/warning.ts';
import { mailDoubtOf } from '../model/made-up-domains.ts';
import type { Profile } from '../model/profile-document.ts';
import type { Config } from '../service/config.ts';

/** Prints the faults and warnings of a profile document, a line each or all as JSON; the exit code is 1 if it has a fault. */
export async function check(
  path: string,
  isJson: boolean,
  { pdf, ownerEmail }: Pick<Config, 'pdf' | 'ownerEmail'>,
  today = new Date(),
): Promise<void> {
  const { profile, faults, warnings: toLines } = readProfile(path);
  const printing = profile === null ? () => [] : await tryPrinting(profile, pdf);
  const used = (written: Profile) => (ownerEmail === undefined ? written : { ...written, owner_email: undefined });
  const ownerDoubt = ownerEmail === undefined ? null : mailDoubtOf(ownerEmail);
  const warnings = [
    ...(ownerDoubt === null ? [] : [`OWNER_EMAIL: warning: ${ownerDoubt}`]),
    ...toLines((written) => [...warningsOf(used(written), today), ...printing(written)]),
  ];
  if (isJson) console.log(JSON.stringify({ faults, warnings }, null, 2));
  else for (const line of [...faults, ...warnings]) console.log(line);
  if (faults.length > 0) process.exitCode = 1;
  else console.error(`${path}: no faults${warnings.length === 0 ? '' : `, warnings: ${warnings.length}`}`);
}

/** What a resume PDF of the profile would lack. */
async function tryPrinting(profile: Profile, style: PdfStyle): Promise<(written: Profile) => Warning[]> {
  try {
    const characters = await unprintableCharacters(profile, style);
    return (written) => unprintableWarningsOf(written, characters);
  } catch (error) {
    return () => [{ path: [], message: `the PDF cannot be printed: ${(error as Error).message}` }];
  }
}
