import { rmSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { openApp } from '../../src/service/app.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { openLog } from '../../src/service/log.ts';
import { openServices } from '../../src/service/services.ts';
import { databaseSettings, patience } from './database.ts';
import { fixture, makeFolder } from './files.ts';
import { openKeptPrinter, openReaderHere } from './in-place.ts';
import { oauthSetting } from './oauth-setting.ts';
import { postJson } from './post-json.ts';

type Send = (request: Request) => Promise<Response>;

let startOthers: ((settings: Record<string, string>) => Promise<{ send: Send; close(): Promise<void> }>) | undefined;

/** Lets the tests of this process send their requests to other services, which are given the settings of the one in this process. */
export function useOtherServices(start: typeof startOthers): void {
  startOthers = start;
}

/**
 * Opens the whole service in this process, without a port, with data of its own. A request for a print, and an upload,
 * waits for it, unless it is given a time. Prints are kept ones, and resumes are read in this process, unless it is given
 * what does so.
 */
export async function openTestService(
  env: Record<string, string> = {},
  {
    waitMilliseconds = 300_000,
    openPrinter = openKeptPrinter,
    openReader = openReaderHere,
    stderr = process.stderr,
  }: Parameters<typeof openServices>[4] & { readonly stderr?: Writable } = {},
) {
  const folder = makeFolder();
  const database = await databaseSettings(folder);
  const baseUrl = env.BASE_URL ?? 'http://127.0.0.1:3000';
  const settings = {
    ...database,
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    LIMITS: 'off',
    ALLOW_SAMPLE: 'true',
    ...oauthSetting(),
  };
  const config = readConfig({ PROFILE: fixture('profile.yaml'), ...settings, ...env }, folder);
  const log = openLog(config.logLevel, config.logFormat, stderr);
  const printing = { waitMilliseconds, openPrinter, openReader };
  const opened = await openServices(config, baseUrl, log, 'server', { ...printing, ...patience() });
  const app = openApp(opened);
  const others = await startOthers?.({ ...settings, ...env, BASE_URL: baseUrl });
  const send: Send = others?.send ?? ((request) => app.fetch(request, { address: '192.0.2.1', requestId: null }));
  const ask = (path: string, init?: RequestInit) => send(new Request(baseUrl + path, init));

  const issued = await ask('/auth/token', postJson({ email: 'visitor@example.org' }));
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const bearer = { authorization: `Bearer ${token}` };
  return {
    baseUrl,
    folder,
    token,
    opened,
    app,
    /** Sends a request as it is. */
    send,
    /** Requests a path without a token. */
    ask,
    /** Returns what requests paths from another network address. */
    from: (address: string) => ({
      ask: (path: string, init?: RequestInit) =>
        app.fetch(new Request(baseUrl + path, init), { address, requestId: null }),
    }),
    /** Requests a path with a token. */
    get: (path: string, headers: Record<string, string> = {}) => ask(path, { headers: { ...bearer, ...headers } }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      ask(path, postJson(body, { ...bearer, ...headers })),
    async close() {
      await others?.close();
      await app.drain();
      await opened[Symbol.asyncDispose]();
      log[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
