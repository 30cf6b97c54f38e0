import { BlockList } from 'node:net';
import type { TestContext } from 'node:test';
import { openHttpServer } from '../../../src/adapters/http/server.ts';
import type { Connection } from '../../../src/model/http.ts';
import { dial, head } from '../../support/dial.ts';

export const proxies = new BlockList();
proxies.addSubnet('127.0.0.0', 8);
proxies.addAddress('2001:db8::1', 'ipv6');

/** A server that responds to each request with its path, unless `answer` is given; `heard` and `refused` list what it was sent. */
export async function open(
  t: TestContext,
  {
    isHttps = false,
    trustProxy = new BlockList(),
    socketsPerAddress = 1_000,
    tls = undefined as { cert: Buffer; key: Buffer } | undefined,
    answer = async (request: Request, _connection: Connection) => new Response(new URL(request.url).pathname),
  } = {},
) {
  const heard: (Connection & { readonly path: string })[] = [];
  const refused: string[] = [];
  const server = await openHttpServer(
    {
      host: '127.0.0.1',
      port: 0,
      tls,
      isHttps,
      trustProxy,
      socketsPerAddress,
      onRefused: (address) => refused.push(`socket of ${address}`),
      onMalformed: (code) => refused.push(code),
    },
    async (request, connection) => {
      heard.push({ path: new URL(request.url).pathname, ...connection });
      return await answer(request, connection);
    },
  );
  // Not awaited: closing takes half a second.
  t.after(() => void server.close(0));
  const url = `http://127.0.0.1:${server.port}`;
  /** Sends text on one connection and returns all responses once the server has closed it. */
  const responsesTo = async (text: string) => {
    const connection = await dial(t, url);
    connection.send(text);
    return connection.responses();
  };
  return { url, port: server.port, close: server.close, heard, refused, responsesTo };
}

/** The head of a GET request. */
export const get = (path: string, ...lines: string[]) =>
  head(`GET ${path} HTTP/1.1`, 'Host: profile.example', ...lines);
/** The head of the last GET request of a connection. */
export const last = (path: string, ...lines: string[]) => get(path, 'Connection: close', ...lines);
export const badRequest = '{"error":{"code":"BAD_REQUEST","message":"The request is not valid."}}';
