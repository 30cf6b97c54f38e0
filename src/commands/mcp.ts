import { operations } from '../operations/index.ts';
import { baseUrlOf, type Config } from '../service/config.ts';
import { openServices } from '../service/services.ts';
import { openLog } from '../service/telemetry.ts';
import { openMcpBridge } from '../surfaces/mcp/bridge.ts';
import { changedResources } from '../surfaces/mcp/catalogue.ts';
import { serveMcpStdio } from '../surfaces/mcp/stdio.ts';
import { version } from '../version.ts';
import type { RemoteOptions } from './remote-options.ts';

/** Speaks MCP over standard input and output until the client has gone: the profile here, or a bridge to a service at `url`. */
export async function mcp({ url, token = '' }: RemoteOptions, configOf: () => Config): Promise<void> {
  if (url === undefined) return await serveHere(configOf());
  await (await openMcpBridge({ baseUrl: url, token, version })).closed;
}

async function serveHere(config: Config): Promise<void> {
  const baseUrl = baseUrlOf(config, config.port);
  const opened = await openServices(config, baseUrl, openLog(config.logLevel), 'stdio');
  const { services } = opened;
  const stdio = serveMcpStdio({ operations, services, mutations: config.mcpMutations, baseUrl, version });
  opened.onReload(async (before, after) =>
    stdio.notifyUpdated(await changedResources(operations, services, before, after)),
  );
  process.once('SIGTERM', () => void stdio.close());
  process.once('SIGINT', () => void stdio.close());
  await stdio.closed;
  await opened.close();
}
