import { existsSync, readFileSync, statSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toEmailAddress } from 'resume-profile/email-address';
import { isAddress, type ProfileSource } from '../../adapters/profile/profile-source.ts';
import type { DatabasePlace } from '../../adapters/store/store.ts';
import { toCommandLine } from '../program-name.ts';
import { isPostgresUrl, Settings } from './settings.ts';

export const samplePath = fileURLToPath(new URL('../../../examples/profile.yaml', import.meta.url));

export const clientExamplePath = fileURLToPath(new URL('../../../examples/client.ts', import.meta.url));

/** Faults that the owner must correct before the service can start, one per line of `message`. */
export class StartFault extends Error {}

export type Config = ReturnType<typeof readConfig>;

/** Reads the settings of an environment, paths resolved against `directory`. Throws `StartFault` with all faults. */
export function readConfig(env: Record<string, string | undefined>, directory: string) {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const { settings, faults } = readSettings(variables);
  const { tls, faults: tlsFaults, readPair } = readTls(settings, directory);
  const all = [...faults, ...tlsFaults, ...combinedFaults(settings, directory), ...smtpFaults(variables)];
  if (all.length > 0) throw new StartFault(all.join('\n'));

  const dataDir = resolve(directory, settings.DATA_DIR);
  return {
    host: settings.HOST,
    port: settings.PORT,
    /** Undefined if BASE_URL is not set: see `baseUrlOf`. */
    baseUrl: settings.BASE_URL?.href.replace(/(?<!\/)\/+$/, ''),
    keptPath: keptPathOf(settings.BASE_URL),
    /** Whether other machines can connect, directly or at BASE_URL. */
    isPublic:
      !isLoopback(settings.HOST) || (settings.BASE_URL !== undefined && !isLoopback(settings.BASE_URL.hostname)),
    allowSample: settings.ALLOW_SAMPLE,
    tls,
    /** Reads the files of `tls` again. Throws if one cannot be read. */
    readTls: readPair,
    profile: profileSourceOf(settings, directory),
    /** The code that signs in at the desk until there is a profile; undefined if the service needs a profile to start. */
    setupCode: settings.SETUP_CODE,
    dataDir,
    mailDirectory: join(dataDir, 'mail'),
    database: databasePlaceOf(settings.DATABASE_URL ?? join(dataDir, 'candidate-profile.db'), directory),
    ownerEmail: settings.OWNER_EMAIL,
    ...mailOf(settings),
    tokenTtlSeconds: settings.TOKEN_TTL,
    pdfLinkTtlSeconds: settings.PDF_LINK_TTL,
    pdf: {
      theme: settings.PDF_THEME,
      paper: settings.PDF_PAPER,
      template: settings.PDF_TEMPLATE === undefined ? undefined : resolve(directory, settings.PDF_TEMPLATE),
      fontDir: settings.FONT_DIR === undefined ? undefined : resolve(directory, settings.FONT_DIR),
    },
    signingKey: settings.SIGNING_KEY,
    mcpMutations: settings.MCP_MUTATIONS,
    hasOauth: settings.OAUTH,
    /** Whether an OAuth client's id may be the address of its metadata document, which the service fetches. */
    readsClientDocuments: settings.OAUTH_CLIENT_DOCUMENTS,
    verifiesEmail: settings.VERIFY_EMAIL,
    allowedHosts: settings.ALLOWED_HOSTS,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT,
    /** The multiplier of every quota; infinite turns quotas off. */
    limits: settings.LIMITS,
    metricsPort: settings.METRICS_PORT,
    recordsReads: settings.READER_RECORD,
    keep: {
      contactsSeconds: settings.KEEP_CONTACTS ?? Number.POSITIVE_INFINITY,
      mailSeconds: settings.KEEP_MAIL,
      auditSeconds: settings.KEEP_AUDIT,
      readsSeconds: settings.KEEP_READS,
      historyVersions: settings.KEEP_HISTORY,
    },
  };
}

/** Returns the settings, with the default for each invalid one, and a fault for it. */
function readSettings(variables: Record<string, unknown>): { settings: Settings; faults: string[] } {
  const { data, error } = Settings.safeParse(variables);
  if (data !== undefined) return { settings: data, faults: [] };
  const wrong = new Set(error.issues.map(({ path }) => String(path[0])));
  return {
    settings: Settings.parse(Object.fromEntries(Object.entries(variables).filter(([name]) => !wrong.has(name)))),
    faults: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
  };
}

/** Returns the public address: BASE_URL, or 127.0.0.1 with the port that the server listens on. */
export const baseUrlOf = ({ baseUrl, tls }: Config, port: number): string =>
  baseUrl ?? `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;

/** The first path segments of the service, except files. */
export const ownSegments: ReadonlySet<string> = new Set(
  'assets auth availability background candidate contact desk docs evidence experience files healthz mcp me oauth privacy profile projects readyz resume s'.split(
    ' ',
  ),
);

/** The path of BASE_URL, which a proxy may keep; '' without one, and if it begins like ours: then the proxy removes it. */
export function keptPathOf(url: URL | undefined): string {
  const path = url?.pathname.replace(/(?<!\/)\/+$/, '') ?? '';
  return ownSegments.has(path.split('/')[1] ?? '') ? '' : path;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether the settings keep other machines from reaching the service. */
export const isSetLocal = ({ isPublic, trustProxy, allowedHosts }: Config): boolean =>
  !isPublic && trustProxy.rules.length === 0 && allowedHosts.length === 0;

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return name === 'localhost' || loopback.check(name) || loopback.check(name, 'ipv6');
}

export function databasePlaceOf(url: string, directory: string): DatabasePlace {
  if (isPostgresUrl(url)) {
    // Does not use the URL parser: a socket's address has no host, and a wrong address must not show its password.
    return { name: `postgres://${url.replace(/^.*?:\/\/(?:.*@)?/s, '').replace(/\?.*/s, '')}`, url };
  }
  const file = resolve(directory, url);
  return { name: file, file };
}

/** Returns the place in PROFILE: by default profile.yaml, or the sample until it exists; with SETUP_CODE it is awaited. */
function profileSourceOf({ PROFILE, SETUP_CODE }: Settings, directory: string): ProfileSource {
  if (PROFILE instanceof URL) return { address: PROFILE };
  const ownPath = resolve(directory, PROFILE ?? 'profile.yaml');
  if (SETUP_CODE !== undefined) return { path: ownPath, ownPath, isAwaited: true };
  return { path: PROFILE === undefined && !existsSync(ownPath) ? samplePath : ownPath, ownPath };
}

/** Returns SMTP_URL including the user name and password, and the sender's address; undefined for the default. */
function mailOf({ SMTP_URL, SMTP_USER, SMTP_PASSWORD, MAIL_FROM }: Settings) {
  if (SMTP_URL === undefined) return { smtpUrl: undefined, mailFrom: MAIL_FROM };
  const url = new URL(SMTP_URL);
  const user = SMTP_USER ?? decode(url.username);
  if (SMTP_USER !== undefined) url.username = encodeURIComponent(SMTP_USER);
  if (SMTP_PASSWORD !== undefined) url.password = encodeURIComponent(SMTP_PASSWORD);
  return { smtpUrl: url.href, mailFrom: MAIL_FROM ?? toEmailAddress(user) ?? undefined };
}

/** Decodes percent-encoding like nodemailer: a text with another % is not encoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the faults of a user name and a password beside SMTP_URL; the values are unparsed. */
function smtpFaults({ SMTP_URL, SMTP_USER, SMTP_PASSWORD }: Record<string, unknown>): string[] {
  if (SMTP_USER === undefined && SMTP_PASSWORD === undefined) return [];
  if (SMTP_PASSWORD === undefined) return ['SMTP_PASSWORD: is not set, but SMTP_USER is; set both or neither'];
  if (SMTP_USER === undefined) return ['SMTP_USER: is not set, but SMTP_PASSWORD is; set both or neither'];
  if (SMTP_URL === undefined)
    return ['SMTP_URL: is not set, but SMTP_USER and SMTP_PASSWORD are; set it to the mail server'];
  const { username = '', password = '' } = URL.parse(String(SMTP_URL)) ?? {};
  const also = [...(username === '' ? [] : ['a user name']), ...(password === '' ? [] : ['a password'])];
  if (also.length === 0) return [];
  return [`SMTP_URL: has ${also.join(' and ')}, and SMTP_USER and SMTP_PASSWORD are set; remove one of the two`];
}

function combinedFaults(settings: Settings, directory: string): string[] {
  const { BASE_URL: url, ALLOW_INSECURE_HTTP: isInsecureAllowed } = settings;
  const faults: string[] = [];
  const { PDF_TEMPLATE: template, FONT_DIR: fonts } = settings;
  const statOf = (path: string) => statSync(resolve(directory, path), { throwIfNoEntry: false });
  if (template !== undefined && !statOf(template)?.isFile()) faults.push(`PDF_TEMPLATE: ${template} is not a file`);
  if (fonts !== undefined && !statOf(fonts)?.isDirectory()) faults.push(`FONT_DIR: ${fonts} is not a folder`);
  if (url?.protocol === 'http:' && !isLoopback(url.hostname) && !isInsecureAllowed)
    faults.push('BASE_URL: must be https unless it is loopback (ALLOW_INSECURE_HTTP=true overrides)');
  if (settings.DATABASE_URL !== undefined && isPostgresUrl(settings.DATABASE_URL) && settings.SIGNING_KEY === undefined)
    faults.push(
      `SIGNING_KEY: must be set with PostgreSQL, so that all replicas sign with the same key; to print one: ${toCommandLine('keys', 'generate')}`,
    );
  if (settings.VERIFY_EMAIL && settings.SMTP_URL === undefined)
    faults.push('VERIFY_EMAIL: needs SMTP_URL, the mail server that sends the codes; set it, or VERIFY_EMAIL=off');
  const profile = profileSourceOf(settings, directory);
  if (!isAddress(profile) && !profile.isAwaited && !existsSync(profile.path))
    faults.push(`PROFILE: ${profile.path} does not exist`);
  return faults;
}

/** Reads the files of TLS_CERT and TLS_KEY; `tls` is undefined unless both are set and readable. */
function readTls({ TLS_CERT, TLS_KEY }: Settings, directory: string) {
  const readPair = () => ({
    cert: readPem(resolve(directory, TLS_CERT!)),
    key: readPem(resolve(directory, TLS_KEY!), true),
  });
  const faultOf = (name: string, path: string | undefined, isSecret: boolean): string[] => {
    try {
      if (path !== undefined) readPem(resolve(directory, path), isSecret);
      return [];
    } catch (error) {
      return [`${name}: cannot be read: ${(error as Error).message}`];
    }
  };
  const faults = [...faultOf('TLS_CERT', TLS_CERT, false), ...faultOf('TLS_KEY', TLS_KEY, true)];
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined)) faults.push('TLS_CERT, TLS_KEY: set both or neither');
  return { tls: TLS_CERT !== undefined && faults.length === 0 ? readPair() : undefined, faults, readPair };
}

function readPem(path: string, isSecret = false): Buffer {
  if (isSecret && statSync(path).mode & 0o007)
    throw new Error('it is open to other users of this machine, chmod 600 it');
  return readFileSync(path);
}
