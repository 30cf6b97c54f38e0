import { readFileSync } from 'node:fs';

/**
 * Resolves within a second after the launcher or npm that started this process has ended, with the name of the one; never if neither
 * started it. No signal tells it: SIGKILL cannot be passed on, and npm sends SIGTERM to a shell, which ends without passing it on.
 */
export function waitForParentEnd({ npm_lifecycle_script: script } = process.env): Promise<'launcher' | 'npm'> {
  const { promise, resolve } = Promise.withResolvers<'launcher' | 'npm'>();
  // The launcher opens this channel, over which nothing is sent.
  process.once('disconnect', () => resolve('launcher'));
  process.channel?.unref();
  const starter = process.ppid;
  // The variable is inherited by all that a script starts, of which only what npm waits for ends with it.
  if (script === undefined || hasBackground(script)) return promise;
  const isShell = isShellWith(script, starter);
  if (!isShell && !isNpm(starter)) return promise;
  const npm = isShell ? parentOf(starter) : null;
  const timer = setInterval(() => {
    if (process.ppid === starter && (npm === null || parentOf(starter) === npm)) return;
    clearInterval(timer);
    resolve('npm');
  }, 1_000);
  timer.unref();
  return promise;
}

/** Whether a script starts something in the background, which is to outlive it. */
const hasBackground = (script: string): boolean => /(?<![&<>])&(?![&>])/.test(script);

/** Whether a process is npm, which calls itself by its command; on systems that do not tell, it is taken for it. */
function isNpm(pid: number): boolean {
  const commandLine = readProcess(pid, 'cmdline');
  return commandLine === null ? process.platform !== 'linux' : /^(npm|npx) /.test(commandLine);
}

/** Whether a process is the shell that npm runs a script in. Some shells run a single command in their own place. */
function isShellWith(script: string, pid: number): boolean {
  const args = readProcess(pid, 'cmdline')?.split('\0') ?? [];
  return args.some((arg, index) => args[index - 1] === '-c' && arg.startsWith(script));
}

const parentOf = (pid: number): string | null => /^PPid:\s*(\d+)$/m.exec(readProcess(pid, 'status') ?? '')?.[1] ?? null;

/** Returns what Linux tells of a process; null on other systems. */
function readProcess(pid: number, file: 'cmdline' | 'status'): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}
