import { Resolver } from 'node:dns/promises';
import https from 'node:https';
import { BlockList, connect, isIP, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import type { Logger } from 'pino';
import { BoundedMap } from '../../model/bounded-map.ts';
import { blockOf } from '../../model/network-block.ts';
import { toRateLimited } from '../../model/quota.ts';
import { toClientMetadata } from './client-metadata.ts';

/** How names are resolved and hosts are connected to. */
export interface Network {
  /** Returns all addresses of a name; rejects soon after the signal aborts. */
  resolve(hostname: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Connects to the first of the addresses that accepts it. */
  connect(addresses: readonly string[], port: number): Socket;
  /** Certificate authorities to trust instead of the usual ones. */
  readonly ca?: string | Buffer;
}

/**
 * Returns a function that asks DNS servers, by default those of this machine, for the IPv4 and IPv6 addresses of a
 * name. `dns.lookup` would hold one of libuv's four threads while a server does not answer; c-ares needs none.
 */
export const resolverOf =
  (servers?: readonly string[]): Network['resolve'] =>
  async (hostname, signal) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    signal.removeEventListener('abort', cancel);
    // Many names have addresses of one kind alone.
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };

/** Resolves names by the DNS servers of this machine, and connects to any host. */
export const internet: Network = {
  resolve: resolverOf(),
  connect: (addresses, port) =>
    connect({
      // The name is not looked up anywhere else.
      host: 'host.invalid',
      port,
      lookup: (_name, _options, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1_000,
    }),
};

const limitBytes = 32 * 1024;

/** Whether a status says nothing of the document: the host refuses, or fails, for now. */
const isPassing = (status: number): boolean => status >= 500 || [403, 408, 429].includes(status);

/** The host of a document was not resolved, not connected to, not in time, or refuses for now. */
export class UnreachableHost extends Error {
  readonly host: string;
  /** A code such as `ENOTFOUND`, otherwise a message. */
  readonly reason: string;

  constructor(host: string, signal: AbortSignal, cause: unknown) {
    super('cannot be reached', { cause });
    this.host = host;
    const { code, message } = cause as NodeJS.ErrnoException;
    this.reason = signal.aborted ? 'no answer in time' : (code ?? message);
  }
}

/**
 * Fetches the metadata document of a client from its id, an https URL (draft-ietf-oauth-client-id-metadata-document).
 * Anybody can choose the URL, so its host must have public addresses alone, only those are connected to, and redirects
 * are not followed. Rejects with the fault of the document, or with `UnreachableHost` if it is not known.
 */
export async function fetchClientDocument(id: string, signal: AbortSignal, network: Network): Promise<Response> {
  const url = new URL(id);
  if (url.protocol !== 'https:' || url.port !== '') throw new Error('is not an https address with the usual port');
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const toUnreachable = (cause: unknown) => Promise.reject(new UnreachableHost(url.host, signal, cause));
  const addresses = isIP(name) === 0 ? await network.resolve(name, signal).catch(toUnreachable) : [name];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw new Error('is not a public address');
  const { status, type, headers, body } = await get(url, addresses, signal, network).catch(toUnreachable);
  if (isPassing(status)) return toUnreachable(new Error(`answered with the status ${status}`));
  if (body === null) throw new Error('is too large');
  if (status !== 200) throw new Error(`is answered with the status ${status}`);
  // A site may let anybody store texts or pictures; what it serves as JSON is its own.
  if (!/^application\/(?:[\w.-]+\+)?json(?:;|$)/i.test(type)) throw new Error('is not of the type application/json');
  const metadata = toClientMetadata(JSON.parse(body.toString()));
  if (metadata.client_id !== id) throw new Error('is not the document of this client');
  return Response.json(metadata, { headers });
}

async function get(url: URL, addresses: readonly string[], signal: AbortSignal, { connect, ca }: Network) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    type: string;
    headers: Record<string, string>;
    /** Null if it is too large. */
    body: Buffer | null;
  }>();
  const request = https.get(url, {
    signal,
    // Without an agent, because with one Node would resolve the name once more; the agent has the default port.
    defaultPort: 443,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'candidate-profile' },
    createConnection: () =>
      connectTls({
        socket: connect(addresses, 443),
        ...(isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 && { servername: url.hostname }),
        ...(ca && { ca }),
      }),
  });
  request.on('error', reject);
  request.on('response', (response) => {
    const { 'cache-control': caching, 'content-type': type = '' } = response.headers;
    const answer = { status: response.statusCode ?? 0, type, headers: caching ? { 'cache-control': caching } : {} };
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length <= limitBytes) return;
      resolve({ ...answer, body: null });
      request.destroy();
    });
    buffer(response).then((body) => resolve({ ...answer, body }), reject);
  });
  return promise;
}

/** How often it is logged that documents cannot be fetched: anybody can name a host that does not answer. */
const reportMilliseconds = 60 * 60 * 1_000;
const fetchMilliseconds = 5_000;

/** How many documents are fetched at once for a network, so that hosts which do not answer hold up no other network. */
const mostAtOnce = 4;

/** How long a document that could not be fetched is not asked for again, and how many are remembered. */
const failureMilliseconds = 30_000;
const maxFailures = 1_000;

interface Fetching {
  readonly network: Network;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn'>;
  /** Charges a fetch to a network address, null if unknown. Returns the seconds to wait, 0 if it may begin. */
  chargeFetch(from: string | null): number;
}

/**
 * Returns the function that fetches a document by its id for a network address, null if unknown, as
 * `fetchClientDocument` does. Rejects with `RATE_LIMITED` if the network has used up its quota or waits for many, and
 * for half a minute after a failure with that failure. Logs once an hour that a host cannot be reached.
 */
export function clientDocumentsOf({ network, now, log, chargeFetch }: Fetching) {
  const failures = new BoundedMap<string, { readonly error: unknown; readonly at: number }>(maxFailures);
  const underWay = new Map<string, number>();
  let reportedAt = Number.NEGATIVE_INFINITY;

  function report({ host, reason }: UnreachableHost): void {
    const at = now().getTime();
    if (at - reportedAt < reportMilliseconds) return;
    reportedAt = at;
    log.warn(
      { host, reason },
      'the document of a client could not be fetched: clients that have one cannot connect while this lasts; run doctor, or set OAUTH_CLIENT_DOCUMENTS=off so that they register instead',
    );
  }

  return async (id: string, from: string | null): Promise<Response> => {
    const failure = failures.get(id);
    if (failure !== undefined && now().getTime() - failure.at < failureMilliseconds) throw failure.error;
    const block = from === null ? '' : blockOf(from);
    const count = underWay.get(block) ?? 0;
    const waitSeconds = count < mostAtOnce ? chargeFetch(from) : fetchMilliseconds / 1_000;
    if (waitSeconds > 0) throw toRateLimited(waitSeconds);
    underWay.set(block, count + 1);
    try {
      return await fetchClientDocument(id, AbortSignal.timeout(fetchMilliseconds), network);
    } catch (error) {
      failures.set(id, { error, at: now().getTime() });
      if (error instanceof UnreachableHost) report(error);
      throw error;
    } finally {
      const left = underWay.get(block)! - 1;
      if (left === 0) underWay.delete(block);
      else underWay.set(block, left);
    }
  };
}

// IANA's registries of special-purpose addresses: not hosts of the public internet, or translated to other addresses.
const special = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, bits, 'ipv4');

// Global unicast; all other addresses are special.
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, bits, 'ipv6');

/** Whether a text is an IP address on the public internet: not of this machine, its network or its hosting provider. */
function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4');
  return isIP(address) === 6 && unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
