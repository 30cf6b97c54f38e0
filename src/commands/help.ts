import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { nearestName } from 'resume-profile/nearest-name';
import { operations } from '../operations/index.ts';
import { Settings } from '../service/config/settings.ts';
import { programName } from '../service/program-name.ts';
import { type Io, inColour } from './terminal.ts';

/** Adds `help [command...]` to a command and its groups. Unlike commander's help, it refuses an unknown name. */
export function addHelpTo(group: Command): void {
  for (const command of group.commands) if (command.commands.length > 0) addHelpTo(command);
  group
    .helpCommand(false)
    .command('help')
    .description('print the help of a command')
    .argument('[command...]')
    .action((names: readonly string[]) => {
      let explained = group;
      for (const name of names) explained = commandOf(explained, name);
      explained.help();
    });
}

function commandOf(group: Command, name: string): Command {
  const child = group.commands.find((command) => command.name() === name);
  if (child !== undefined) return child;
  const nearest = nearestName(
    name,
    group.commands.map((command) => command.name()),
  );
  return group.error(`error: unknown command '${name}'${nearest === null ? '' : `\n(Did you mean ${nearest}?)`}`);
}

const names = ['PORT', 'HOST', 'BASE_URL', 'PROFILE', 'DATA_DIR', 'OWNER_EMAIL', 'SMTP_URL'] as const;

// The package has docs/ at its root, its program in dist/src/.
const root = new URL(import.meta.filename.endsWith('.ts') ? '../../' : '../../../', import.meta.url);

/** Adds to the program's help the settings that most services need, and where all settings are documented. */
export const addSettingsTo = (program: Command, { stdout }: Io): Command =>
  program.addHelpText('after', () => {
    const width = Math.max(...names.map(({ length }) => length));
    const path = fileURLToPath(new URL('docs/configuration.md', root));
    const fromHere = relative(process.cwd(), path);
    return [
      '',
      inColour('heading', 'Settings, in the environment or in a file named .env:', stdout),
      ...names.map((name) => `  ${name.padEnd(width)}  ${Settings.shape[name].description}`),
      '',
      `All settings: ${fromHere.startsWith('..') ? path : fromHere}`,
    ].join('\n');
  });

const visitor = '--email ada@example.org';
const answers = "--name 'Ada Lovelace' --title Analyst --email ada@example.org --location London --years 9";

export const databaseExample = 'postgres://ada@db.example.org/profile';

export const examples: Readonly<Record<string, readonly [string, string]>> = {
  serve: ['serve', 'serve profile.yaml --port 8080'],
  mcp: ['mcp', 'mcp --url http://127.0.0.1:3000'],
  doctor: ['doctor', 'doctor --json'],
  init: ['init --from resume.json', `init --out mine.yaml ${answers}`],
  import: ['import resume.json --verbose', 'import resume.json --out profile.yaml --force'],
  check: ['check', 'check profile.yaml --json'],
  export: ['export --format markdown', 'export profile.yaml --out resume.pdf'],
  letter: ['letter acme.md --out acme.pdf', 'letter acme.md --out acme.docx --profile profile.yaml'],
  'letter new': ['letter new', 'letter new acme.md'],
  'history list': ['history list', 'history list --json'],
  'history show': ['history show 12', 'history show 12 > profile-of-may.yaml'],
  'history restore': ['history restore 12', 'history restore 12 --json'],
  'history erase': ['history erase', 'history erase --yes'],
  desk: ['desk', 'desk --sign-out-all'],
  'share new': ["share new 'Acme, staff engineer'", "share new 'Card at the meetup' --for 12h --no-write"],
  'share list': ['share list', 'share list --json'],
  'share end': ['share end 9f3c', 'share end 9f3c --yes'],
  'share rename': ["share rename 9f3c 'Acme, second round'", "share rename 9f3c 'Acme, second round' --json"],
  'contacts list': ['contacts list', `contacts list ${visitor}`],
  'contacts show': ['contacts show contact_k3f9', 'contacts show contact_k3f9 --json'],
  'contacts export': ['contacts export > contacts.json', `contacts export ${visitor}`],
  'contacts reply': ['contacts reply contact_k3f9', 'contacts reply contact_k3f9 < reply.txt'],
  'contacts erase': [`contacts erase ${visitor}`, `contacts erase ${visitor} --yes`],
  'tokens list': ['tokens list', 'tokens list --json'],
  'tokens clients': ['tokens clients', 'tokens clients --json'],
  'tokens view': ['tokens view 9f3c public', 'tokens view 9f3c all'],
  'tokens revoke': [`tokens revoke ${visitor}`, 'tokens revoke --all'],
  'outbox list': ['outbox list', 'outbox list --json'],
  'outbox retry': ['outbox retry', 'outbox retry --json'],
  'keys generate': ['keys generate', 'keys generate > signing-key.json'],
  'keys rotate': ['keys rotate', 'keys rotate --drop-old'],
  backup: ['backup candidate-profile-backup.db', 'backup "candidate-profile-$(date +%F).db"'],
  restore: ['restore candidate-profile-backup.db', 'restore candidate-profile-backup.db --yes'],
  'migrate-store': [
    `migrate-store --from data/candidate-profile.db --to ${databaseExample}`,
    `migrate-store --from ${databaseExample} --to candidate-profile.db --yes`,
  ],
  openapi: ['openapi', 'openapi > openapi.json'],
};

/** Adds the examples to the help of every command; a command with subcommands shows one for each of the first two. */
export function addExamplesTo(command: Command, io: Io, path: readonly string[] = []): void {
  for (const child of command.commands) addExamplesTo(child, io, [...path, child.name()]);
  if (path.length === 0) return;
  command.addHelpText('after', () => {
    const lines = examplesOf(command, path).map((line) => `  ${programName} ${line}`);
    return lines.length === 0 ? '' : ['', inColour('heading', 'Examples:', io.stdout), ...lines].join('\n');
  });
}

function examplesOf(command: Command, path: readonly string[]): readonly string[] {
  const own = examples[path.join(' ')] ?? callExamplesOf(path);
  return own ?? command.commands.slice(0, 2).flatMap((child) => examplesOf(child, [...path, child.name()]).slice(0, 1));
}

/** Returns the examples of an operation without required fields, whose values would depend on the profile. */
function callExamplesOf([command, name]: readonly string[]): readonly string[] | undefined {
  const operation = command === 'call' ? operations.find((one) => one.name === name) : undefined;
  if (!operation?.input.safeParse({}).success) return undefined;
  return [`call ${name}`, `call ${name} --url http://127.0.0.1:3000`];
}
