import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { Config } from '../service/config/config.ts';

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Ends `serve` like SIGTERM, which `serve` then ignores. */
  readonly stop?: AbortSignal;
}

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Io extends Surroundings {
  readonly console: Pick<Console, 'log' | 'error'>;
  /** Reads the settings from `env`, by default the process's. Throws `StartFault`. */
  readonly configOf: (env?: NodeJS.ProcessEnv) => Config;
}

/** Ends a command with an exit code, even if something would keep the process alive. */
export class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

const styles = { error: 'red', warning: 'yellow', ok: 'green', heading: 'bold' } as const;

/** Returns a text in the colour of its meaning if the stream shows colours, according to NO_COLOR, FORCE_COLOR and TERM. */
export const inColour = (meaning: keyof typeof styles, text: string, stream: Output): string =>
  styleText(styles[meaning], text, { stream });

/** Adds `--no-color`, which is accepted before and after a command's name and overrides FORCE_COLOR. */
export const addNoColorTo = (program: Command, { env }: Io): Command =>
  program.option('--no-color', 'print without colours').on('option:no-color', () => {
    env.NO_COLOR = '1';
    delete env.FORCE_COLOR;
  });

/** Whether a person at the terminal can see standard error and answer. */
export const isAttended = ({ stdin, stderr }: Io): boolean => stdin.isTTY === true && stderr.isTTY === true;

/** Asks on a terminal whether to end what `consequence` names, null if nothing. Throws unless the answer, or `yes`, is yes. */
export async function confirm(
  { stdin, stdout, stderr }: Io,
  consequence: () => string | null | Promise<string | null>,
  yes = false,
): Promise<void> {
  // Standard error may be redirected, as in `2>log`.
  const output = [stderr, stdout].find(({ isTTY }) => isTTY);
  if (yes || !stdin.isTTY || output === undefined) return;
  const text = await consequence();
  if (text === null) return;
  output.write(`${inColour('warning', text, output)}\n`);
  if (!/^y(es)?$/i.test(await ask('Go on? [y/N] ', stdin, output))) throw new Error('Nothing was changed.');
}

/** Returns the typed line; empty after Ctrl-C or Ctrl-D. */
async function ask(question: string, input: Readable, output: Output): Promise<string> {
  const { createInterface } = await import('node:readline');
  const terminal = createInterface({ input, output });
  terminal.setPrompt(question);
  terminal.prompt();
  const { value, done } = await terminal[Symbol.asyncIterator]().next();
  terminal.close();
  if (done) output.write('\n');
  return done ? '' : value.trim();
}

/** Runs work; a terminal on stderr shows `label` until it ends. */
export async function withProgress<Result>(
  { env, stderr }: Io,
  label: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  if (!stderr.isTTY || env.TERM === 'dumb') return await work();
  stderr.write(`${label} …`);
  try {
    return await work();
  } finally {
    stderr.write('\r\x1b[K');
  }
}

/** The minimum number of shown digits of an id, so that it stays unique for a while. */
const minDigits = 4;

/** Returns each id's shortest start that no other id has. The prefix `contact_` does not count as digits. */
export function shortIdsOf(ids: Iterable<string>): Map<string, string> {
  const sorted = [...new Set(ids)].sort();
  return new Map(
    sorted.map((id, index) => {
      const shared = Math.max(sharedLength(id, sorted[index - 1]), sharedLength(id, sorted[index + 1]));
      return [id, id.slice(0, Math.max(shared + 1, prefixOf(id).length + minDigits))];
    }),
  );
}

const prefixOf = (id: string): string => /^contact_/.exec(id)?.[0] ?? '';

function sharedLength(one: string, other = ''): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

const maxListed = 10;

/** Returns the id that a text equals or begins; null if there is none. Throws if several begin with it. */
export function idByStart(start: string, ids: readonly string[], noun: string): string | null {
  if (ids.includes(start)) return start;
  const matches = ids.filter((id) => id.startsWith(start)).toSorted();
  if (matches.length <= 1) return matches[0] ?? null;
  throw new Error(
    [
      `Several ${noun}s have an id that begins with ${start}. Give more of one of them:`,
      ...matches.slice(0, maxListed).map((id) => `  ${id}`),
      ...(matches.length > maxListed ? [`  and ${matches.length - maxListed} more`] : []),
    ].join('\n'),
  );
}

/** An id is cut to its shortest unique start, an instant to `2 Nov 14:10`, a text to the rest, `whole` only if it must be. */
export type Column = 'id' | 'time' | 'whole' | 'text';

/** A column of a list; its cells are a field or computed. With a place, it is shown only to people or only to scripts. */
export type ListColumn<Item> = readonly [
  heading: string,
  kind: Column,
  cell: keyof Item | ((item: Item) => string),
  place?: 'terminal' | 'pipe',
];
