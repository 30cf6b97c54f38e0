import { post, type Request } from './request.ts';

export type Revision = '2026-07-28' | '2025-11-25';

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Returns a request of a revision; `name` is the tool's name or the resource's URI, if the method has one. */
export function mcpRequest(revision: Revision, method: string, params: object, name?: string): Request {
  const isModern = revision === '2026-07-28';
  const body = { jsonrpc: '2.0', id: 1, method, params: isModern ? { ...params, _meta } : params };
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(isModern && { 'mcp-method': method }),
    ...(isModern && name !== undefined && { 'mcp-name': name }),
  };
  return post('/mcp', body, { headers });
}

export const callTool = (revision: Revision, name: string): Request =>
  mcpRequest(revision, 'tools/call', { name, arguments: {} }, name);

export const readResource = (revision: Revision, uri: string): Request =>
  mcpRequest(revision, 'resources/read', { uri }, uri);

/** Parses the result in a body, which is JSON or one event. Throws if it is an error, also one of a tool. */
export function resultOf(body: string): Record<string, unknown> {
  const { result } = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body);
  if (result === undefined || result.isError === true) throw new Error(`an MCP server answers with an error: ${body}`);
  return result;
}
