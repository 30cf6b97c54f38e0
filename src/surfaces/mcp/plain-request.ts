import {
  classifyInboundRequest,
  isJsonContentType,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { modernRevision } from './shared-server.ts';

/** A request that the SDK's handler would hand to a server of this era. */
export interface PlainRequest {
  readonly era: 'modern' | 'legacy';
  readonly message: JSONRPCRequest;
}

/**
 * Returns the request of a message if nothing in the headers keeps the SDK from serving it, otherwise null: the SDK's handler
 * then responds, with its own errors. Also null for what starts a connection or belongs to none: initialize, notifications.
 */
export function toPlainRequest(headers: Headers, json: unknown): PlainRequest | null {
  if (!isJsonContentType(headers.get('content-type'))) return null;
  const revision = headers.get('mcp-protocol-version') ?? undefined;
  const mcpMethodHeader = headers.get('mcp-method') ?? undefined;
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    ...(revision !== undefined && { protocolVersionHeader: revision }),
    ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
    body: json,
  });
  if (outcome.kind === 'legacy') {
    const isServed = outcome.reason === 'no-claim' && acceptsBoth(headers.get('accept') ?? '') && isLegacy(revision);
    return isServed ? { era: 'legacy', message: json as JSONRPCRequest } : null;
  }
  if (outcome.kind === 'reject' || outcome.messageKind !== 'request') return null;
  const { message } = outcome;
  const isServed =
    revision === modernRevision && mcpMethodHeader !== undefined && isNamed(headers.get('mcp-name'), message);
  return isServed ? { era: 'modern', message } : null;
}

/** Clients of the legacy era must accept both types of a response (2025-11-25, Streamable HTTP). */
const acceptsBoth = (accept: string): boolean =>
  accept.includes('application/json') && accept.includes('text/event-stream');

const isLegacy = (revision: string | undefined): boolean =>
  revision === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(revision);

/** Whether Mcp-Name repeats the name of what is called, in plain text (2026-07-28, Standard Request Headers). */
function isNamed(header: string | null, { params }: JSONRPCRequest): boolean {
  return header === (params?.name ?? params?.uri ?? null) && !header?.startsWith('=?');
}
