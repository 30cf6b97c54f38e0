import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Cleanup, makeFolder } from './files.ts';
import { shellEnv } from './shell.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const run = promisify(execFile);

/** Ends a program that hangs. */
const deadlineMs = 60_000;

/** A shell that has the Node.js of the tests, and nothing else of the checkout. */
export const env: NodeJS.ProcessEnv = {
  ...shellEnv(),
  PATH: [dirname(process.execPath), ...process.env.PATH!.split(':').filter((path) => !path.startsWith(root))].join(':'),
};

/** Packs the package into a folder, and returns the path of the archive. */
export async function packPackage(folder: string): Promise<string> {
  // Packed from a copy: packing writes to the folder, which other tests read at the same time.
  const source = join(folder, 'source');
  mkdirSync(source);
  for (const entry of globSync('*', { cwd: root, exclude: ['node_modules', 'dist', 'data'] }))
    cpSync(join(root, entry), join(source, entry), { recursive: true });
  // The copy has its own packages, which the build finds by the links of the workspaces.
  mkdirSync(join(source, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const isWorkspace = existsSync(join(root, 'packages', name));
    symlinkSync(
      join(isWorkspace ? '../packages' : join(root, 'node_modules'), name),
      join(source, 'node_modules', name),
    );
  }
  await run('npm', ['pack', '--pack-destination', folder], { cwd: source, env });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
}

/** Packs the package, and lets npm install the archive and what it depends on into an empty folder, `app`. */
export async function installPackage() {
  const folder = makeFolder();
  const archive = await packPackage(folder);
  const app = await npmInstall(join(folder, 'app'), archive);
  const installed = join(app, 'node_modules/candidate-profile');
  return { app, installed, launcher: join(installed, 'bin/candidate-profile.cjs') };
}

/** Lets npm install a package into a new folder, and returns the folder. */
export async function npmInstall(folder: string, name: string): Promise<string> {
  mkdirSync(folder);
  await run('npm', ['install', '--omit=dev', '--no-audit', '--prefer-offline', name], { cwd: folder, env });
  return folder;
}

/** Runs a program to its end with a text on standard input. */
export async function runProgram(program: string, args: readonly string[], cwd: string, input = '') {
  const child = spawn(program, args, { cwd, env });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, stdout, stderr };
}

/** Starts a program that serves on a free port, and resolves when it listens. It is killed after the test, at the latest after a minute. */
export async function startProgram(t: Cleanup, program: string, args: readonly string[], cwd: string) {
  // A process group of its own, so that what the program started can be killed after the program has ended.
  const child = spawn(program, args, { cwd, env: { ...env, PORT: '0' }, detached: true });
  const exited = once(child, 'exit');
  function killAll(): void {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {} // All have ended.
  }
  const timer = setTimeout(killAll, deadlineMs);
  t.after(async () => {
    clearTimeout(timer);
    killAll();
    await exited;
  });
  const errors = text(child.stderr);
  const [first] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => [''])])) as [
    string,
  ];
  const url = /^Listening on (\S+)$/.exec(first)?.[1] ?? assert.fail(await errors);
  return { pid: child.pid!, url, exited: exited as Promise<[number | null, NodeJS.Signals | null]> };
}
