import {
  Client,
  INTERNAL_ERROR,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type RequestId,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { stdioTransport } from './stdio-transport.ts';

/**
 * Forwards messages unchanged, in either era, until `closed` resolves. Throws an error of one line if the service does not
 * answer or refuses the token; later errors are JSON-RPC responses.
 */
export async function openMcpBridge(
  { baseUrl, token, version }: Readonly<Record<'baseUrl' | 'token' | 'version', string>>,
  downstream: Transport = stdioTransport(),
) {
  const address = new URL(`${baseUrl}/mcp`);
  const newTransport = () =>
    new StreamableHTTPClientTransport(address, { requestInit: { headers: { authorization: `Bearer ${token}` } } });
  await probe(address, newTransport(), version);

  const upstream = newTransport();
  const pending = new Map<RequestId, AbortController>();
  const closed = new Promise<void>((resolve) => {
    downstream.onclose = () => {
      upstream.close().then(resolve, resolve);
    };
  });

  upstream.onmessage = (message) => {
    if (isJSONRPCResponse(message) && message.id !== undefined) pending.delete(message.id);
    // The result of `initialize`: in the legacy era every later request has the revision in a header.
    const revision = isJSONRPCResultResponse(message) ? message.result.protocolVersion : undefined;
    if (typeof revision === 'string') upstream.setProtocolVersion(revision);
    deliver(message);
  };
  downstream.onmessage = (message) => {
    if (isJSONRPCRequest(message)) {
      const abort = new AbortController();
      pending.set(message.id, abort);
      const fail = (error: unknown) => {
        if (pending.delete(message.id)) deliver({ jsonrpc: '2.0', id: message.id, error: toJsonRpcError(error) });
      };
      upstream.send(message, { requestSignal: abort.signal, onRequestStreamEnd: () => fail(null) }).catch(fail);
    } else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      // Over HTTP a request is cancelled by disconnecting.
      const id = message.params?.requestId as RequestId;
      pending.get(id)?.abort();
      pending.delete(id);
    } else upstream.send(message).catch(() => {});
  };
  const deliver = (message: JSONRPCMessage) => void downstream.send(message).catch(() => {});
  await upstream.start();
  await downstream.start();
  return { closed, close: () => downstream.close() };
}

/** Connects once and disconnects. Throws if nothing answers or the token is refused. */
async function probe(address: URL, transport: Transport, version: string): Promise<void> {
  const client = new Client({ name: 'candidate-profile', version }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transport);
  } catch (error) {
    const status = error instanceof SdkHttpError ? error.status : null;
    if (status === 503) throw new Error(`${address} is unavailable at the moment; try again in a minute`);
    throw new Error(status === 401 ? `${address} refuses the token` : `no MCP service answers at ${address}`);
  } finally {
    await client.close();
  }
}

type JsonRpcError = JSONRPCErrorResponse['error'];

/** Returns the service's error, or says that it did not respond. */
function toJsonRpcError(error: unknown): JsonRpcError {
  if (!(error instanceof SdkHttpError)) return { code: INTERNAL_ERROR, message: 'No answer came from the service.' };
  const responded = readError(String(error.data.text));
  if (responded === null) return { code: INTERNAL_ERROR, message: `The service answered with status ${error.status}.` };
  // A response of the guard, such as 401, has the error body of REST, whose code is a string.
  return typeof responded.code === 'number' ? responded : { code: INTERNAL_ERROR, message: responded.message };
}

function readError(body: string): JsonRpcError | null {
  try {
    const { error } = JSON.parse(body) as { error?: JsonRpcError };
    return error ?? null;
  } catch {
    return null;
  }
}
