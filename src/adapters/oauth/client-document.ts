import { lookup } from 'node:dns/promises';
import https from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { toClientMetadata } from './client-metadata.ts';
import { isPublicAddress } from './public-address.ts';

/** How names are resolved and hosts are connected to. */
export interface Network {
  resolve(hostname: string): Promise<readonly string[]>;
  connect(address: string, port: number): Socket;
  /** Certificate authorities to trust instead of the usual ones. */
  readonly ca?: string | Buffer;
}

/** Resolves names by the operating system, and connects to any host. */
export const internet: Network = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  connect: (address, port) => connect({ host: address, port }),
};

const limitBytes = 32 * 1024;

/**
 * Fetches the metadata document of a client from its id, an https URL (draft-ietf-oauth-client-id-metadata-document). Anybody can
 * choose the URL, so its host must have public addresses alone, a checked one is connected to, and redirects are not followed. Rejects
 * with what is wrong.
 */
export async function fetchClientDocument(id: string, signal: AbortSignal, network: Network): Promise<Response> {
  const url = new URL(id);
  if (url.protocol !== 'https:' || url.port !== '') throw new Error('is not an https address with the usual port');
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(name) === 0 ? await abortable(network.resolve(name), signal) : [name];
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw new Error('is not a public address');
  const { status, type, headers, body } = await get(url, addresses[0]!, signal, network);
  if (status !== 200) return new Response(null, { status: status < 200 || status > 599 ? 502 : status });
  // A site may let anybody store texts or pictures; what it serves as JSON is its own.
  if (!/^application\/(?:[\w.-]+\+)?json(?:;|$)/i.test(type)) throw new Error('is not of the type application/json');
  const metadata = toClientMetadata(JSON.parse(body.toString()));
  if (metadata === null) throw new Error('is not a document of a client');
  return Response.json(metadata, { headers });
}

async function get(url: URL, address: string, signal: AbortSignal, { connect, ca }: Network) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    type: string;
    headers: Record<string, string>;
    body: Buffer;
  }>();
  const request = https.get(url, {
    signal,
    // Without an agent, because with one Node would resolve the name once more; the agent has the default port.
    defaultPort: 443,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'candidate-profile' },
    createConnection: () =>
      connectTls({
        socket: connect(address, 443),
        ...(isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 && { servername: url.hostname }),
        ...(ca && { ca }),
      }),
  });
  request.on('error', reject);
  request.on('response', (response) => {
    const { 'cache-control': caching, 'content-type': type = '' } = response.headers;
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length > limitBytes) request.destroy(new Error('is too large'));
    });
    buffer(response).then(
      (body) =>
        resolve({ status: response.statusCode ?? 0, type, headers: caching ? { 'cache-control': caching } : {}, body }),
      reject,
    );
  });
  return promise;
}

/** Rejects when the signal aborts, because a resolver can't be stopped. */
function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}
