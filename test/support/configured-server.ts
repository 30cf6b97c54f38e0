import { fileURLToPath } from 'node:url';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Cleanup, newFolder } from './files.ts';
import { clientOf } from './mcp-service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A server as the configuration of an agent names it: a command to start, or an address. */
export interface ConfiguredServer {
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

/** Returns the server of a configuration, whatever its list of servers is called. */
export const serverIn = (configuration: string): ConfiguredServer =>
  Object.values(Object.values(JSON.parse(configuration))[0] as Record<string, ConfiguredServer>)[0]!;

/** Returns the candidate's name as an agent with this configuration reads it. */
export async function nameReadBy(
  t: Cleanup,
  { command, args = [], env = {}, url = '', headers = {} }: ConfiguredServer,
) {
  const home = newFolder(t);
  const inherited = { PATH: process.env.PATH!, HOME: home, MCP_REMOTE_CONFIG_DIR: home, npm_config_offline: 'true' };
  const transport =
    command === undefined
      ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
      : new StdioClientTransport({ command, args, env: { ...inherited, ...env }, cwd: root, stderr: 'ignore' });
  const client = clientOf('legacy');
  await client.connect(transport);
  t.after(() => client.close());
  const { structuredContent } = await client.callTool({ name: 'get_candidate', arguments: {} });
  return (structuredContent as { data: { name: string } }).data.name;
}
