import type { Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { owner } from '../../operations/call.ts';
import type { Changes } from './catalogue.ts';
import { type McpService, mcpServerFactory } from './server.ts';
import { stdioTransport } from './stdio-transport.ts';

/** Serves one client, the owner's, on stdio without a token; nothing else may write to standard output meanwhile. */
export function openMcpStdio(service: McpService, transport: Transport = stdioTransport()) {
  const newServer = mcpServerFactory(service, 'mcp-stdio', () => ({ caller: owner }));
  let current: { readonly server: Server; readonly era: 'modern' | 'legacy' } | undefined;
  const served = serveStdio(
    ({ era }) => {
      const server = newServer(era);
      current = { server, era };
      return server;
    },
    { transport },
  );
  return {
    /** Resolves when the client has disconnected. */
    closed: new Promise<void>((resolve) => {
      const end = transport.onclose;
      transport.onclose = () => {
        end?.();
        resolve();
      };
    }),
    /** Notifies the client of changes: in the modern era if it listens, in the legacy era only of changed lists. */
    notify({ resources, isListChanged }: Changes): void {
      if (current === undefined) return;
      const { server, era } = current;
      const sent = era === 'modern' ? resources.map((uri) => server.sendResourceUpdated({ uri })) : [];
      if (isListChanged) sent.push(server.sendToolListChanged(), server.sendResourceListChanged());
      // Rejected only if the client has disconnected.
      void Promise.allSettled(sent);
    },
    close: served.close,
  };
}
