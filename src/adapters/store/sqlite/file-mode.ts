import { chmodSync, statSync } from 'node:fs';

/** What SQLite keeps beside a database while it is open, and after a crash. */
export const sidecars = ['-wal', '-shm', '-journal'] as const;

/** The mode of a file that other users of this machine can open, such as `644`; null if nobody else can, or there is no file. */
export function openModeOf(path: string): string | null {
  const { mode = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return mode & 0o077 ? (mode & 0o777).toString(8) : null;
}

/** Takes a database and its sidecars from other users, and warns once if it had to. */
export function closeToOthers(path: string, warn: (message: string) => void): void {
  const open = [path, ...sidecars.map((suffix) => path + suffix)].filter((file) => openModeOf(file) !== null);
  const [first] = open;
  if (first === undefined) return;
  const found = `${first}: was open to other users (mode ${openModeOf(first)})`;
  try {
    for (const file of open) chmodSync(file, statSync(file).mode & 0o700);
    warn(`${found}, and is not any more`);
  } catch (error) {
    warn(`${found}, and stays so: its mode cannot be changed (${(error as NodeJS.ErrnoException).code})`);
  }
}
