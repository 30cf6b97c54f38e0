import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeFolder, postJson } from './service.ts';

/** What runs something once a test is over: a test's context, or `after` of node:test for a whole file. */
export interface Cleanup {
  after(clean: () => void | Promise<void>): void;
}

type Env = Record<string, string>;

export const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** How the commands that `runCommand` runs print that they are run again. */
export const programName = `node ${main}`;

/** Longer than anything takes, so that a test of a program that hangs ends all the same. */
const deadlineMs = 60_000;

/** Starts the program in a folder; nothing is set but `env`, whatever the shell of the tests has. */
const start = (args: readonly string[], env: Env, folder: string) =>
  spawn(process.execPath, [main, ...args], { cwd: folder, env: { PATH: process.env.PATH, ...env } });

/** `serve` as a process of its own, up and listening on a free port, without limits unless `env` has them; a second one may be given the folder of the first. */
export async function startProcess(t: Cleanup, env: Env = {}, folder = makeFolder(), options: readonly string[] = []) {
  const child = start(['serve', ...options], { PORT: '0', LIMITS: 'off', ...env }, folder);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  t.after(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => lines.push(line));
  const failed = exited.then((code) => assert.fail(`exit code ${code}: ${lines.join('\n')}`));
  const output = createInterface(child.stdout);
  const printed: string[] = [];
  output.on('line', (line) => printed.push(line));
  const [first] = (await Promise.race([once(output, 'line'), failed])) as [string];
  const url = /^Listening on (\S+)$/.exec(first)?.[1] ?? assert.fail(first);

  const baseUrl = env.BASE_URL ?? url;
  return {
    /** Where it listens. */
    url,
    baseUrl,
    folder,
    pid: child.pid!,
    /** What it has written to stderr so far. */
    lines,
    /** What it has written to stdout so far. */
    printed,
    /** The exit code, null where a signal was the end; fails where there is no end. */
    exited: () => {
      const late = pause(deadlineMs, undefined, { ref: false }).then(() => assert.fail('does not end'));
      return Promise.race([exited, late]);
    },
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    async token(email = 'visitor@example.org'): Promise<string> {
      const response = await fetch(`${url}/auth/token`, postJson({ email }));
      assert.equal(response.status, 200);
      return ((await response.json()) as { access_token: string }).access_token;
    },
  };
}

/** A folder that is removed in the end. */
export function newFolder(t: Cleanup): string {
  const folder = makeFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * Runs a command to its end, in an empty folder unless one is given; its standard input stays open unless `input` is given.
 * The code is null where it had to be killed.
 */
export async function runCommand(
  t: Cleanup,
  args: readonly string[],
  env: Env = {},
  folder = newFolder(t),
  input?: string,
) {
  const child = start(args, env, folder);
  if (input !== undefined) child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  clearTimeout(timer);
  return { code: code as number | null, stdout, stderr };
}

/** Asks until there is an answer other than false. */
export async function eventually<Answer>(ask: () => Answer | Promise<Answer>): Promise<Exclude<Answer, false>> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false) return answer as Exclude<Answer, false>;
    assert.ok(performance.now() < deadline, `never came true: ${ask}`);
    await pause(20);
  }
}
