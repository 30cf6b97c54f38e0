import assert from 'node:assert/strict';
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

/** The memory of a client: what it keeps between two runs. */
export interface ClientMemory {
  client?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  verifier?: string;
  /** Where it has sent the person to. */
  authorizationUrl?: URL;
  discovery?: unknown;
}

export const redirectUri = 'http://127.0.0.1:33418/callback';

/** Returns the provider by which the SDK makes a program a client of OAuth. */
export function clientProviderOf(
  memory: ClientMemory,
  { scope, metadataUrl }: { scope?: string; metadataUrl?: string } = {},
): OAuthClientProvider {
  return {
    redirectUrl: redirectUri,
    ...(metadataUrl !== undefined && { clientMetadataUrl: metadataUrl }),
    clientMetadata: { client_name: 'Test client', redirect_uris: [redirectUri], ...(scope && { scope }) },
    state: () => 'state of the client',
    clientInformation: () => memory.client,
    saveClientInformation: (client) => void Object.assign(memory, { client }),
    tokens: () => memory.tokens,
    saveTokens: (tokens) => void Object.assign(memory, { tokens }),
    redirectToAuthorization: (authorizationUrl) => void Object.assign(memory, { authorizationUrl }),
    saveCodeVerifier: (verifier) => void Object.assign(memory, { verifier }),
    codeVerifier: () => memory.verifier!,
  };
}

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A browser without JavaScript, as far as these pages need one: it keeps cookies, follows redirects to the service and sends forms. */
export function browserOf(fetch: Fetch, baseUrl: string) {
  /** By name and path: requests in two tabs have cookies of one name. */
  const cookies = new Map<string, { name: string; value: string; path: string }>();
  async function open(
    address: string | URL,
    init: RequestInit = {},
  ): Promise<{ url: URL; response: Response; text: string }> {
    const url = new URL(address, baseUrl);
    if (url.origin !== new URL(baseUrl).origin) return { url, response: new Response(), text: '' };
    const cookie = [...cookies.values()].flatMap(({ name, value, path }) =>
      url.pathname.startsWith(path) ? [`${name}=${value}`] : [],
    );
    const headers = { accept: 'text/html', cookie: cookie.join('; '), ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice(5) ?? '/';
      if (value === '') cookies.delete(`${name} ${path}`);
      else cookies.set(`${name} ${path}`, { name, value, path });
    }
    const location = response.headers.get('location');
    if (location !== null) return open(new URL(location, url));
    return { url, response, text: await response.text() };
  }

  return {
    open,
    /** Sends the form of a page with some fields filled in. */
    async send(page: { url: URL; text: string }, fields: Record<string, string>) {
      const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)">/g)];
      assert.ok(hidden.length > 0, page.text);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
      const body = new URLSearchParams([
        ...hidden.map(([, name, value]) => [name!, value!]),
        ...Object.entries(fields),
      ]).toString();
      return open(page.url, { method: 'POST', headers, body });
    },
  };
}

/** Allows a request as a visitor does, and returns where the client is sent back to. */
export async function allow(
  browser: ReturnType<typeof browserOf>,
  url: URL,
  email = 'ada@example.org',
  target = redirectUri,
): Promise<URL> {
  const address = await browser.open(url);
  const consent = await browser.send(address, { email, step: 'address' });
  const back = await browser.send(consent, { step: 'allow' });
  assert.ok(back.url.href.startsWith(target), `${back.url.href} ${back.text}`);
  return back.url;
}

/** Connects a client that knows only the address of the MCP server; asks the visitor if it has no token that can be renewed. */
export async function connectByAddress(
  baseUrl: string,
  memory: ClientMemory,
  options: { fetch?: Fetch; scope?: string; metadataUrl?: string; answer?: (url: URL) => Promise<URL> } = {},
): Promise<Client> {
  const {
    fetch: fetched = (url, init) => fetch(url, init),
    answer = (url) => allow(browserOf(fetched, baseUrl), url),
  } = options;
  const authProvider = clientProviderOf(memory, options);
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { authProvider, fetch: fetched });
  const connected = async (over: StreamableHTTPClientTransport) => {
    const client = new Client({ name: 'test', version: '0' });
    await client.connect(over);
    return client;
  };
  const first = transport();
  try {
    return await connected(first);
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
  }
  const back = await answer(memory.authorizationUrl!);
  await first.finishAuth(back.searchParams);
  return connected(transport());
}
