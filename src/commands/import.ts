import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { writeOutput } from '../adapters/output-file.ts';
import { toCommandLine } from '../service/program-name.ts';
import { importFile } from './import-file.ts';

interface Options {
  out?: string;
  force?: boolean;
  json?: boolean;
}

/** Adds `import FILE`: converts a resume to a profile, and accounts for every value in it. */
export function addImportTo(program: Command): void {
  program
    .command('import')
    .description('convert a resume in another format to a profile, and report what became of each value')
    .argument(
      '<file>',
      'the resume: JSON Resume, LinkedIn data export, RenderCV or Reactive Resume; recognised by its content',
    )
    .option('--out <file>', 'the profile document to write (default: standard output)')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print the loss report as JSON, with the profile in it unless --out is given')
    .addHelpText(
      'after',
      '\nThe loss report is on standard error; with --json it is on standard output instead of the profile.',
    )
    .action(runImport);
}

async function runImport(path: string, { out, json = false, ...options }: Options): Promise<void> {
  const { toLossReportText } = await import('../formats/import/build/loss-report-text.ts');
  const { toProfileYaml } = await import('../formats/profile/profile-writer.ts');
  const { format, profile, lossReport } = await importFile(path);
  const checkCommand = toCommandLine('check', out ?? 'profile.yaml');
  const yaml = toProfileYaml(profile, dirname(out ?? 'profile.yaml'), checkCommand);
  if (Buffer.byteLength(yaml) > 1024 * 1024)
    throw new Error(`${path}: the profile would be larger than 1 MiB, which cannot be served`);
  if (out !== undefined && existsSync(out) && realpathSync(out) === realpathSync(path))
    throw new Error(`${out}: is the resume that is read; name another file`);
  if (out !== undefined) writeOutput(out, yaml, options);
  else if (!json) console.log(yaml.trimEnd());
  if (json) console.log(JSON.stringify({ format, ...(out === undefined && { profile }), ...lossReport }, null, 2));
  else
    console.error(
      `${toLossReportText(format, lossReport)}${out === undefined ? '' : `\n\nWritten to ${out}. Go over it, then check it:\n  ${checkCommand}`}`,
    );
}
