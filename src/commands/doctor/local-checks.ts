import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { MissingNativeCode } from 'resume-documents/native-code';
import { pluralize } from 'resume-profile/text';
import { hash } from '../../adapters/node-crypto.ts';
import { readProfileAt } from '../../adapters/profile/profile-file.ts';
import { isAddress, nameOf, pathOf } from '../../adapters/profile/profile-source.ts';
import type { Contents } from '../../adapters/store/contents.ts';
import { readDatabaseFile, sharedModeOf } from '../../adapters/store/sqlite/database-file.ts';
import { keyFileIn, openKeys } from '../../adapters/tokens/keys.ts';
import { type Config, isLoopback, samplePath } from '../../service/config/config.ts';
import {
  otherTextWarningOf,
  refusesSample,
  sampleSignsOf,
  setupCodeWarningOf,
} from '../../service/config/config-warnings.ts';
import { toCommandLine } from '../../service/program-name.ts';
import { dataFaultOf, nearestExisting } from '../../service/state.ts';
import { summaryOf } from '../database.ts';

/** A result of a check; `remedy` says what to do, or is null if nothing needs doing or `found` says it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly remedy: string | null;
}

export const ok = (found: string): Finding => ({ level: 'ok', found, remedy: null });
export const warn = (found: string, remedy: string): Finding => ({ level: 'warn', found, remedy });
export const fail = (found: string, remedy: string | null): Finding => ({ level: 'fail', found, remedy });

/** Returns the findings of warnings, without those that are null. */
export const warned = (
  ...warnings: readonly ((Pick<Finding, 'found'> & { readonly remedy: string }) | null)[]
): Finding[] => warnings.flatMap((warning) => (warning === null ? [] : [warn(warning.found, warning.remedy)]));

export async function checkProfile(config: Config): Promise<Finding[]> {
  const { ownerEmail } = config;
  const path = pathOf(config.profile);
  if (!isAddress(config.profile) && config.profile.isAwaited && !existsSync(config.profile.path))
    return [
      warn(`${config.profile.path} does not exist yet`, 'publish the first profile at the desk'),
      ...(ownerEmail === undefined ? [fail('the address for notices is not set', 'set OWNER_EMAIL')] : []),
    ];
  const { profile, faults } = await readProfileAt(config.profile);
  if (profile === null) return faults.map((fault) => fail(fault, null));
  if (ownerEmail === undefined && profile.owner_email === undefined)
    return [fail('the address for notices is not set', 'set OWNER_EMAIL, or owner_email in the profile')];
  const sign = refusesSample(config) ? fail : warn;
  return [
    ...(path === samplePath ? [] : [ok(`${nameOf(config.profile)} is valid`)]),
    ...sampleSignsOf(config, { path, profile }).map(({ found, remedy }) => sign(found, remedy)),
    ...warned(setupCodeWarningOf(config)),
  ];
}

/** Returns the address for notices; null if it is not set, or the profile cannot be read. */
export async function readOwner({ ownerEmail, profile }: Config): Promise<string | null> {
  if (ownerEmail !== undefined) return ownerEmail;
  return (await readProfileAt(profile)).profile?.owner_email ?? null;
}

export function checkDataDir(config: Config): Finding {
  const { dataDir } = config;
  const folder = nearestExisting(dataDir);
  if (!statSync(folder).isDirectory()) return fail(`${folder} is not a folder`, 'set DATA_DIR to a folder');
  const fault = dataFaultOf(config);
  if (fault !== null) return fail(fault.found, fault.remedy);
  if (folder !== dataDir) return warn(`${dataDir} does not exist yet`, 'the first start creates it');
  const mode = statSync(dataDir).mode & 0o777;
  if (mode & 0o077) return warn(`${dataDir} is open to other users (mode ${mode.toString(8)})`, `chmod 700 ${dataDir}`);
  return ok(`${dataDir} can be written, and is closed to other users`);
}

export function checkDisk({ database, dataDir }: Config): Finding {
  const folder = 'file' in database ? dirname(database.file) : dataDir;
  const { bavail, bsize } = statfsSync(nearestExisting(folder));
  const finding = toDiskFinding(bavail * bsize);
  return 'file' in database ? finding : { ...finding, found: finding.found.replace('the database', 'DATA_DIR') };
}

export function toDiskFinding(freeBytes: number): Finding {
  const found = `${toSize(freeBytes)} free on the disk of the database`;
  if (freeBytes < 100e6) return fail(found, 'free some space: on a full disk nothing can be stored');
  if (freeBytes < 1e9) return warn(found, 'free some space');
  return ok(found);
}

/** Checks that the database is undamaged and closed to other users; `contents` is null if it cannot be read. */
export async function checkDatabase(config: Config): Promise<{ findings: Finding[]; contents: Contents | null }> {
  const { database, profile } = config;
  if (!('file' in database)) return checkPostgres(database, pathOf(profile));
  const path = database.file;
  if (!existsSync(path))
    return { findings: [warn(`${path} does not exist yet`, 'the first start creates it')], contents: null };
  const mode = sharedModeOf(path);
  const shared = mode === null ? [] : [warn(`${path} is open to other users (mode ${mode})`, `chmod 600 ${path}`)];
  try {
    const contents = await readDatabaseFile(path, 'quick_check');
    return { findings: [ok(`${path}, ${toSize(contents.bytes)}: ${summaryOf(contents)}`), ...shared], contents };
  } catch (error) {
    const restore = `put a backup in its place: ${toCommandLine('restore', 'FILE')}`;
    const remedy = dataFaultOf(config) === null ? restore : 'see data above';
    return { findings: [fail((error as Error).message, remedy), ...shared], contents: null };
  }
}

export function checkOutbox({ waiting, retried, dead }: Contents): Finding {
  const found = `${pluralize(waiting, 'mail')} waiting, ${retried} of them after a failure, and ${dead} given up`;
  const retry = toCommandLine('outbox', 'retry');
  if (dead > 0) return warn(found, `see smtp below, then ${retry}`);
  if (retried > 0) return warn(found, `see smtp below, then ${retry}, or wait`);
  return ok(found);
}

export async function checkKey(config: Config, contents: Contents | null): Promise<Finding> {
  const { signingKey, dataDir } = config;
  const file = keyFileIn(dataDir);
  if (signingKey === undefined && !existsSync(file)) {
    const tokens = contents?.tokens ?? 0;
    return tokens === 0
      ? warn(`${file} does not exist yet`, 'the first start creates it')
      : fail(
          `${file} is missing, and ${pluralize(tokens, 'token')} ${tokens === 1 ? 'was' : 'were'} issued with it`,
          'put your copy there before the next start',
        );
  }
  try {
    const { jwks } = await openKeys({ signingKey, dataDir });
    const keys = pluralize(jwks.keys.length, 'key');
    if (signingKey !== undefined) return ok(`SIGNING_KEY holds ${keys}`);
    const { mode, mtime } = statSync(file);
    const written = mtime.toISOString().slice(0, 10);
    return ok(`${file} holds ${keys}, mode ${(mode & 0o777).toString(8)}, written on ${written}`);
  } catch (error) {
    return fail((error as Error).message, dataFaultOf(config) === null ? null : 'see data above');
  }
}

/** Checks that a package's code for this platform is installed; `use` says what needs it. */
export const checkNative = (load: () => Promise<unknown>, use: string): Promise<Finding> =>
  load().then(
    () => ok(`${use} on ${process.platform}-${process.arch}`),
    (error: unknown) => {
      if (error instanceof MissingNativeCode) return warn(error.found, error.remedy);
      throw error;
    },
  );

/** Checks that clients can connect by OAuth: most require https, or http on their own machine. */
export function checkOauth({ hasOauth }: Config, baseUrl: string): Finding {
  if (!hasOauth) return ok('not used: OAUTH is off, so clients need a token from POST /auth/token');
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return ok(`clients can connect by ${baseUrl}/mcp`);
  return warn(
    `most clients refuse to connect by ${baseUrl}/mcp, because it is not https`,
    'set BASE_URL to an https address, or OAUTH to off',
  );
}

/** Returns a size in powers of 1000, as on disk labels. */
function toSize(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${Math.floor(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}

const clockToleranceMs = 5_000;

/** Checks that a PostgreSQL database can be used; `contents` is null if it cannot be read or has no tables yet. */
async function checkPostgres({ name, url }: { readonly name: string; readonly url: string }, path: string | null) {
  const { inspectPostgres } = await import('../../adapters/store/postgres/inspection.ts');
  const inspection = await inspectPostgres(url).catch((error: Error) => error);
  if (inspection instanceof Error)
    return { findings: [fail(inspection.message, 'check DATABASE_URL and the server')], contents: null };
  const { version, contents, replicas, newestVersion } = inspection;
  const server = `${name}, PostgreSQL ${version}`;
  const secondsOff = Math.round(Math.abs(inspection.clockDifferenceMs) / 1_000);
  const findings = [
    contents === null
      ? warn(`${server}: has no tables yet`, 'the first start creates them')
      : ok(`${server}: ${summaryOf(contents)}`),
    toTlsFinding(inspection.host, inspection.tls),
    toConnectionsFinding(inspection.connections),
    ok(
      replicas < 2
        ? `${replicas === 0 ? 'no replica serves' : 'one replica serves'} from it: the desk changes the file of a single one`
        : `${replicas} replicas serve from it: the desk changes no file, because that of one would differ from the others`,
    ),
    secondsOff * 1_000 > clockToleranceMs
      ? warn(`the clock of the database server differs by ${secondsOff} s`, 'synchronize both clocks by NTP')
      : ok('the clock of the database server agrees'),
  ];
  if (replicas > 0 && newestVersion !== undefined && path !== null && existsSync(path)) {
    findings.push(...warned(otherTextWarningOf(newestVersion, { name: path, revision: hash(readFileSync(path)) })));
  }
  return { findings, contents };
}

export function toTlsFinding(host: string, tls: string | null): Finding {
  if (tls !== null) return ok(`the connection is encrypted (${tls})`);
  if (host.startsWith('/') || isLoopback(host))
    return ok('the connection is not encrypted, and does not leave this machine');
  const found = 'the connection is not encrypted: others in the network can read it';
  return warn(found, 'add sslmode=verify-full to DATABASE_URL');
}

export function toConnectionsFinding({ allowed, open, ours }: Record<'allowed' | 'open' | 'ours', number>): Finding {
  const found = `${allowed} connections allowed, ${open} open; a replica opens up to ${ours}`;
  if (allowed >= 2 * ours) return ok(found);
  return warn(found, 'raise max_connections: during a roll-out the old and the new replica run at once');
}
