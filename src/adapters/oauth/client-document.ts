import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { Logger } from 'pino';
import { BoundedMap } from '../../model/bounded-map.ts';
import type { Failure } from '../../model/failure.ts';
import { blockOf } from '../../model/network-block.ts';
import { toRateLimited } from '../../model/quota.ts';
import { toClientMetadata } from './client-metadata.ts';

export interface Network {
  /** Returns all addresses of a name; rejects soon after the signal aborts. */
  resolve(hostname: string, signal: AbortSignal): Promise<readonly string[]>;
  readonly agent?: https.Agent;
}

/** Resolves names by DNS; `dns.lookup` would hold one of libuv's four threads. `servers` replaces this machine's. */
export const resolverOf =
  (servers?: readonly string[]): Network['resolve'] =>
  async (hostname, signal) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    signal.removeEventListener('abort', cancel);
    // Many names have addresses of one kind.
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };

export const internet: Network = { resolve: resolverOf() };

const limitBytes = 32 * 1024;

/** Whether a status says nothing about the document: the host refuses, or fails, for now. */
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
 * Fetches a client's document from its id (draft-ietf-oauth-client-id-metadata-document). Anybody can choose the URL: only
 * public hosts, no redirects. Rejects with the document's fault, or with `UnreachableHost`.
 */
export async function fetchClientDocument(id: string, signal: AbortSignal, network: Network): Promise<Response> {
  const url = new URL(id);
  if (url.protocol !== 'https:' || url.port !== '') throw new Error('is not an https address with the usual port');
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const toUnreachable = (cause: unknown) => Promise.reject(new UnreachableHost(url.host, signal, cause));
  const addresses = isIP(name) === 0 ? await network.resolve(name, signal).catch(toUnreachable) : [name];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw new Error('is not a public address');
  const { response, body } = await get(url, addresses, signal, network).catch(toUnreachable);
  const { statusCode: status = 0, headers } = response;
  if (isPassing(status)) return toUnreachable(new Error(`answered with the status ${status}`));
  if (body === null) throw new Error('is too large');
  if (status !== 200) throw new Error(`is answered with the status ${status}`);
  // A site may let anybody store texts or pictures; what it serves as JSON is its own.
  if (!/^application\/(?:[\w.-]+\+)?json(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new Error('is not of the type application/json');
  const metadata = toClientMetadata(JSON.parse(body.toString()));
  if (metadata.client_id !== id) throw new Error('is not the document of this client');
  const caching = headers['cache-control'];
  return Response.json(metadata, { headers: caching === undefined ? {} : { 'cache-control': caching } });
}

/** One address after the other; not Node's default of 250 ms, which a distant address exceeds. */
const attempts = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 };

/** Sends a request to the first of the addresses that accepts it; the body is null if it is too large. */
async function get(url: URL, addresses: readonly string[], signal: AbortSignal, { agent }: Network) {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const request = https.get(url, {
    signal,
    agent: agent ?? false,
    // The name is not looked up anywhere else.
    lookup: (_name, _options, done) => done(null, found),
    ...attempts,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'candidate-profile' },
  });
  // Also after the response has begun, when nobody waits for the event.
  request.on('error', () => {});
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.byteLength;
    if (length > limitBytes) return { response, body: null };
    chunks.push(chunk);
  }
  return { response, body: Buffer.concat(chunks) };
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
  /** Charges a fetch to a network address, null if unknown. Returns `RATE_LIMITED` or null. */
  limitFetch(from: string | null): Failure | null;
}

/** Fetches a document for a network address; repeats a failure for half a minute. Logs once an hour that a host fails. */
export function clientDocumentsOf({ network, now, log, limitFetch }: Fetching) {
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
    const refusal = count < mostAtOnce ? limitFetch(from) : toRateLimited(fetchMilliseconds / 1_000);
    if (refusal !== null) throw refusal;
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

const networksOf = (...networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const [address, bits] of networks.map((network) => network.split('/') as [string, string]))
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return list;
};

// IANA's registries of special-purpose addresses: not hosts of the public internet, or translated to other addresses.
const special = networksOf(
  ...'0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24'.split(' '),
  ...'192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15'.split(' '),
  ...'198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48'.split(' '),
  '3fff::/20',
);

/** Global unicast; all other IPv6 addresses are special. */
const unicast = networksOf('2000::/3');

/** Whether a text is an IP address on the public internet: not of this machine, its network or its hosting provider. */
function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4');
  return isIP(address) === 6 && unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
