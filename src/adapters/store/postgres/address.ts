import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type LookupFunction, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates } from 'node:tls';
import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';

/** Where a database is, and how it is connected to. */
export interface PostgresAddress {
  /** The address for messages, without password and query. */
  readonly name: string;
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly config: ClientConfig;
  /** Whether a server without TLS is connected to, too: `sslmode=prefer`, as libpq does by default. */
  readonly isTlsOptional: boolean;
}

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

const parameters = new Set([
  ...['user', 'password', 'host', 'port', 'application_name', 'options'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'channel_binding'],
]);

/**
 * Reads the address of a PostgreSQL database, with the parameters of libpq that are known; what it leaves out comes
 * from PGHOST and the like. Throws one line, without password and query, if it is wrong.
 */
export function readAddress(url: string): PostgresAddress {
  const [base = '', ...queries] = url.split('?');
  const params = new URLSearchParams(queries.join('?'));
  for (const name of params.keys())
    if (!parameters.has(name)) throw new Error(`the parameter ${name} is not supported`);
  const mode = takeMode(params);
  const isVerifiedBySystem = params.get('sslrootcert') === 'system';
  if (isVerifiedBySystem) params.delete('sslrootcert');
  const bindsChannel = takeChannelBinding(params, mode);

  const config = parseAddress(`${base}?${params}`);
  const host = config.host || process.env.PGHOST || 'localhost';
  if (host.includes(',')) throw new Error('several hosts are not supported: name one');
  if (isVerifiedBySystem) config.ssl = { ca: [...getCACertificates('default'), ...getCACertificates('system')] };
  const isSocket = host.startsWith('/');
  if (isSocket) config.ssl = false; // as libpq does: such a connection stays on this machine
  return {
    name: nameOf(host, config),
    host,
    config: {
      ...config,
      application_name: config.application_name ?? (process.env.PGAPPNAME || 'candidate-profile'),
      // Otherwise `pg` would read a password file, and print that it will not do so in its next version.
      password: config.password || process.env.PGPASSWORD || '',
      ...(bindsChannel && { enableChannelBinding: true }),
      stream: socketsOfHost(),
    },
    isTlsOptional: !isSocket && mode === 'prefer',
  };
}

/** Replaces the other spellings of `sslmode` in the parameters, and returns the mode. */
function takeMode(params: URLSearchParams): string {
  const isRequired = params.get('ssl') === 'true'; // as libpq reads it in addresses that were written for JDBC
  if (params.has('ssl') && !isRequired) throw new Error('the parameter ssl can only be true: use sslmode');
  params.delete('ssl');
  const isSystem = params.get('sslrootcert') === 'system';
  const byDefault = isSystem ? 'verify-full' : isRequired ? 'require' : process.env.PGSSLMODE || 'prefer';
  const given = params.get('sslmode') ?? byDefault;
  if (!modes.includes(given)) throw new Error(`sslmode must be one of ${modes.join(', ')}`);
  if (isSystem && given !== 'verify-full') throw new Error('sslrootcert=system needs sslmode=verify-full');
  if (given === 'verify-ca' && !params.has('sslrootcert'))
    throw new Error('sslmode=verify-ca needs sslrootcert, the file of the authority, or use sslmode=verify-full');
  const mode = given === 'allow' ? 'prefer' : given; // stricter: `allow` tries without TLS first
  params.set('sslmode', mode);
  return mode;
}

/** Removes `channel_binding` from the parameters; returns whether the password is bound to the server's certificate. */
function takeChannelBinding(params: URLSearchParams, mode: string): boolean {
  const given = params.get('channel_binding') ?? 'prefer';
  params.delete('channel_binding');
  // `pg` binds it only if the server offers that; an attacker in between would not offer it.
  if (given === 'require' && mode !== 'verify-full')
    throw new Error('channel_binding=require needs sslmode=verify-full, which also detects an attacker in between');
  return given !== 'disable';
}

function parseAddress(url: string): ClientConfig {
  try {
    return toClientConfig(parse(url, { useLibpqCompat: true }));
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (path !== undefined) throw new Error(`${path} cannot be read (${code})`);
    // The parser's own message may quote a part of the password.
    throw new Error('it cannot be read; in a password, write @ / ? # % as %40 %2F %3F %23 %25');
  }
}

function nameOf(host: string, { port, database }: ClientConfig): string {
  if (host.startsWith('/')) return `postgres:///${database ?? ''}?host=${host}`;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return `postgres://${shownHost}${port === undefined ? '' : `:${port}`}/${database ?? ''}`;
}

type AddressesOf = (hostname: string) => Promise<readonly LookupAddress[]>;

/** How long a connection waits for a name server if the host had addresses before. */
const patienceMilliseconds = 200;

/**
 * Returns a function that resolves one host by `resolve`, which it asks for each connection unless an answer is
 * pending. If the answer is an error or takes longer than 200 ms, it returns the latest known addresses, if any: a
 * database is reached while a name server is silent.
 */
export function remembering(resolve: AddressesOf): AddressesOf {
  let known: readonly LookupAddress[] | undefined;
  let asked: { readonly answer: Promise<readonly LookupAddress[]>; readonly patience: Promise<void> } | undefined;

  async function ask(hostname: string): Promise<readonly LookupAddress[]> {
    try {
      known = await resolve(hostname);
      return known;
    } finally {
      asked = undefined;
    }
  }

  return async (hostname) => {
    asked ??= { answer: ask(hostname), patience: pause(patienceMilliseconds, undefined, { ref: false }) };
    const { answer, patience } = asked;
    const latest = known;
    if (latest === undefined) return answer;
    return Promise.race([answer.catch(() => latest), patience.then(() => latest)]);
  };
}

/** Returns a function that makes a socket for `pg`, which connects it to a host's port or to a Unix socket. */
function socketsOfHost(addressesOf: AddressesOf = remembering((hostname) => lookup(hostname, { all: true }))) {
  const lookUp: LookupFunction = (hostname, _options, callback) =>
    void addressesOf(hostname).then(
      (addresses) => callback(null, [...addresses]),
      (error) => callback(error, []),
    );
  return (): Socket => {
    const socket = new Socket();
    const connect = socket.connect.bind(socket);
    const connectTo = (port: number | string, host?: string) =>
      // Of several addresses each is tried. The name itself goes to TLS, which verifies the certificate by it.
      host === undefined
        ? connect(String(port))
        : connect({ port: Number(port), host, lookup: lookUp, autoSelectFamily: true });
    return Object.assign(socket, { connect: connectTo });
  };
}
