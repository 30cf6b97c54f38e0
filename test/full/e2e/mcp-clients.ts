import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MCPServerStreamableHttp } from '@openai/agents';
import { clientOf, type Era } from '../../support/mcp-service.ts';

/** A client somebody else wrote, reduced to what each of them can do. */
export interface Agent {
  /** Names of the tools. */
  tools(): Promise<string[]>;
  /** URIs of the resources. */
  resources(): Promise<string[]>;
  call(tool: string, given: Record<string, unknown>): Promise<ToolResult>;
  read(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

interface ToolResult {
  readonly isError?: unknown;
  readonly content?: unknown;
}

/** Where a client is to go and with which token, with an empty folder as its home. */
export interface Destination {
  readonly url: string;
  readonly token: string | undefined;
  readonly home: string;
}

const headersWith = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` });
const fileOf = (path: string) => fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url));

/** Nothing of the shell of the tests, and an empty path: no program is found that could open a browser. */
const environmentIn = (home: string) => ({ PATH: '', HOME: home, MCP_REMOTE_CONFIG_DIR: home });

const ofSdkClient = (client: Client): Agent => ({
  tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
  call: (name, given) => client.callTool({ name, arguments: given }),
  read: async (uri) => (await client.readResource({ uri })).contents,
  close: () => client.close(),
});

/** The client of the official SDK. */
export const openSdkClient =
  (era: Era) =>
  async ({ url, token }: Destination): Promise<Agent> => {
    const client = clientOf(era);
    const requestInit = { headers: headersWith(token) };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return ofSdkClient(client);
  };

/** mcp-remote, which clients that speak stdio only take to reach a service elsewhere. */
export async function openMcpRemote({ url, token, home }: Destination): Promise<Agent> {
  const client = clientOf('legacy');
  const args = [fileOf('mcp-remote/dist/proxy.js'), url, '--silent', '--transport', 'http-only'];
  const header = ['--header', `Authorization:Bearer ${token}`];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args, ...header], env: environmentIn(home) }),
  );
  return ofSdkClient(client);
}

/** The client of Vercel's AI SDK. */
export async function openAiSdkClient({ url, token }: Destination): Promise<Agent> {
  const client = await createMCPClient({ transport: { type: 'http', url, headers: headersWith(token) } });
  return {
    tools: async () => Object.keys(await client.tools()),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    call: (name, given) => client.callTool({ name, arguments: given }) as Promise<ToolResult>,
    read: async (uri) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  };
}

/** The client of OpenAI's Agents SDK. */
export async function openAgentsSdkClient({ url, token }: Destination): Promise<Agent> {
  const client = new MCPServerStreamableHttp({ url, requestInit: { headers: headersWith(token) } });
  await client.connect();
  return {
    tools: async () => (await client.listTools()).map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    call: (name, given) => client.callToolResult(name, given),
    read: async (uri) => (await client.readResource(uri)).contents,
    close: () => client.close(),
  };
}

/** The Inspector on the command line, a process a request; a request it cannot answer throws its exit code. */
/** Runs the Inspector for one request. */
export async function runInspector({ url, token, home }: Destination, era: Era, method: string, ...args: string[]) {
  const inspector = fileOf('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const header = token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`];
  const how = ['--transport', 'http', '--protocol-era', era, '--stored-auth-only', '--format', 'json'];
  const all = [inspector, '--cli', url, ...how, ...header, '--method', method, ...args];
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, all, { env: environmentIn(home) }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}

export const openInspector =
  (era: Era) =>
  async (destination: Destination): Promise<Agent> => {
    const run = async (method: string, ...args: string[]) => {
      const { code, stdout, stderr } = await runInspector(destination, era, method, ...args);
      if (code === isErrorResult) return { isError: true, result: JSON.parse(stdout).result };
      if (code !== 0) throw new Error(`exit code ${code}`);
      // Under --strict that is what it warns of in the schemas of the tools.
      if (stderr !== '') throw new Error(stderr);
      return { isError: false, result: JSON.parse(stdout).result };
    };
    return {
      tools: async () => (await run('tools/list', '--strict')).result.tools.map(({ name }: { name: string }) => name),
      resources: async () => (await run('resources/list')).result.resources.map(({ uri }: { uri: string }) => uri),
      async call(name, given) {
        const { isError, result } = await run(
          'tools/call',
          '--tool-name',
          name,
          '--tool-args-json',
          JSON.stringify(given),
        );
        return { ...result, isError };
      },
      read: async (uri) => (await run('resources/read', '--uri', uri)).result.contents,
      close: async () => {},
    };
  };

/** The Inspector's exit code for a tool's error result. */
const isErrorResult = 5;
