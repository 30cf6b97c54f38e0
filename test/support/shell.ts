import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Cleanup, newFolder } from './files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A folder with what a checkout has, so that nothing is written to this one. */
export function newCheckout(t: Cleanup): string {
  const folder = newFolder(t);
  for (const entry of ['package.json', 'node_modules', 'bin', 'src', 'examples'])
    symlinkSync(join(root, entry), join(folder, entry));
  return folder;
}

/** The environment of a shell that npm has not set up, although it has set up `npm test`; `bin` is a folder on its PATH. */
export const shellEnv = (bin?: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  ...(bin !== undefined && { PATH: `${bin}:${process.env.PATH}` }),
});

// A process group of its own, so that a signal reaches what the shell has started.
const openShell = (commands: string, cwd: string, env: NodeJS.ProcessEnv) =>
  spawn('bash', ['-eo', 'pipefail', '-c', commands], { cwd, env, detached: true });

/** Runs commands as if they were pasted into a shell, with nothing to read from standard input; each of them must succeed. */
export async function paste(commands: string, cwd: string, env = shellEnv()) {
  const shell = openShell(commands, cwd, env);
  shell.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
  assert.equal(code, 0, `${commands}: ${stderr}`);
  return { stdout, stderr };
}

/** Runs a command that serves on a free port until it has printed its banner, and returns that. */
export async function pasteServing(command: string, cwd: string, env = shellEnv()): Promise<string> {
  const shell = openShell(command, cwd, { PORT: '0', ...env });
  const exited = once(shell, 'exit');
  const errors = text(shell.stderr);
  const lines: string[] = [];
  for await (const line of createInterface(shell.stdout)) {
    if (lines.push(line) > 1 && line.startsWith('  curl ')) break;
  }
  if (shell.exitCode === null) process.kill(-shell.pid!, 'SIGTERM');
  await exited;
  assert.match(lines[0] ?? '', /^Listening on http:/, await errors);
  return lines.join('\n');
}

/** Runs `init`, and then each command that it, `serve` and the help print, which must begin with a name. */
export async function assertPrintedCommandsWork(name: string, folder: string, env = shellEnv()): Promise<void> {
  const answers = '--name Ada --title Analyst --email ada@example.net --location London --years 9';
  const { stderr } = await paste(`${name} init ${answers} --out 'my profile.yaml'`, folder, env);
  const [, check = '', serve = ''] = stderr.split('\n').map((line) => line.trim());
  assert.equal(check, `${name} check 'my profile.yaml'`);
  assert.equal(serve, `${name} serve --profile 'my profile.yaml'`);
  await paste(check, folder, env);
  assert.match(await pasteServing(serve, folder, env), /^ {2}Profile {2}.+\/my profile\.yaml$/m);
  assert.ok((await pasteServing(`${name} serve`, folder, env)).includes(`\n  ${name} init\n`));
  const help = await paste(`${name} check --help`, folder, env);
  assert.ok(help.stdout.startsWith(`Usage: ${name} check `), help.stdout);
}
