import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { writeOutput } from '../adapters/output-file.ts';
import { toCommandLine } from '../service/program-name.ts';
import { acceptLossesHelp, importFile, refuseUnservable, toImportReport } from './import-file.ts';

interface Options {
  out?: string;
  force?: boolean;
  json?: boolean;
  verbose?: boolean;
  acceptLosses?: boolean;
}

/** Adds `import FILE`: converts a resume to a profile, and accounts for every value in it. */
export function addImportTo(program: Command): void {
  program
    .command('import')
    .description('convert a resume in another format to a profile, and report what of it is lost')
    .argument(
      '<file>',
      'the resume: JSON Resume, LinkedIn data export (ZIP or folder), RenderCV or Reactive Resume; recognised by its content',
    )
    .option('--out <file>', 'the profile document to write (default: standard output)')
    .option('--force', 'replace the file if it exists')
    .option('--accept-losses', acceptLossesHelp)
    .option('--verbose', 'report what became of each value')
    .option('--json', 'print the loss report as JSON, with the profile in it unless --out is given')
    .addHelpText(
      'after',
      '\nThe loss report is on standard error; with --json it is on standard output instead of the profile.',
    )
    .action(runImport);
}

async function runImport(path: string, { out, json = false, ...options }: Options): Promise<void> {
  const { toProfileYaml } = await import('../formats/profile/profile-writer.ts');
  const imported = await importFile(path, options);
  const { format, profile, lossReport, photo } = imported;
  const checkCommand = toCommandLine('check', out ?? 'profile.yaml');
  const yaml = toProfileYaml(profile, dirname(out ?? 'profile.yaml'), { checkCommand, photo });
  await refuseUnservable(path, yaml);
  if (out !== undefined && existsSync(out) && realpathSync(out) === realpathSync(path))
    throw new Error(`${out}: is the resume that is read; name another file`);
  if (out !== undefined) writeOutput(out, yaml, options);
  else if (!json) console.log(yaml.trimEnd());
  if (json) {
    console.log(JSON.stringify({ format, ...(out === undefined && { profile }), ...lossReport }, null, 2));
    return;
  }
  console.error(await toImportReport(imported, yaml, options));
  if (out !== undefined) console.error(`\nWritten to ${out}. Go over it, then check it:\n  ${checkCommand}`);
}
