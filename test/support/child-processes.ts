import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The ids of the processes that a process has started and that have not been waited for. Needs Linux. */
export const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);

/** Whether a process has not ended. One that is not waited for stays in the table of processes. */
export function isRunning(pid: string): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The paths of the files that a process has open, each once. */
export function openFilesOf(pid: number): string[] {
  const paths = readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    } catch {
      return [];
    }
  });
  return [...new Set(paths)];
}
