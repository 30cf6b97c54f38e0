import { extname, join } from 'node:path';
import { type Command, Option } from 'commander';
import type { PdfFlaws } from 'resume-documents/pdf/pdf-warnings';
import type { RenderedResume } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import type { ProfileReading } from 'resume-profile/profile-reader';
import { type Theme, themes } from 'resume-profile/resume-design';
import { pluralize } from 'resume-profile/text';
import { createOutputFolder, refuseExisting, remedyForce, writeOutput } from '../adapters/output-file.ts';
import type { Config } from '../service/config/config.ts';
import { version } from '../version.ts';
import { addProfileArgumentTo, printerOf, readViewOf, viewOption } from './check.ts';
import { confirm, type Io, inColour, withProgress } from './terminal.ts';

type Warnings = ProfileReading['warnings'];
type Export = (
  io: Io,
  profile: Profile,
  config: Config,
  warnings: Warnings,
  options: ExportOptions,
) => Promise<string | Uint8Array>;

// Each export imports only what it needs.
const exports: Record<string, Export> = {
  async jsonresume(_io, profile) {
    const { toJsonResume } = await import('resume-profile/json-resume');
    return `${JSON.stringify(toJsonResume(profile, version), null, 2)}\n`;
  },
  markdown: async (_io, profile) => (await import('resume-documents/markdown')).toMarkdown(profile),
  text: async (_io, profile) => (await import('resume-documents/plain-text')).toPlainText(profile),
  html: async (_io, profile) => (await import('resume-documents/html')).toHtml(profile),
  async pdf(io, profile, config, warnings, { yes }) {
    const rendered = await print(io, profile, config);
    await warnOf(io, rendered, warnings);
    await confirmLeftOut(io, profile, rendered, yes);
    return rendered.pdf;
  },
  async docx(io, profile, config, warnings) {
    const { docx, photoFault } = await (await printerOf(config)).docx(profile);
    await warnOf(io, { missingGlyphs: [], photoFault, linesOver: null }, warnings);
    return docx;
  },
};

async function print(io: Io, profile: Profile, config: Config): Promise<RenderedResume> {
  const { resumeJsonOf } = await import('../operations/resume.ts');
  const { render } = await printerOf(config);
  return withProgress(io, 'Rendering the PDF', () => render(profile, resumeJsonOf(profile)));
}

async function warnOf({ stderr, console }: Io, flaws: PdfFlaws, warnings: Warnings): Promise<void> {
  const { pdfWarningsOf } = await import('resume-documents/pdf/pdf-warnings');
  for (const line of warnings((written) => pdfWarningsOf(written, flaws)))
    console.error(inColour('warning', line, stderr));
}

/** Asks on a terminal whether to write a PDF that lacks characters. Throws unless the answer is yes. */
export async function confirmLeftOut(io: Io, profile: Profile, flaws: PdfFlaws, yes = false): Promise<void> {
  const { leftOutOf } = await import('resume-documents/pdf/pdf-warnings');
  const isWhole = leftOutOf(profile, flaws).length === 0;
  await confirm(io, () => (isWhole ? null : 'The PDF lacks these characters.'), yes);
}

/** Prints the PDF in each theme to a file in a folder, which is created if missing. */
async function exportAll(
  io: Io,
  profile: Profile,
  config: Config,
  warnings: Warnings,
  folder: string,
  options: ExportOptions,
) {
  const pathOfTheme = (theme: Theme) => join(folder, `${theme}.pdf`);
  if (options.force !== true) for (const theme of themes) refuseExisting(pathOfTheme(theme), remedyForce);
  createOutputFolder(folder);
  for (const theme of themes) {
    const rendered = await print(io, { ...profile, resume: { ...profile.resume, theme } }, config);
    // The other flaws are the same in each theme, and the number of pages is printed.
    if (theme === themes[0]) {
      await warnOf(io, { ...rendered, linesOver: null }, warnings);
      await confirmLeftOut(io, profile, rendered, options.yes);
    }
    writeOutput(pathOfTheme(theme), rendered.pdf, options);
    io.console.log(`${pathOfTheme(theme)}: ${pluralize(rendered.pages!, 'page')}`);
  }
}

const extensions: Record<string, string> = {
  jsonresume: '.json',
  markdown: '.md',
  text: '.txt',
  html: '.html',
  pdf: '.pdf',
  docx: '.docx',
};

const binaries: Record<string, string> = { pdf: 'a PDF', docx: 'a document of Word' };

interface ExportOptions {
  format?: string;
  out?: string;
  all?: boolean;
  view?: string;
  force?: boolean;
  json?: boolean;
  yes?: boolean;
}

export function addExportTo(program: Command, io: Io): void {
  addProfileArgumentTo(program.command('export'))
    .description('write the profile as JSON Resume, Markdown, plain text, HTML, PDF or a document of Word')
    .addOption(
      new Option('--format <format>', 'the format to write (default: that of the file, otherwise jsonresume)').choices(
        Object.keys(exports),
      ),
    )
    .option(
      '--out <file>',
      `the file to write (default: standard output); its name ends in ${Object.values(extensions).join(', ')}`,
    )
    .addOption(viewOption('write this view: its name in the profile, or public for the public part'))
    .option('--all', 'print the PDF in every theme, to files in the folder that --out names')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print JSON Resume')
    .option('--yes', 'do not ask')
    .action(async (file: string | undefined, options: ExportOptions, command: Command) => {
      const { out, all = false } = options;
      const isFolder = out !== undefined && !Object.values(extensions).includes(extname(out).toLowerCase());
      if (all && (!isFolder || options.json || (options.format ?? 'pdf') !== 'pdf'))
        command.error('error: --all prints PDFs into a folder; name it with --out, without another format');
      const format = all ? 'pdf' : formatOf(options, (message) => command.error(`error: ${message}`));
      const binary = binaries[format];
      if (binary !== undefined && out === undefined && io.stdout.isTTY)
        command.error(`error: ${binary} cannot be shown on a terminal; name a file with --out`);
      const { config, profile, warnings } = await readViewOf(file, options.view, command, io);
      if (all) return exportAll(io, profile, config, warnings, out!, options);
      const data = await exports[format]!(io, profile, config, warnings, options);
      if (out === undefined) await writeTo(io.stdout, data);
      else writeOutput(out, data, options);
    });
}

/** Returns the format from the options, or from the file's extension; `refuse` reports wrong usage. */
function formatOf({ format, out, json = false }: ExportOptions, refuse: (message: string) => never): string {
  if (json && format !== undefined && format !== 'jsonresume')
    refuse(`--json prints JSON Resume; leave it out for --format ${format}`);
  const named = json ? 'jsonresume' : format;
  if (out === undefined) return named ?? 'jsonresume';
  const extension = extname(out).toLowerCase();
  const ofFile = Object.keys(extensions).find((each) => extensions[each] === extension);
  if (named === undefined && ofFile === undefined)
    refuse(
      `the name of ${out} does not tell the format; end it in ${Object.values(extensions).join(', ')}, or give --format`,
    );
  if (named !== undefined && ofFile !== undefined && named !== ofFile)
    refuse(
      `${out} is not the name of a file for ${json ? '--json' : `--format ${named}`}; end it in ${extensions[named]}`,
    );
  return (named ?? ofFile)!;
}

/** Writes to standard output; a reader that closes the pipe early, as `head` does, is not an error. */
const writeTo = (stdout: Io['stdout'], data: string | Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    stdout.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') resolve();
      else reject(new Error(`standard output: cannot be written (${error.code})`));
    });
    stdout.write(data, (error) => error ?? resolve());
  });
