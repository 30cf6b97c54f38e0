import { once } from 'node:events';
import { Agent, request as open } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Server } from './server-process.ts';

/** A request that is sent many times, with the status that each answer must have. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Each request of a load has another text instead of `[<id>]`. */
  readonly body?: string;
  readonly status: number;
  /** Whether no token is sent. */
  readonly isAnonymous?: boolean;
}

/** Returns a GET that is answered with 200, unless `changes` say otherwise. */
export const get = (path: string, changes: Partial<Request> = {}): Request => ({
  method: 'GET',
  path,
  headers: {},
  status: 200,
  ...changes,
});

/** Returns a POST of a JSON body that is answered with 200, unless `changes` say otherwise. */
export const post = (path: string, body: unknown, changes: Partial<Request> = {}): Request => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
  status: 200,
  ...changes,
  headers: { 'content-type': 'application/json', ...changes.headers },
});

/** Returns the headers with the server's token. */
export const headersFor = ({ headers, isAnonymous = false }: Request, { token }: Server): Record<string, string> => ({
  ...headers,
  ...(token !== undefined && !isAnonymous && { authorization: `Bearer ${token}` }),
});

export interface Answer {
  readonly status: number;
  /** Without those about the connection, and without the date. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The size of the answer on the wire. */
  readonly bytes: number;
}

/** Sends a request once, on a connection of its own that is kept alive as the load's are. Throws if the status is another one. */
export async function ask(server: Server, request: Request): Promise<Answer> {
  const agent = new Agent({ keepAlive: true });
  const { method, path, body, status } = request;
  const outgoing = open(server.url + path, { method, agent, headers: headersFor(request, server) });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  const { socket } = response; // null once the response has been read
  const received = await text(response);
  const bytes = socket.bytesRead;
  agent.destroy();
  if (response.statusCode !== status)
    throw new Error(`${server.name} answers ${method} ${path} with ${response.statusCode}, not ${status}: ${received}`);
  const headers = { ...response.headers };
  for (const name of ['date', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[name];
  return { status, headers, body: received, bytes };
}
