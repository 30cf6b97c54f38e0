import { join } from 'node:path';
import type { Network } from '../../src/adapters/oauth/client-document.ts';
import { openApp } from '../../src/service/app.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { openLog } from '../../src/service/log.ts';
import { openServices } from '../../src/service/services.ts';
import { databaseSettings, patience, rowsOf } from './database.ts';
import { type Cleanup, fixture, newFolder } from './files.ts';
import { type ClientMemory, connectByAddress } from './oauth.ts';
import { callsOf } from './oauth-flow.ts';

type ConnectOptions = Omit<NonNullable<Parameters<typeof connectByAddress>[2]>, 'fetch'>;

/** Opens the whole service in this process, without a port; it can be closed and opened again with the data that it has. */
export async function openOauthService(t: Cleanup, env: Record<string, string> = {}, network?: Network) {
  const folder = newFolder(t);
  const settings = { ...(await databaseSettings(folder)), DATA_DIR: folder, LOG_LEVEL: 'silent', LIMITS: 'off' };
  const config = readConfig({ PROFILE: fixture('profile.yaml'), ALLOW_SAMPLE: 'true', ...settings, ...env }, folder);
  const baseUrl = env.BASE_URL ?? 'http://127.0.0.1:3000';
  const log = openLog(config.logLevel, config.logFormat);

  async function open() {
    const opened = await openServices(config, baseUrl, log, 'server', patience());
    return { opened, app: openApp(opened, network) };
  }
  let current = await open();
  async function close() {
    await current.app.drain();
    await current.opened[Symbol.asyncDispose]();
  }
  t.after(close);

  const fetchFrom =
    (address: string) =>
    (url: string | URL, init?: RequestInit): Promise<Response> =>
      current.app.fetch(new Request(url, init), { address, requestId: null });
  const fetch = fetchFrom('192.0.2.1');
  return {
    ...callsOf(baseUrl, fetch),
    folder,
    opened: () => current.opened,
    async restart() {
      await close();
      current = await open();
    },
    rows: (query: string) => rowsOf(join(folder, 'candidate-profile.db'), query),
    connect: (memory: ClientMemory, options: ConnectOptions = {}) =>
      connectByAddress(baseUrl, memory, { ...options, fetch }),
    /** Opens the service once more on the same data, as a replica does; returns how it is asked. */
    async beside() {
      const other = await open();
      t.after(async () => {
        await other.app.drain();
        await other.opened[Symbol.asyncDispose]();
      });
      const ask = (url: string | URL, init?: RequestInit): Promise<Response> =>
        other.app.fetch(new Request(url, init), { address: '192.0.2.1', requestId: null });
      return { ...callsOf(baseUrl, ask), opened: () => other.opened };
    },
    /** Returns the requests of clients and visitors of another network address. */
    from: (address: string) => callsOf(baseUrl, fetchFrom(address)),
  };
}
