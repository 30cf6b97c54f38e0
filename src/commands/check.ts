import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Warning } from 'resume-profile/lint';
import type { Profile } from 'resume-profile/profile-document';
import type { ProfileReading } from 'resume-profile/profile-reader';
import { pluralize, toVisible } from 'resume-profile/text';
import { publicView, wholeView } from 'resume-profile/view-fields';
import { readInputFile } from '../adapters/input-file.ts';
import {
  looksLikeAddress,
  nameOf,
  type ProfileSource,
  pathOf,
  readAddress,
} from '../adapters/profile/profile-source.ts';
import { type Config, StartFault } from '../service/config/config.ts';
import { toCommandLine } from '../service/program-name.ts';
import { Exit, type Io, inColour } from './terminal.ts';

export function addCheckTo(program: Command, io: Io): void {
  addProfileArgumentTo(program.command('check'))
    .description('check a profile document, and warn of what is valid but probably not meant')
    .addOption(viewOption('print the resume of this view, and say what the view shows'))
    .option('--json', 'print the faults and warnings as JSON')
    .action(
      async (file: string | undefined, { json = false, view }: { json?: boolean; view?: string }, command: Command) => {
        const config = withProfile(file, command, io);
        const viewsInUse = await readViewsOf(io, file === undefined ? config : serviceOf(file, io));
        await check(io, config.profile, json, config, { view, viewsInUse });
      },
    );
}

/** Returns the settings of the service that serves a file; null if they name another file, or have a fault. */
function serviceOf(file: string, io: Io): Config | null {
  try {
    const config = io.configOf();
    const served = pathOf(config.profile);
    return served !== null && resolve(served) === resolve(file) ? config : null;
  } catch (error) {
    if (error instanceof StartFault) return null;
    throw error;
  }
}

/** Returns the names of the views that tokens of a service read; prints a warning if they cannot be read. */
async function readViewsOf({ console }: Io, config: Config | null): Promise<ReadonlySet<string>> {
  if (config === null) return new Set();
  const { readViewsInUse } = await import('../adapters/store/store-copy.ts');
  try {
    return await readViewsInUse(config.database);
  } catch (error) {
    console.error(`The views of tokens are not checked: ${config.database.name}: ${(error as Error).message}`);
    return new Set();
  }
}

interface CheckOptions {
  readonly today?: Date;
  readonly view?: string | undefined;
  readonly viewsInUse?: ReadonlySet<string>;
}

/** Prints the faults and warnings of a profile document, a line each or as JSON; with a fault, it throws exit code 1. */
export async function check(
  { stdout, console }: Pick<Io, 'stdout' | 'console'>,
  source: ProfileSource,
  isJson: boolean,
  { pdf, ownerEmail }: Pick<Config, 'pdf' | 'ownerEmail'>,
  { today = new Date(), view, viewsInUse = new Set() }: CheckOptions = {},
): Promise<void> {
  const { readProfileAt } = await import('../adapters/profile/profile-file.ts');
  const { profileWarnings } = await import('../service/owner/profile-warnings.ts');
  const reading = await readProfileAt(source);
  const path = pathOf(source);
  const { faults } = reading;
  const profile = reading.profile && (await profileOfView(reading, view));
  const pdfWarningsOf = profile === null ? () => [] : await tryRendering(profile, { pdf, profile: source });
  const pictureWarnings = profile === null ? [] : await tryDrawing();
  const warnings = profileWarnings(reading, {
    ownerEmail,
    today,
    pdfWarningsOf: (written) => [...pictureWarnings, ...pdfWarningsOf(written)],
    viewsInUse,
  });
  if (isJson) console.log(JSON.stringify({ faults, warnings }, null, 2));
  else {
    for (const line of faults) console.log(inColour('error', line, stdout));
    for (const line of warnings) console.log(inColour('warning', line, stdout));
  }
  if (profile !== null && faults.length === 0) {
    console.error(toVerdict(nameOf(source), warnings.length));
    const { marksIn } = await import('resume-profile/marks');
    for (const line of toMarks(reading.notes(marksIn))) console.error(line);
    console.error(view === undefined ? await toPublicPart(profile) : await toShownPart(profile, view));
    return;
  }
  const format = path === null ? null : await resumeFormatOf(path);
  if (path !== null && format !== null)
    console.error(
      `${path} is a resume (${format}). To make a profile of it:\n  ${toCommandLine('init', '--from', path)}`,
    );
  throw new Exit(1);
}

/** Returns the name of a resume format that can be imported; null for any other file. */
async function resumeFormatOf(path: string): Promise<string | null> {
  const { formatNameOf, maxImportMebibytes } = await import('resume-import/import-resume');
  try {
    return await formatNameOf(readInputFile(path, maxImportMebibytes));
  } catch {
    return null;
  }
}

const toVerdict = (name: string, warningCount: number): string =>
  `${name} is valid${warningCount === 0 ? '' : ` (${pluralize(warningCount, 'warning')})`}`;

const maxMarked = 10;

const toMarks = (notes: readonly string[]): string[] => [
  ...(notes.length > 0 ? ['Read as marks, and set as what they mean:'] : []),
  ...notes.slice(0, maxMarked).map((note) => `  ${toVisible(note)}`),
  ...(notes.length > maxMarked ? [`  and those of ${pluralize(notes.length - maxMarked, 'more text')}`] : []),
];

async function toPublicPart(profile: Profile): Promise<string> {
  const { publicProfileOf } = await import('../surfaces/web/public/public-profile.ts');
  const { counts, years_experience: years, domains, ...texts } = publicProfileOf(profile);
  const lines = [
    ...Object.entries(texts),
    ...(years === undefined ? [] : [['years_experience', `${years}`]]),
    ...(domains === undefined ? [] : [['domains', domains.join(', ')]]),
    ...(counts === undefined
      ? []
      : [['counts', `${pluralize(counts.jobs, 'job')}, ${pluralize(counts.projects, 'project')}`]]),
  ];
  if (lines.length === 0) return 'Without an address, a stranger sees nothing of it.';
  return [
    'Without an address, a stranger sees:',
    ...lines.map(([name, text]) => `  ${name}: ${toVisible(text!)}`),
  ].join('\n');
}

export const viewOption = (description: string): Option => new Option('--view <name>', description);

/** Returns the profile that a view shows: `all`, or no view, is the whole profile, `public` the public part. */
async function profileOfView(
  { profile, views }: Pick<ProfileReading, 'profile' | 'views'>,
  view: string = wholeView,
): Promise<Profile> {
  if (view === wholeView) return profile!;
  if (view === publicView) return (await import('../surfaces/web/public/public-profile.ts')).publicPartOf(profile!);
  const names = [...views.names, wholeView, publicView];
  return views.resolve(view) ?? raise(`--view: the profile has no view ${view}; give ${names.join(', ')}`);
}

/** Reads a view of the profile that an argument names. Throws its faults, one per line. */
export async function readViewOf(file: string | undefined, view: string | undefined, command: Command, io: Io) {
  const { readProfileAt } = await import('../adapters/profile/profile-file.ts');
  const config = withProfile(file, command, io);
  const reading = await readProfileAt(config.profile);
  if (reading.profile === null) throw new Error(reading.faults.join('\n'));
  return { config, profile: await profileOfView(reading, view), warnings: reading.warnings };
}

function raise(message: string): never {
  throw new Error(message);
}

async function toShownPart(profile: Profile, view: string): Promise<string> {
  const { toPlainText } = await import('resume-documents/plain-text');
  const lines = toPlainText(profile).trimEnd().split('\n');
  return [`The readers of ${view} see:`, ...lines.map((line) => (line === '' ? '' : `  ${toVisible(line)}`))].join(
    '\n',
  );
}

/** Warns if the preview picture of links to the page cannot be drawn on this platform. */
async function tryDrawing(): Promise<Warning[]> {
  try {
    await (await import('../adapters/svg-renderer.ts')).loadResvg();
    return [];
  } catch (error) {
    return [{ path: [], message: `the picture of links cannot be drawn: ${(error as Error).message}` }];
  }
}

/** Prints the resume, and returns warnings of texts missing in the PDF, or the reason why it cannot be printed. */
async function tryRendering(
  profile: Profile,
  config: Pick<Config, 'pdf' | 'profile'>,
): Promise<(written: Profile) => Warning[]> {
  try {
    const { pdfWarningsOf } = await import('resume-documents/pdf/pdf-warnings');
    const rendered = await (await printerOf(config)).render(profile, '{}');
    return (written) => pdfWarningsOf(written, rendered);
  } catch (error) {
    return () => [{ path: [], message: `the PDF cannot be rendered: ${(error as Error).message}` }];
  }
}

export async function printerOf({ pdf, profile }: Pick<Config, 'pdf' | 'profile'>) {
  const { openPrinter } = await import('../adapters/pdf/printer.ts');
  return openPrinter(pdf, { profilePath: pathOf(profile) });
}

export const addProfileArgumentTo = (command: Command): Command =>
  command.argument('[file]', 'the profile, a file or an https address (default: PROFILE)');

/** Returns the settings with the profile that an argument names. Ends the command if it is an http address. */
function withProfile(file: string | undefined, command: Command, io: Io): Config {
  return file === undefined
    ? io.configOf()
    : { ...io.configOf(usedSettingsIn(io.env)), profile: sourceOf(file, command) };
}

function sourceOf(file: string, command: Command): ProfileSource {
  if (!looksLikeAddress(file)) return { path: file };
  // Does not quote the typed text, which may contain a password.
  return { address: readAddress(file) ?? command.error('error: the document must be a file, or an https:// address') };
}

/** Returns the settings that reading a named document needs, so that faults in other settings do not matter. */
const usedSettingsIn = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^(PDF_|(FONT_DIR|OWNER_EMAIL)$)/.test(name)));
