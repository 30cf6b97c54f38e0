import {
  isJSONRPCRequest,
  isJsonContentType,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { modernRevision } from './shared-server.ts';

/** A request that the SDK's handler would hand to a server of this era. */
interface PlainRequest {
  readonly era: 'modern' | 'legacy';
  readonly message: JSONRPCRequest;
}

/**
 * Returns the request of a message if its headers are what the revision that it names requires, otherwise null. Also null for
 * what is not a request, and for `initialize`, which begins a connection.
 */
export function toPlainRequest(headers: Headers, json: unknown): PlainRequest | null {
  if (!isJsonContentType(headers.get('content-type')) || !isJSONRPCRequest(json)) return null;
  const revision = headers.get('mcp-protocol-version');
  const claimed = json.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (claimed === modernRevision && revision === modernRevision && repeats(headers, json))
    return { era: 'modern', message: json };
  if (claimed === undefined && isLegacy(revision) && acceptsBoth(headers) && json.method !== 'initialize')
    return { era: 'legacy', message: json };
  return null;
}

/** Whether the headers repeat the method and the name, in plain text (2026-07-28, Standard Request Headers). */
function repeats(headers: Headers, { method, params }: JSONRPCRequest): boolean {
  const name = headers.get('mcp-name');
  const isPlainText = !name?.startsWith('=?');
  const named = method === 'resources/read' ? params?.uri : params?.name;
  return headers.get('mcp-method') === method && name === (named ?? null) && isPlainText;
}

const isLegacy = (revision: string | null): boolean =>
  revision === null || SUPPORTED_PROTOCOL_VERSIONS.includes(revision);

/** Clients of the legacy era must accept both types of a response (2025-11-25, Sending Messages to the Server). */
function acceptsBoth(headers: Headers): boolean {
  const accept = headers.get('accept') ?? '';
  return accept.includes('application/json') && accept.includes('text/event-stream');
}
