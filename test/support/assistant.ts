import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type * as apps from '@modelcontextprotocol/ext-apps/app-bridge';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';

declare global {
  /** The module of ext-apps for hosts. */
  var hostModule: typeof apps;
  var bridge: apps.AppBridge;
}

export type HostContext = apps.McpUiHostContext;

interface HostOptions {
  readonly context?: HostContext;
  readonly capabilities?: apps.McpUiHostCapabilities;
  /** Whether the host refuses to open links. */
  readonly refusesLinks?: boolean;
}

const host = 'https://assistant.example';
const sandbox = 'https://sandbox.example';

/** Bundles what ext-apps has for hosts to one script, which sets `hostModule`. */
async function bundleHost(): Promise<string> {
  const build = await rolldown({
    input: 'host',
    platform: 'browser',
    plugins: [
      {
        name: 'host',
        resolveId: (id) => (id === 'host' ? id : null),
        load: (id) => (id === 'host' ? `export * from '@modelcontextprotocol/ext-apps/app-bridge'` : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'iife', name: 'hostModule' });
  return output[0].code;
}

let bundled: Promise<string> | undefined;

/** The policy that hosts enforce for a document that declares no domains (MCP Apps, Content Security Policy Enforcement). */
const policy = `default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; connect-src 'self';
img-src 'self' data:; font-src 'self'; media-src 'self' data:; frame-src 'none'; object-src 'none'; base-uri 'self'`;

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Assistant</title>
<style>body { max-width: 45rem; margin: 24px auto; padding-inline: 16px } iframe { display: block; width: 100%; border: 1px solid #8886; border-radius: 12px }</style>
<iframe title="Card" sandbox="allow-scripts"></iframe>`;

/** Shows the card that a tool names in an assistant: an empty page of a host with AppBridge, and the card in its frame. */
export async function openAssistant(tab: Page, client: Client, tool: string, options: HostOptions = {}) {
  const { context = { theme: 'light' }, capabilities = { openLinks: {}, serverTools: {} }, refusesLinks } = options;
  const { tools } = await client.listTools();
  const { ui } = tools.find(({ name }) => name === tool)!._meta as { ui: { resourceUri: string } };
  const [content] = (await client.readResource({ uri: ui.resourceUri })).contents;
  const html = (content as { text: string }).text;
  const requests: string[] = [];
  const opened: string[] = [];
  tab.on('request', (request) => void requests.push(request.url()));
  await tab.route(`${host}/**`, (route) => route.fulfill({ contentType: 'text/html', body: page }));
  await tab.route(`${sandbox}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: html,
      headers: { 'content-security-policy': policy.replaceAll('\n', ' ') },
    }),
  );
  await tab.exposeFunction('callTool', (params: { name: string }) => client.callTool(params));
  await tab.exposeFunction('opened', (url: string) => void opened.push(url));
  await tab.goto(`${host}/`);
  bundled ??= bundleHost();
  await tab.evaluate(await bundled);
  await tab.evaluate(
    async ([address, given]) => {
      const { context, capabilities, refusesLinks } = JSON.parse(given) as Required<HostOptions>;
      const { AppBridge, PostMessageTransport } = globalThis.hostModule;
      const { callTool, opened } = globalThis as unknown as {
        callTool: (params: object) => Promise<CallToolResult>;
        opened: (url: string) => Promise<void>;
      };
      const frame = document.querySelector('iframe')!;
      document.documentElement.style.colorScheme = context.theme ?? 'light';
      const bridge = new AppBridge(null, { name: 'Assistant', version: '1' }, capabilities, { hostContext: context });
      globalThis.bridge = bridge;
      bridge.oncalltool = callTool;
      bridge.onopenlink = async ({ url }) => {
        if (refusesLinks) return { isError: true };
        await opened(url);
        return {};
      };
      bridge.onsizechange = ({ height }) => {
        frame.style.height = `${height! + 2}px`;
      };
      const { promise: initialized, resolve } = Promise.withResolvers<void>();
      bridge.oninitialized = () => resolve();
      const target = frame.contentWindow!;
      await bridge.connect(new PostMessageTransport(target, target));
      frame.src = address;
      await initialized;
    },
    // Not the objects: TypeScript gives up on their type as an argument.
    [`${sandbox}/`, JSON.stringify({ context, capabilities, refusesLinks })] as const,
  );
  const send = (result: CallToolResult, input: Record<string, unknown> = {}) =>
    tab.evaluate(
      async ([result, input]) => {
        await globalThis.bridge.sendToolInput({ arguments: input });
        await globalThis.bridge.sendToolResult(result);
        // Two frames later the host has the height of what is shown.
        for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
      },
      [result, input] as const,
    );
  return {
    html,
    /** The addresses that the tab has requested. */
    requests,
    /** The addresses that the host was asked to open, and has. */
    opened,
    card: tab.frameLocator('iframe'),
    frame: () => tab.frames().at(-1)!,
    /** Calls the tool, and hands arguments and result to the card. */
    async call(input: Record<string, unknown> = {}) {
      await send((await client.callTool({ name: tool, arguments: input })) as CallToolResult, input);
    },
    /** Hands a result to the card. */
    send,
  };
}
