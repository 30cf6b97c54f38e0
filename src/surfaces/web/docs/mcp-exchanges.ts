import { exampleVisitor } from '../../examples.ts';
import { openMcpHttp } from '../../mcp/http.ts';
import { modernRevision } from '../../mcp/server.ts';
import type { Reference } from './frame.ts';

/** A message to `/mcp` and its response. */
export interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly request: unknown;
  readonly response: unknown;
}

export type Exchanges = ReturnType<typeof openExchanges>;

const client = { name: 'example-client', version: '1.0.0' };

/** Returns functions that send messages to this service's MCP server, over the sample profile. */
export function openExchanges({ operations, sample, isRecorded, mutations, version, site }: Reference) {
  const mcp = openMcpHttp({
    operations,
    services: { ...sample, reads: { ...sample.reads, isOn: isRecorded } },
    mutations,
    version,
    baseUrl: site.baseUrl,
    subscriptionLimits: { perSubject: 0, perBlock: 0, total: 0 },
    log: { warn() {} },
  });

  async function send(headers: Record<string, string>, message: object): Promise<Exchange> {
    const body = new TextEncoder().encode(JSON.stringify(message));
    const request = new Request(`${site.baseUrl}/mcp`, { method: 'POST', headers });
    const text = await (await mcp.fetch(request, body, exampleVisitor)).text();
    // The legacy era answers with an event.
    const response: unknown = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
    return { headers, request: message, response };
  }

  return {
    /** Sends a request of the modern era. */
    ask(method: string, params: Record<string, unknown> = {}): Promise<Exchange> {
      const name = params.name ?? params.uri;
      return send(
        {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': modernRevision,
          'Mcp-Method': method,
          ...(name !== undefined && { 'Mcp-Name': String(name) }),
        },
        {
          jsonrpc: '2.0',
          id: 1,
          method,
          params: {
            ...params,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': modernRevision,
              'io.modelcontextprotocol/clientInfo': client,
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        },
      );
    },
    /** Sends `initialize`, with which clients of the legacy era begin. */
    initialize: (): Promise<Exchange> =>
      send(
        { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: client },
        },
      ),
  };
}
