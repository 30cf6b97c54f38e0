import {
  type AuthInfo,
  type JSONRPCRequest,
  type JSONRPCResponse,
  PerRequestHTTPServerTransport,
  type RequestId,
  type Server,
} from '@modelcontextprotocol/server';

/** The latest revision of MCP, the only one of the modern era. */
export const modernRevision = '2026-07-28';

/** One server for the requests of all clients, on one connection; `authInfo` is handed to the handlers. */
export interface SharedServer {
  /** Resolves with the server's response, and never rejects. The request must be valid JSON-RPC. */
  ask(request: JSONRPCRequest, authInfo: AuthInfo): Promise<JSONRPCResponse>;
}

/**
 * Connects a server that must keep nothing of a client. Each request gets an id of its own on the connection, because those
 * that clients choose are the same; notifications must not be sent to it, because one could cancel the request of another.
 */
export function openSharedServer(server: Server, era: 'modern' | 'legacy'): SharedServer {
  const isModern = era === 'modern';
  const classification = { era, ...(isModern && { revision: modernRevision }) };
  const pending = new Map<RequestId, (response: JSONRPCResponse) => void>();
  let latestId = 0;
  // The one transport of the SDK that binds a server to a revision of the modern era.
  const transport = new PerRequestHTTPServerTransport({ classification });
  transport.send = async (message) => {
    if (!('id' in message) || 'method' in message) return;
    pending.get(message.id!)?.(message);
    pending.delete(message.id!);
  };
  const connected = server.connect(transport);
  return {
    async ask(request, authInfo) {
      await connected;
      latestId += 1;
      const { promise, resolve } = Promise.withResolvers<JSONRPCResponse>();
      pending.set(latestId, resolve);
      // The SDK classifies requests of the modern era alone.
      transport.onmessage?.({ ...request, id: latestId }, { authInfo, ...(isModern && { classification }) });
      return { ...(await promise), id: request.id };
    },
  };
}
