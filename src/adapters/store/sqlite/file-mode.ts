import { chmodSync, statSync } from 'node:fs';

/** The suffixes of the files that SQLite keeps beside a database while it is open, and after a crash. */
export const sidecars = ['-wal', '-shm', '-journal'] as const;

/** Returns the mode, such as `644`, of a file that group or others can access; null if they cannot, or if it does not exist. */
export function sharedModeOf(path: string): string | null {
  const { mode = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return mode & 0o077 ? (mode & 0o777).toString(8) : null;
}

/** Revokes the access of group and others to a database and its sidecars, and warns once if they had any. */
export function makePrivate(path: string, warn: (message: string) => void): void {
  const shared = [path, ...sidecars.map((suffix) => path + suffix)].filter((file) => sharedModeOf(file) !== null);
  const [first] = shared;
  if (first === undefined) return;
  const found = `${first}: was open to other users (mode ${sharedModeOf(first)})`;
  try {
    for (const file of shared) chmodSync(file, statSync(file).mode & 0o700);
    warn(`${found}; their access has been removed`);
  } catch (error) {
    warn(`${found}, and still is: its mode cannot be changed (${(error as NodeJS.ErrnoException).code})`);
  }
}
