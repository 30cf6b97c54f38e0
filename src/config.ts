import { existsSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Settings } from './settings.ts';

/** The profile served where the owner has none yet. */
export const samplePath = fileURLToPath(new URL('../examples/profile.yaml', import.meta.url));

/** Something the owner must mend before the service can start; `message` has one line a fault. */
export class StartFault extends Error {}

export type Config = ReturnType<typeof readConfig>;

/** The settings of an environment, validated together, paths resolved against `directory`. Throws `StartFault` with a line a fault. */
export function readConfig(env: Record<string, string | undefined>, directory: string) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = Settings.safeParse(given);
  if (!result.success)
    throw new StartFault(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
  const settings = result.data;

  const dataDir = resolve(directory, settings.DATA_DIR);
  const profilePath = settings.PROFILE ?? (existsSync(join(directory, 'profile.yaml')) ? 'profile.yaml' : samplePath);
  const config = {
    host: settings.HOST,
    port: settings.PORT,
    /** Undefined until the port is known where none is set: see `baseUrlOf`. */
    baseUrl: settings.BASE_URL?.href.replace(/\/+$/, ''),
    tls:
      settings.TLS_CERT !== undefined && settings.TLS_KEY !== undefined
        ? { cert: settings.TLS_CERT, key: settings.TLS_KEY }
        : undefined,
    profilePath: resolve(directory, profilePath),
    dataDir,
    databasePath:
      settings.DATABASE_URL === undefined
        ? join(dataDir, 'candidate-profile.db')
        : resolve(directory, settings.DATABASE_URL),
    ownerEmail: settings.OWNER_EMAIL,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    tokenTtlSeconds: settings.TOKEN_TTL,
    pdfLinkTtlSeconds: settings.PDF_LINK_TTL,
    signingKey: settings.SIGNING_KEY,
    mcpMutations: settings.MCP_MUTATIONS,
    allowedHosts: settings.ALLOWED_HOSTS,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    logLevel: settings.LOG_LEVEL,
    /** Settings that are given though this version does nothing with them. */
    withoutEffect: ['LIMITS', 'METRICS_PORT', 'KEEP_CONTACTS'].filter((name) => name in given),
  };
  const faults = faultsBetween(config, settings.ALLOW_INSECURE_HTTP, 'TLS_CERT' in given !== 'TLS_KEY' in given);
  if (faults.length > 0) throw new StartFault(faults.join('\n'));
  return config;
}

/** The public address: BASE_URL, or that of the port listened on. */
export const baseUrlOf = ({ baseUrl, tls }: Config, port: number): string =>
  baseUrl ?? `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether a host name or address can only be this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return name === 'localhost' || loopback.check(name) || loopback.check(name, 'ipv6');
}

function faultsBetween(config: Omit<Config, never>, isInsecureAllowed: boolean, isHalfTls: boolean): string[] {
  const faults: string[] = [];
  const url = config.baseUrl === undefined ? undefined : new URL(config.baseUrl);
  const isPublic = !isLoopback(config.host) || (url !== undefined && !isLoopback(url.hostname));
  if (isHalfTls) faults.push('TLS_CERT, TLS_KEY: set both or neither');
  if (url?.protocol === 'http:' && !isLoopback(url.hostname) && !isInsecureAllowed)
    faults.push('BASE_URL: must be https unless it is loopback (ALLOW_INSECURE_HTTP=true overrides)');
  if (isPublic && config.profilePath === samplePath)
    faults.push('PROFILE: the sample profile is served on loopback only; write profile.yaml or set PROFILE first');
  return faults;
}
