import { existsSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';

interface Start {
  readonly script: string;
  /** Whether Node runs the TypeScript of a checkout rather than the build for `node_modules`. */
  readonly isCheckout: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly directory: string;
}

/** Returns the command that starts this program again, in the shell and folder from which it was started. */
export function programNameOf({ script, isCheckout, env, directory }: Start): string {
  if (isCheckout && env.npm_package_name === 'candidate-profile') return 'npm run --silent cli --';
  // npm and npx prepend node_modules/.bin to the PATH of the programs that they run.
  if (!isCheckout && env.npm_lifecycle_event !== undefined) return 'npx candidate-profile';
  if (!isCheckout && isOnPath(env.PATH ?? '')) return 'candidate-profile';
  const path = relative(directory, script);
  return `node ${quote(path.startsWith('..') ? script : path)}`;
}

function isOnPath(path: string): boolean {
  const names = ['candidate-profile', 'candidate-profile.cmd'];
  return path.split(delimiter).some((folder) => names.some((name) => existsSync(join(folder, name))));
}

/** Quotes a word for a POSIX shell if it needs quotes. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export const programName = programNameOf({
  script: process.argv[1] ?? '',
  isCheckout: import.meta.filename.endsWith('.ts'),
  env: process.env,
  directory: process.cwd(),
});

/** Returns a command of this program that can be pasted into the shell from which this process was started. */
export const toCommandLine = (...words: readonly string[]): string => [programName, ...words.map(quote)].join(' ');

/** Returns the command that starts the service again like this process, but on another port. */
export function serveCommandOn(port: number, { argv, env } = process): string {
  const typed = argv.slice(argv.indexOf('serve') + 1);
  const isPort = (word = '') => word === '--port';
  const others = typed.filter((word, at) => !isPort(word) && !isPort(typed[at - 1]) && !word.startsWith('--port='));
  const options = [...others, '--port', String(port)];
  // The only npm script that starts the service.
  const isStart = env.npm_lifecycle_event === 'start' && env.npm_package_name === 'candidate-profile';
  return isStart ? ['npm start --', ...options.map(quote)].join(' ') : toCommandLine('serve', ...options);
}

/** Like `toCommandLine`, but with only the program's name if the command would contain a path of this machine. */
export const toPathlessCommandLine = (...words: readonly string[]): string =>
  programName.startsWith('node ') ? ['candidate-profile', ...words].join(' ') : toCommandLine(...words);
