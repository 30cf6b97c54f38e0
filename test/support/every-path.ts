import { gunzipSync } from 'node:zlib';
import type { openTestService } from './in-process.ts';

type Service = Awaited<ReturnType<typeof openTestService>>;

export const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip',
};
export const mcp = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
export const listOfResources: RequestInit = {
  method: 'POST',
  headers: { ...mcp, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'resources/list' },
  body: '{"jsonrpc":"2.0","id":1,"method":"resources/list"}',
};

/** Every path that is routed, with ids of the profile and with another one; and paths that are not. */
const pathsOf = async ({ app }: Service, ids: readonly string[]): Promise<readonly string[]> => {
  const routed = (await app.routes()).flatMap(({ path }) =>
    [...ids, 'nothing'].map((value) => path.replaceAll(/\{[^}]*\}|[?]/g, '').replaceAll(/:\w+|\*/g, value)),
  );
  const others = ['/nothing', '/profile.yaml', '/.env', '/favicon.ico', '/metrics', '/docs/mcp', '/desk/nothing'];
  const spellings = [
    '/candidate/',
    '/%63andidate',
    '//candidate',
    '/desk/../candidate',
    '/experience/%2e%2e/candidate',
  ];
  const queries = [
    '/candidate?access_token=x',
    '/?public=summary',
    '/og.png?v=summary',
    '/resume?format=pdf&format=json',
  ];
  return [...new Set([...routed, ...others, ...spellings, ...queries])];
};

/** An answer as text, headers included, without what differs between two services: what is random in forms, and the data folder. */
async function read(response: Response, dataFolder: string): Promise<string> {
  const sent = Buffer.from(await response.arrayBuffer());
  const isGzip = sent.length > 0 && response.headers.get('content-encoding') === 'gzip';
  const body = (isGzip ? gunzipSync(sent) : sent).toString('latin1');
  const headers = [...response.headers].map(
    ([name, value]) => `${name}: ${value.replace(/^kept=[\w-]{36};/, 'kept=RANDOM;')}`,
  );
  const same = body
    .replaceAll(/"\d{13}\.[\w-]{43}"/g, '"FORM TOKEN"')
    .replaceAll(/name="idempotency_key" value="[0-9a-f]{32}"/g, 'name="idempotency_key"')
    .replaceAll(dataFolder, 'DATA FOLDER');
  return [response.status, ...headers, '', same].join('\n');
}

/** The paths of ours that an answer refers to. */
const linksIn = (answer: string, baseUrl: string): string[] =>
  [...answer.matchAll(/(?:href|src|action)="([^"]+)"/g)].flatMap(([, link]) => {
    const { origin, pathname, search } = new URL(link!.replaceAll('&amp;', '&'), baseUrl);
    return origin === baseUrl ? [pathname + search] : [];
  });

interface Asking {
  /** Returns the requests to try at each path; `formToken` is one that a page gave out. */
  attempts(formToken: string): readonly RequestInit[];
  /** The headers of requests that are tried as repeated ones. */
  readonly authorizations: readonly (string | null)[];
}

/** Asks for every path, and for what the answers refer to; returns each attempt with its answer. */
export async function askForEverything(
  service: Service,
  ids: readonly string[],
  { attempts, authorizations }: Asking,
): Promise<Map<string, string>> {
  const { app, baseUrl } = service;
  const landing = await (await service.ask('/', { headers: browser })).text();
  const formToken = /name="form_token" value="([^"]+)"/.exec(landing)![1]!;
  const answers = new Map<string, string>();
  const paths = new Set(await pathsOf(service, ids));
  for (const path of paths) {
    // Read before by a visitor, so that what is remembered could be given out.
    await (await service.get(path)).arrayBuffer();
    await (await service.get(path, { accept: 'text/markdown' })).arrayBuffer();
    for (const authorization of authorizations) {
      const head = { host: new URL(baseUrl).host, target: path, authorization, ifNoneMatch: null, userAgent: null };
      const reply = app.replyAtOnce(head, { address: '192.0.2.1', requestId: null });
      answers.set(`${path} at once, ${authorization}`, JSON.stringify(reply));
    }
    for (const [index, attempt] of attempts(formToken).entries()) {
      // The desk's forms lead back to the path that was asked for, and the address of a form leads to its page: so the answer repeats it.
      const answer = (await read(await service.ask(path, attempt), service.folder))
        .replaceAll(`"${path}"`, '"PATH"')
        .replace(/^location: (.+)$/m, (line, to) => (path.startsWith(`${to}/`) ? 'location: ABOVE PATH' : line));
      answers.set(`${attempt.method ?? 'GET'} ${path}, attempt ${index}`, answer);
      for (const link of linksIn(answer, baseUrl)) paths.add(link);
    }
  }
  return answers;
}
