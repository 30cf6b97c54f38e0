import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type Cleanup, newFolder } from './files.ts';
import { inheritedEnv, main } from './process.ts';

/**
 * Tests on a terminal need `script` of util-linux, which makes a pseudo-terminal; it is in Debian's essential package bsdutils.
 * False, or why such tests are skipped: macOS and BSD have another program of that name.
 */
export const noTerminal: string | false =
  !/util-linux/.test(String(spawnSync('script', ['--version']).stdout)) && 'needs script of util-linux';

interface TerminalOptions {
  readonly env?: Record<string, string>;
  /** An empty one by default. */
  readonly folder?: string;
  /** The width of the terminal; 80 by default. */
  readonly columns?: number;
  /** The text that is typed once the terminal shows `prompt`, by default the end of a question of yes or no. */
  readonly answer?: string;
  readonly prompt?: string;
}

/** Runs a command of the program on a terminal, as `runNodeOnTerminal` does. */
export const runOnTerminal = (t: Cleanup, args: readonly string[], options: TerminalOptions = {}) =>
  runNodeOnTerminal(t, [main, ...args], options);

/** Runs node on a terminal to its end. Returns what is written there: lines end in `\n`, and escape characters are `␛`. */
export async function runNodeOnTerminal(
  t: Cleanup,
  args: readonly string[],
  { env = {}, folder = newFolder(t), columns = 80, answer, prompt = '[y/N] ' }: TerminalOptions = {},
) {
  const line = [process.execPath, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 24; exec ${line}`, '/dev/null'], {
    cwd: folder,
    env: { ...inheritedEnv(), SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 300_000);
  let shown = '';
  let toType = answer;
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    shown += chunk;
    if (toType === undefined || !shown.includes(prompt)) return;
    child.stdin.write(toType);
    toType = undefined;
  });
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return { code: code as number | null, shown: shown.replaceAll(/\r+\n/g, '\n').replaceAll('\x1b', '␛') };
}
