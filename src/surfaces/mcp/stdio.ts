import type { Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { owner } from '../../operations/call.ts';
import { type McpService, mcpFactory } from './server.ts';
import { stdioTransport } from './stdio-transport.ts';

/** MCP over standard input and output, for one client. */
export interface McpStdio {
  /** Settles when the client has gone. */
  readonly closed: Promise<void>;
  /** Notifies the client, if it listens, that these resources have changed. */
  notifyUpdated(uris: readonly string[]): void;
  close(): Promise<void>;
}

/** Serves the owner's own machine, without a token; nothing else may write to standard output meanwhile. */
export function serveMcpStdio(service: McpService, transport: Transport = stdioTransport()): McpStdio {
  const factory = mcpFactory(service, 'mcp-stdio', () => ({ caller: owner }));
  let listening: Server | undefined;
  const served = serveStdio(
    async (context) => {
      const server = (await factory(context)) as Server;
      listening = context.era === 'modern' ? server : undefined;
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
      for (const uri of uris) listening?.sendResourceUpdated({ uri }).catch(() => {});
    },
    close: served.close,
  };
}
