import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readProfile } from '../../adapters/profile/profile-file.ts';
import { type Contents, readDatabaseFile } from '../../adapters/store/sqlite/database-file.ts';
import { sharedModeOf } from '../../adapters/store/sqlite/file-mode.ts';
import { keyFileIn } from '../../adapters/tokens/key-file.ts';
import { openKeys } from '../../adapters/tokens/keys.ts';
import { type Config, samplePath } from '../../service/config.ts';
import { ownerWarningOf } from '../../service/config-warnings.ts';
import { toCommandLine } from '../../service/program-name.ts';
import { count, toWords } from '../database-words.ts';

/** What one look has shown; `remedy` is null where there is nothing to do, or where what was found says it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly remedy: string | null;
}

export const ok = (found: string): Finding => ({ level: 'ok', found, remedy: null });
export const warn = (found: string, remedy: string): Finding => ({ level: 'warn', found, remedy });
export const fail = (found: string, remedy: string | null): Finding => ({ level: 'fail', found, remedy });

export function checkProfile({ profilePath, ownerEmail }: Config): Finding[] {
  const { profile, faults } = readProfile(profilePath);
  if (profile === null) return faults.map((fault) => fail(fault, null));
  const address = ownerEmail ?? profile.owner_email;
  if (address === undefined)
    return [fail('there is no address for notices', 'set OWNER_EMAIL, or owner_email in the profile')];
  const warning = ownerWarningOf(address);
  return [
    profilePath === samplePath
      ? warn('it is the sample', 'write profile.yaml, or set PROFILE')
      : ok(`${profilePath} is valid`),
    ...(warning === null ? [] : [warn(warning.found, warning.remedy)]),
  ];
}

export function checkDataDir({ dataDir }: Config): Finding {
  const place = nearestTo(dataDir);
  if (!statSync(place).isDirectory()) return fail(`${place} is no folder`, 'set DATA_DIR to one');
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail(`${place} cannot be written (${code})`, 'give it to the user who runs the service, or set DATA_DIR');
  }
  if (place !== dataDir) return warn(`${dataDir} does not exist yet`, 'the first start makes it');
  const mode = statSync(dataDir).mode & 0o777;
  if (mode & 0o077) return warn(`${dataDir} is open to other users (mode ${mode.toString(8)})`, `chmod 700 ${dataDir}`);
  return ok(`${dataDir} can be written, by its user alone`);
}

export function checkDisk({ databasePath }: Config): Finding {
  const { bavail, bsize } = statfsSync(nearestTo(dirname(databasePath)));
  return toDiskFinding(bavail * bsize);
}

/** `bytes` are those that are free. */
export function toDiskFinding(bytes: number): Finding {
  const found = `${toSize(bytes)} free where the database is`;
  if (bytes < 100e6) return fail(found, 'make room: nothing can be kept on a full disk');
  if (bytes < 1e9) return warn(found, 'make room');
  return ok(found);
}

/** The folder, or the nearest above it that there is. */
const nearestTo = (path: string): string => (existsSync(path) ? path : nearestTo(dirname(path)));

interface DatabaseLook {
  readonly findings: Finding[];
  /** Null if it cannot be read or does not exist yet. */
  readonly contents: Contents | null;
}

/** Looks at what the database holds, and who can open it. */
export async function readDatabase({ databasePath: path }: Config): Promise<DatabaseLook> {
  if (!existsSync(path))
    return { findings: [warn(`${path} does not exist yet`, 'the first start makes it')], contents: null };
  const mode = sharedModeOf(path);
  const open = mode === null ? [] : [warn(`${path} is open to other users (mode ${mode})`, `chmod 600 ${path}`)];
  try {
    const contents = await readDatabaseFile(path, 'quick_check');
    return { findings: [ok(`${path}, ${toSize(contents.bytes)}: ${toWords(contents)}`), ...open], contents };
  } catch (error) {
    const remedy = `put a backup in its place: ${toCommandLine('restore', 'FILE')}`;
    return { findings: [fail((error as Error).message, remedy), ...open], contents: null };
  }
}

export function checkOutbox({ waiting, retried, dead }: Contents): Finding {
  const found = `${count(waiting, 'mail')} waiting, ${retried} of them after a failure, and ${dead} given up`;
  const retry = toCommandLine('outbox', 'retry');
  if (dead > 0) return warn(found, `see smtp below, then ${retry}`);
  if (retried > 0) return warn(found, `see smtp below, then ${retry}, or wait`);
  return ok(found);
}

export async function checkKey({ signingKey, dataDir }: Config, contents: Contents | null): Promise<Finding> {
  const file = keyFileIn(dataDir);
  if (signingKey === undefined && !existsSync(file)) {
    const tokens = contents?.tokens ?? 0;
    return tokens === 0
      ? warn(`${file} does not exist yet`, 'the first start makes it')
      : fail(
          `${file} is not there, and ${count(tokens, 'token')} ${tokens === 1 ? 'was' : 'were'} issued with it`,
          'put your copy there before the next start',
        );
  }
  try {
    const { jwks } = await openKeys({ signingKey, dataDir });
    const keys = count(jwks.keys.length, 'key');
    if (signingKey !== undefined) return ok(`SIGNING_KEY holds ${keys}`);
    const { mode, mtime } = statSync(file);
    const written = mtime.toISOString().slice(0, 10);
    return ok(`${file} holds ${keys}, mode ${(mode & 0o777).toString(8)}, written on ${written}`);
  } catch (error) {
    return fail((error as Error).message, null);
  }
}

/** In the units that disks are sold in. */
function toSize(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${Math.floor(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}
