import type { Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { owner } from '../../operations/call.ts';
import { type McpService, mcpServerFactory } from './server.ts';
import { stdioTransport } from './stdio-transport.ts';

/** The stdio transport of MCP, for one client. */
export interface McpStdio {
  /** Resolves when the client has disconnected. */
  readonly closed: Promise<void>;
  /** Notifies the client, if it listens, that these resources have changed. */
  notifyUpdated(uris: readonly string[]): void;
  close(): Promise<void>;
}

/** Serves the owner, without a token; nothing else may write to standard output meanwhile. */
export function openMcpStdio(service: McpService, transport: Transport = stdioTransport()): McpStdio {
  const newServer = mcpServerFactory(service, 'mcp-stdio', () => ({ caller: owner }));
  let modernServer: Server | undefined;
  const served = serveStdio(
    ({ era }) => {
      const server = newServer(era);
      modernServer = era === 'modern' ? server : undefined;
      return server;
    },
    { transport },
  );
  return {
    closed: new Promise((resolve) => {
      const end = transport.onclose;
      transport.onclose = () => {
        end?.();
        resolve();
      };
    }),
    notifyUpdated(uris) {
      // Rejects only if the client has disconnected.
      for (const uri of uris) modernServer?.sendResourceUpdated({ uri }).catch(() => {});
    },
    close: served.close,
  };
}
