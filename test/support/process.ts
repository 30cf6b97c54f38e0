import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../../src/commands/command-line.ts';
import { type Cleanup, makeFolder, newFolder } from './files.ts';
import { postJson } from './post-json.ts';

type Env = Record<string, string>;

/** The program as it is published, which starts faster, in `npm test`; otherwise the sources. */
export const main = process.env.TEST_PROGRAM ?? fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A path as it is pasted into a shell. */
export const inShell = (path: string): string => (path.includes(' ') ? `'${path}'` : path);

/** What a command prints to run the program again: one of `runCommand`, and one in a process of its own. */
export { programName } from '../../src/service/program-name.ts';
export const processName = `node ${inShell(main)}`;

/** Ends a test of a program that hangs. */
const deadlineMs = 300_000;

/** The variables of this environment that a program needs to run, and to start fast. */
export const inheritedEnv = ({ PATH, NODE_COMPILE_CACHE } = process.env) => ({
  ...(PATH !== undefined && { PATH }),
  ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
});

let databaseSettingsOf: (dataFolder: string) => Promise<Env> = async () => ({});

/** Gives each process that is started from now on the settings of a database, by the folder of its data, unless it is given one. */
export function useDatabases(settingsOf: typeof databaseSettingsOf): void {
  databaseSettingsOf = settingsOf;
}

/** The environment of the program in a folder, with nothing else from this process. */
async function envOf(env: Env, folder: string): Promise<Env> {
  const dataFolder = resolve(folder, env.DATA_DIR ?? 'data');
  const database = env.DATABASE_URL === undefined ? await databaseSettingsOf(dataFolder) : {};
  return { ...inheritedEnv(), ...database, ...env };
}

const start = async (args: readonly string[], env: Env, folder: string) =>
  spawn(process.execPath, [main, ...args], { cwd: folder, env: await envOf(env, folder) });

/** `serve` as a process of its own, up and listening on a free port, without limits unless `env` has them; a second one may be given the folder of the first. */
export async function startProcess(t: Cleanup, env: Env = {}, folder = makeFolder(), options: readonly string[] = []) {
  const child = await start(['serve', ...options], { PORT: '0', LIMITS: 'off', ...env }, folder);
  // Not `exit`, after which the last lines may still arrive.
  const exited = once(child, 'close').then(([code]) => code as number | null);
  t.after(async () => {
    // A process that is killed does not write its coverage.
    if (process.env.NODE_V8_COVERAGE !== undefined && child.kill('SIGTERM'))
      await Promise.race([exited, pause(10_000, undefined, { ref: false })]);
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
  await Promise.race([once(output, 'line'), failed]);
  return {
    ...serviceOf(printed, lines, env),
    folder,
    pid: child.pid!,
    /** Resolves with the exit code, null after a signal; rejects if the process does not exit. */
    exited: () => {
      const late = pause(deadlineMs, undefined, { ref: false }).then(() => assert.fail('does not exit'));
      return Promise.race([exited, late]);
    },
    stop: () => void child.kill('SIGTERM'),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

/** A service that has begun to print where it listens. */
function serviceOf(printed: readonly string[], lines: readonly string[], env: Env) {
  const url = /^Listening on (\S+)$/.exec(printed[0]!)?.[1] ?? assert.fail(printed[0]);
  return {
    /** The address it listens on. */
    url,
    baseUrl: env.BASE_URL ?? url,
    /** The lines on stderr so far. */
    lines,
    /** The lines on stdout so far. */
    printed,
    /** Resolves with the link to the desk that a start on the sample prints. */
    deskLink: () => eventually(() => /\S+\/desk\/sign-in\?link=\S+/.exec(printed.join('\n'))?.[0] ?? false),
    async token(email = 'visitor@example.org'): Promise<string> {
      const response = await fetch(`${url}/auth/token`, postJson({ email }));
      assert.equal(response.status, 200);
      return ((await response.json()) as { access_token: string }).access_token;
    },
  };
}

/** Serves in this process, to a terminal if that is asked for; otherwise as `startProcess`. */
export async function startService(
  t: Cleanup,
  env: Env = {},
  folder = makeFolder(),
  options: readonly string[] = [],
  { isTTY = false } = {},
) {
  const stop = new AbortController();
  const { promise: listening, resolve: setListening } = Promise.withResolvers<void>();
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  createInterface(stderr).on('line', (line) => lines.push(line));
  const printed: string[] = [];
  createInterface(stdout).on('line', (line) => {
    printed.push(line);
    setListening();
  });
  const environment = await envOf({ PORT: '0', LIMITS: 'off', ...env }, folder);
  const exited = inFolder(folder, async () => {
    const io = { env: environment, stdin, stdout, stderr, stop: stop.signal };
    const running = runCommandLine(['serve', ...options], io);
    await Promise.race([listening, running]);
    return { code: running.then((code) => code ?? 0) };
  });
  t.after(async () => {
    stop.abort();
    await (await exited).code;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const { code } = await exited;
  await Promise.race([listening, code.then((code) => assert.fail(`exit code ${code}: ${lines.join('\n')}`))]);
  return { ...serviceOf(printed, lines, env), folder, exited: () => code, stop: () => stop.abort() };
}

interface Ran {
  /** Null if a process did not exit and was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What changes the working folder of this process runs one after the other. */
let lastInFolder: Promise<unknown> = Promise.resolve();

function inFolder<Result>(folder: string, run: () => Promise<Result>): Promise<Result> {
  const running = lastInFolder
    .catch(() => {})
    .then(async () => {
      const before = process.cwd();
      process.chdir(folder);
      try {
        return await run();
      } finally {
        process.chdir(before);
      }
    });
  lastInFolder = running;
  return running;
}

/**
 * Runs a command to its end in this process, in an empty folder unless one is given; its standard input stays open unless
 * `input` is given. With a variable that Node.js reads at its start, it runs in a process of its own.
 */
export async function runCommand(
  t: Cleanup,
  args: readonly string[],
  env: Env = {},
  folder = newFolder(t),
  input?: string,
): Promise<Ran> {
  if (Object.keys(env).some((name) => name.startsWith('NODE_'))) return runProcess(t, args, env, folder, input);
  const environment = await envOf(env, folder);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  if (input !== undefined) stdin.end(input);
  const printed = Promise.all([text(stdout), text(stderr)]);
  const { signal: stop } = new AbortController();
  const code = await inFolder(folder, () => runCommandLine(args, { env: environment, stdin, stdout, stderr, stop }));
  stdout.end();
  stderr.end();
  const [out, error] = await printed;
  return { code: code ?? 0, stdout: out, stderr: error };
}

/**
 * Runs a command to its end in this process as on a terminal, where an answer is typed to its question. Returns what is
 * shown, without colours, which the environment of this process decides.
 */
export async function runTyping(args: readonly string[], answer: string, env: Env, folder: string) {
  const newTerminal = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const [stdin, stdout, stderr] = [newTerminal(), newTerminal(), newTerminal()];
  let shown = '';
  for (const stream of [stdout, stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      shown += text;
      // Only then does it listen.
      if (text.includes('[y/N] ')) setImmediate(() => stdin.write(answer));
    });
  const environment = await envOf(env, folder);
  const code = await inFolder(folder, () => runCommandLine(args, { env: environment, stdin, stdout, stderr }));
  const visible = shown.replaceAll('\r\n', '\n').replaceAll('\x1b', '␛');
  return { code: code ?? 0, shown: visible.replaceAll(/␛\[\d+m/g, '') };
}

/** Does so in a process of its own. */
export async function runProcess(
  t: Cleanup,
  args: readonly string[],
  env: Env = {},
  folder = newFolder(t),
  input?: string,
): Promise<Ran> {
  const child = await start(args, env, folder);
  if (input !== undefined) child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  clearTimeout(timer);
  return { code: code as number | null, stdout, stderr };
}

/** Calls a function until it returns something other than false, less and less often, and returns that. */
export async function eventually<Answer>(ask: () => Answer | Promise<Answer>): Promise<Exclude<Answer, false>> {
  const deadline = performance.now() + deadlineMs;
  for (let wait = 5; ; wait = Math.min(wait * 1.2, 200)) {
    const answer = await ask();
    if (answer !== false) return answer as Exclude<Answer, false>;
    assert.ok(performance.now() < deadline, `never came true: ${ask}`);
    await pause(wait);
  }
}
