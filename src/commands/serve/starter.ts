import { readFileSync } from 'node:fs';

/**
 * Resolves within a second after the npm or launcher that started this process has ended; never if neither did. No signal tells it:
 * SIGKILL cannot be passed on, and npm sends SIGTERM to a shell, which ends without passing it on.
 */
export function waitForParentEnd({ npm_lifecycle_script: script } = process.env): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // The launcher opens this channel, over which nothing is sent.
  process.once('disconnect', resolve);
  process.channel?.unref();
  if (script === undefined) return promise;
  const shell = process.ppid;
  const npm = isShellWith(script, shell) ? parentOf(shell) : null;
  const timer = setInterval(() => {
    if (process.ppid === shell && (npm === null || parentOf(shell) === npm)) return;
    clearInterval(timer);
    resolve();
  }, 1_000);
  timer.unref();
  return promise;
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
