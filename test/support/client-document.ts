import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import type { Network } from '../../src/adapters/oauth/client-document.ts';
import { type Cleanup, fixture } from './files.ts';
import { redirectUri } from './oauth.ts';

const cert = readFileSync(fixture('tls-cert.pem'));
const key = readFileSync(fixture('tls-key.pem'));

/** The answer of a server of documents; null if it never answers. */
export type Answer = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
} | null;

/**
 * A network in which a name has the given addresses, and each public address leads to a TLS server of this process: names and
 * addresses are checked as on the internet, and only the last connection leads here.
 */
export async function openNetwork(
  t: Cleanup,
  addresses: readonly string[],
  answer: (path: string, host: string | undefined) => Answer,
) {
  const server = https.createServer({ cert, key }, ({ url = '', headers: { host } }, response) => {
    const answered = answer(url, host);
    if (answered === null) return;
    const { status = 200, headers = {}, body = '' } = answered;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  t.after(stop);
  const address = server.address() as AddressInfo;
  const connections: string[] = [];
  const agentOf = (ca?: Buffer) => {
    const agent = new https.Agent({ ...(ca && { ca }) });
    const createConnection = agent.createConnection.bind(agent);
    agent.createConnection = (options, done) => {
      const { lookup, port } = options as { lookup: LookupFunction; port: number };
      const instead: LookupFunction = (name, options, found) =>
        lookup(name, options, (error, addresses) => {
          const all = [addresses].flat().map((one) => (typeof one === 'string' ? one : one.address));
          connections.push(`${all.join()}:${port}`);
          found(error, [{ address: '127.0.0.1', family: 4 }]);
        });
      return createConnection({ ...options, port: address.port, lookup: instead } as typeof options, done);
    };
    return agent;
  };
  const network: Network = { resolve: async () => addresses, agent: agentOf(cert) };
  return { network, untrusted: { ...network, agent: agentOf() }, connections, stop };
}

/** The id of a client, at which its document is. */
export const clientId = 'https://localhost/client.json';

/** Returns the document of that client, or of another by the changes. */
export const documentOf = (changes: object = {}) =>
  JSON.stringify({ client_id: clientId, client_name: 'Reader', redirect_uris: [redirectUri], ...changes });
