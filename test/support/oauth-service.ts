import { join } from 'node:path';
import type { Network } from '../../src/adapters/oauth/client-document.ts';
import { openApp } from '../../src/service/app.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { openLog } from '../../src/service/log/log.ts';
import { openServices } from '../../src/service/services.ts';
import { databaseSettings, rowsOf } from './database.ts';
import { type Cleanup, fixture, newFolder } from './files.ts';
import { type ClientMemory, connectByAddress } from './oauth.ts';

type ConnectOptions = Omit<NonNullable<Parameters<typeof connectByAddress>[2]>, 'fetch'>;

/** Opens the whole service in this process, without a port; it can be closed and opened again with the data that it has. */
export async function openOauthService(t: Cleanup, env: Record<string, string> = {}, network?: Network) {
  const folder = newFolder(t);
  const settings = { ...(await databaseSettings(folder)), DATA_DIR: folder, LOG_LEVEL: 'silent', LIMITS: 'off' };
  const config = readConfig({ PROFILE: fixture('profile.yaml'), ALLOW_SAMPLE: 'true', ...settings, ...env }, folder);
  const baseUrl = env.BASE_URL ?? 'http://127.0.0.1:3000';
  const log = openLog(config.logLevel, config.logFormat);

  async function open() {
    const opened = await openServices(config, baseUrl, log, 'server');
    return { opened, app: openApp(config, baseUrl, opened, log, network) };
  }
  let current = await open();
  async function close() {
    await current.app.drain();
    await current.opened[Symbol.asyncDispose]();
  }
  t.after(close);

  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> =>
    current.app.fetch(new Request(url, init), { address: '192.0.2.1', requestId: null });
  return {
    baseUrl,
    folder,
    fetch,
    opened: () => current.opened,
    async restart() {
      await close();
      current = await open();
    },
    rows: (query: string) => rowsOf(join(folder, 'candidate-profile.db'), query),
    connect: (memory: ClientMemory, options: ConnectOptions = {}) =>
      connectByAddress(baseUrl, memory, { ...options, fetch }),
    /** Asks for tokens as a client does. */
    async token(fields: Record<string, string>) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(fields).toString();
      const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', headers, body });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    },
    async register(metadata: unknown = { redirect_uris: ['http://127.0.0.1:33418/callback'] }) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(metadata);
      const response = await fetch(`${baseUrl}/oauth/register`, { method: 'POST', headers, body });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    get: async (path: string, token: string) =>
      (await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } })).status,
    async callTool(token: string, name: string, args: object = {}) {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      return fetch(`${baseUrl}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
    },
  };
}
