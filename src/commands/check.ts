import type { Command } from 'commander';
import type { PdfStyle } from '../adapters/pdf/resume-pdf.ts';
import type { Warning } from '../formats/profile/warning.ts';
import type { Profile } from '../model/profile-document.ts';
import { mailWarningOf } from '../model/reserved-domains.ts';
import type { Config } from '../service/config.ts';

/** Adds `check [FILE]`: prints the faults and warnings of a profile document. */
export function addCheckTo(program: Command, configOf: (env?: NodeJS.ProcessEnv) => Config): void {
  program
    .command('check')
    .description('check a profile document')
    .argument('[file]', 'the document; PROFILE where none is given')
    .option('--json', 'print the faults and warnings as JSON')
    .action(async (file: string | undefined, { json = false }: { json?: boolean }) => {
      const config = file === undefined ? configOf() : configOf(pdfSettingsIn(process.env));
      await check(file ?? config.profilePath, json, config);
    });
}

/** The settings that a named document is checked with; a fault in another one is not its concern. */
const pdfSettingsIn = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^(PDF_|FONT_DIR$)/.test(name)));

/** Prints the faults and warnings of a profile document, a line each or all as JSON; the exit code is 1 if it has a fault. */
export async function check(
  path: string,
  isJson: boolean,
  { pdf, ownerEmail }: Pick<Config, 'pdf' | 'ownerEmail'>,
  today = new Date(),
): Promise<void> {
  const { readProfile } = await import('../adapters/profile/profile-file.ts');
  const { lint } = await import('../formats/profile/lint.ts');
  const { profile, faults, warnings: toLines } = readProfile(path);
  const pdfWarningsOf = profile === null ? () => [] : await tryRendering(profile, pdf);
  // OWNER_EMAIL takes the place of the address in the profile, which then needs no warning.
  const withoutUnused = (written: Profile) =>
    ownerEmail === undefined ? written : { ...written, owner_email: undefined };
  const ownerWarning = ownerEmail === undefined ? null : mailWarningOf(ownerEmail);
  const warnings = [
    ...(ownerWarning === null ? [] : [`OWNER_EMAIL: warning: ${ownerWarning}`]),
    ...toLines((written) => [...lint(withoutUnused(written), today), ...pdfWarningsOf(written)]),
  ];
  if (isJson) console.log(JSON.stringify({ faults, warnings }, null, 2));
  else for (const line of [...faults, ...warnings]) console.log(line);
  if (faults.length > 0) process.exitCode = 1;
  else console.error(`${path}: no faults${warnings.length === 0 ? '' : `, warnings: ${warnings.length}`}`);
}

/** Prints the resume, and returns what warns of the texts that the PDF lacks, or of a PDF that cannot be printed at all. */
async function tryRendering(profile: Profile, style: PdfStyle): Promise<(written: Profile) => Warning[]> {
  try {
    const { missingGlyphsOf } = await import('../adapters/pdf/resume-pdf.ts');
    const { glyphWarningsOf } = await import('../formats/profile/lint.ts');
    const characters = await missingGlyphsOf(profile, style);
    return (written) => glyphWarningsOf(written, characters);
  } catch (error) {
    return () => [{ path: [], message: `the PDF cannot be rendered: ${(error as Error).message}` }];
  }
}
