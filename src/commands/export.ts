import { type Command, Option } from 'commander';
import { writeOutput } from '../adapters/output-file.ts';
import type { Profile } from '../model/profile-document.ts';
import type { Config } from '../service/config.ts';
import { version } from '../version.ts';
import { withProgress } from './terminal/progress.ts';

type Export = (profile: Profile, config: Config) => Promise<string | Uint8Array>;

// Each imports what it needs: only the PDF needs Typst.
const exports: Record<string, Export> = {
  async jsonresume(profile) {
    const { toJsonResume } = await import('../formats/export/json-resume.ts');
    return `${JSON.stringify(toJsonResume(profile, version), null, 2)}\n`;
  },
  markdown: async (profile) => (await import('../formats/export/markdown.ts')).toMarkdown(profile),
  text: async (profile) => (await import('../formats/export/plain-text.ts')).toPlainText(profile),
  async pdf(profile, config) {
    const { openResumeRenderer } = await import('../adapters/pdf/resume-pdf.ts');
    const { resumeJsonOf } = await import('../operations/resume.ts');
    const render = openResumeRenderer(config.pdf);
    return (await withProgress('Rendering the PDF', () => render(profile, resumeJsonOf(profile)))).pdf;
  },
};

interface Options {
  format: string;
  out?: string;
  force?: boolean;
  json?: boolean;
}

/** Adds `export`: writes the profile in a format that other programs or people read. */
export function addExportTo(program: Command, configOf: () => Config): void {
  program
    .command('export')
    .description('write the profile as JSON Resume, Markdown, plain text or PDF')
    .addOption(
      new Option('--format <format>', 'the format to write').choices(Object.keys(exports)).default('jsonresume'),
    )
    .option('--out <file>', 'the file to write (default: standard output)')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print JSON Resume')
    .action(async ({ format, out, json = false, ...options }: Options, command: Command) => {
      if (json && format !== 'jsonresume')
        command.error(`error: --json prints JSON Resume; leave it out for --format ${format}`);
      if (format === 'pdf' && out === undefined && process.stdout.isTTY)
        command.error('error: a PDF cannot be shown on a terminal; name a file with --out');
      const { readProfile } = await import('../adapters/profile/profile-file.ts');
      const config = configOf();
      const { profile, faults } = readProfile(config.profilePath);
      if (profile === null) throw new Error(faults.join('\n'));
      const data = await exports[format]!(profile, config);
      if (out === undefined) await writeToStdout(data);
      else writeOutput(out, data, options);
    });
}

/** Writes to standard output; a reader that closes the pipe early, as `head` does, is not an error. */
const writeToStdout = (data: string | Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') resolve();
      else reject(new Error(`standard output: cannot be written (${error.code})`));
    });
    process.stdout.write(data, (error) => error ?? resolve());
  });
