import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Connection, requestIdHeader } from './connection.ts';

/** A response without a stream. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The target of a GET request without a body, and the headers that its response depends on; null if absent. */
interface RequestHead {
  readonly host: string;
  readonly target: string;
  readonly authorization: string | null;
  readonly ifNoneMatch: string | null;
  readonly userAgent: string | null;
}

/** Replies to a request whose response can be known from its head; returns null for all others. */
export type ReplyAtOnce = (head: RequestHead, connection: Connection) => Reply | null;

/** Returns a function that sends the reply, with the `standard` headers, and returns true; or returns false if there is no reply at once. */
export function immediateReplies(standard: Record<string, string>, replyAtOnce: ReplyAtOnce) {
  const standardFields = Object.entries(standard).flat();
  // Most replies are sent again and again, each to another request.
  const encoded = new WeakMap<Reply, { readonly fields: readonly string[]; readonly body: string }>();

  function encode(reply: Reply) {
    const fields = [...standardFields, ...Object.entries(reply.headers).flat()];
    // A character for each byte: Node sends such a text in one write with the head, and without encoding it again.
    const bytes = { fields, body: Buffer.from(reply.body ?? '').toString('latin1') };
    encoded.set(reply, bytes);
    return bytes;
  }

  return function sendAtOnce(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    connection: Connection,
    isLast: boolean,
  ): boolean {
    const { method, url: target = '', headers } = incoming;
    if (method !== 'GET' || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
      return false;
    const {
      host = '',
      authorization = null,
      'if-none-match': ifNoneMatch = null,
      'user-agent': userAgent = null,
    } = headers;
    const reply = replyAtOnce({ host, target, authorization, ifNoneMatch, userAgent }, connection);
    if (reply === null) return false;
    const { fields, body } = encoded.get(reply) ?? encode(reply);
    const ownFields = [requestIdHeader, connection.requestId, ...(isLast ? ['Connection', 'close'] : [])];
    outgoing.writeHead(reply.status, [...fields, ...ownFields]).end(body, 'latin1');
    return true;
  };
}
