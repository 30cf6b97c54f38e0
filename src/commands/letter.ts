import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import type { Letter } from 'resume-documents/letter';
import type { Profile } from 'resume-profile/profile-document';
import { decodeUtf8 } from 'resume-profile/utf-8';
import { readInputFile } from '../adapters/input-file.ts';
import { writeOutput } from '../adapters/output-file.ts';
import type { Config } from '../service/config/config.ts';
import { toCommandLine } from '../service/program-name.ts';
import { printerOf, readViewOf, viewOption } from './check.ts';
import { confirmLeftOut } from './export.ts';
import { type Io, inColour, withProgress } from './terminal.ts';

interface LetterOptions {
  readonly out?: string;
  readonly profile?: string;
  readonly view?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

type Print = (io: Io, letter: Letter, profile: Profile, config: Config, options: LetterOptions) => Promise<Uint8Array>;

const formats: Record<string, Print> = {
  async '.pdf'(io, letter, profile, config, { yes }) {
    const { explainMissingGlyphs, quoted } = await import('resume-documents/pdf/pdf-warnings');
    const { render } = await printerOf(config);
    const rendered = await withProgress(io, 'Rendering the PDF', () => render(profile, '{}', letter));
    const options = { language: profile.resume.language, installed: rendered.installedFonts, nameOf: quoted };
    for (const { message } of explainMissingGlyphs(rendered.missingGlyphs, options)) warn(io, message);
    warnOfPhoto(io, rendered.photoFault);
    await confirmLeftOut(io, profile, rendered, yes);
    return rendered.pdf;
  },
  async '.docx'(io, letter, profile, config) {
    const { docx, photoFault } = await (await printerOf(config)).docx(profile, letter);
    warnOfPhoto(io, photoFault);
    return docx;
  },
};

const warn = ({ stderr, console }: Io, message: string): void =>
  console.error(inColour('warning', `warning: ${message}`, stderr));
const warnOfPhoto = (io: Io, fault: string | null): void => {
  if (fault !== null) warn(io, `resume.photo: the file ${fault}; the letter is printed without it`);
};

export function addLetterTo(program: Command, io: Io): void {
  const letter = program
    .command('letter')
    .description('print a letter in the look of your resume, as a PDF or a document of Word')
    .argument('[file]', 'the letter: a Markdown file that begins with to, subject and date')
    .option('--out <file>', `the file to write; its name ends in ${Object.keys(formats).join(' or ')}`)
    .option('--profile <file>', 'the profile, a file or an https address (default: PROFILE)')
    .addOption(viewOption('print it in the look of this view, under its title'))
    .option('--force', 'replace the file if it exists')
    .option('--yes', 'do not ask')
    .action(async (file: string | undefined, options: LetterOptions, command: Command) => {
      if (file === undefined)
        command.error(`error: name the letter; ${toCommandLine('letter', 'new')} writes one to begin with`);
      const { out = '' } = options;
      const print = formats[extname(out).toLowerCase()];
      if (print === undefined)
        command.error(`error: name a file with --out that ends in ${Object.keys(formats).join(' or ')}`);
      const { readLetter } = await import('resume-documents/letter');
      const { toOutline } = await import('resume-documents/outline/outline');
      const { profile, config } = await readViewOf(options.profile, options.view, command, io);
      const { letter, faults } = readLetter(readText(file), toOutline(profile).language);
      if (letter === null) throw new Error(faults.map((fault) => `${file}:${fault}`).join('\n'));
      const { linkWarningsIn } = await import('resume-profile/lint');
      const texts = letter.blocks.flatMap(({ items }) => items.map(({ text }) => text));
      for (const warning of texts.flatMap(linkWarningsIn)) warn(io, `${file}: ${warning}`);
      writeOutput(out, await print(io, letter, profile, config, options), options);
    });
  letter
    .command('new')
    .description('write a letter to begin with: a Markdown file with a placeholder for each of its parts')
    .argument('[file]', 'the file to write', 'letter.md')
    .action(async (file: string, _options: object, command: Command) => {
      const options: LetterOptions = command.optsWithGlobals();
      if (options.out !== undefined) command.error('error: letter new takes no --out; name the file after it');
      const { newLetter } = await import('resume-documents/letter');
      const { profile } = await readViewOf(options.profile, options.view, command, io);
      writeOutput(file, newLetter(new Date(), profile.candidate.name), options);
      const out = `${basename(file, extname(file))}.pdf`;
      const own = options.profile === undefined ? [] : ['--profile', options.profile];
      io.console.error(
        `Wrote ${file}. When each [placeholder] in it is written:\n  ${toCommandLine('letter', file, '--out', out, ...own)}`,
      );
    });
}

const maxMebibytes = 1;

function readText(file: string): string {
  try {
    return decodeUtf8(readInputFile(file, maxMebibytes));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
