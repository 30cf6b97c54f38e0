import assert from 'node:assert/strict';
import { allow, browserOf, type Fetch, redirectUri } from './oauth.ts';

/** Returns the requests of clients and visitors to a service, by its address and a way to reach it. */
export function callsOf(baseUrl: string, fetch: Fetch) {
  return {
    baseUrl,
    fetch,
    /** Asks for tokens as a client does. */
    async token(fields: Record<string, string>) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(fields).toString();
      const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', headers, body });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    },
    async register(metadata: unknown = { redirect_uris: [redirectUri] }) {
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

export type Service = ReturnType<typeof callsOf>;

export const verifier = 'a-verifier-that-is-long-enough-for-the-standard-00';
const challenge = 'I6VJnq_ZE6Iew5Be1Pyh2Sfjknj0ULteaeVXZI-T6B8';

/** Returns the address that a client sends the visitor to; null leaves a parameter out. */
export const authorizationUrl = (
  { baseUrl }: Service,
  clientId: string,
  changes: Record<string, string | null> = {},
): URL => {
  const url = new URL('/oauth/authorize', baseUrl);
  const fields = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  for (const [name, value] of Object.entries(fields)) if (value !== null) url.searchParams.set(name, value);
  return url;
};

/** Registers a client and lets a visitor allow it what it asks for; returns the client's id and the code. */
export async function codeOf(
  service: Service,
  changes: Record<string, string | null> = {},
  email?: string,
  metadata: object = {},
) {
  const { body } = await service.register({ redirect_uris: [redirectUri], ...metadata });
  const clientId = String(body.client_id);
  const back = await allow(
    browserOf(service.fetch, service.baseUrl),
    authorizationUrl(service, clientId, changes),
    email,
  );
  assert.equal(back.searchParams.get('iss'), service.baseUrl);
  assert.equal(back.searchParams.get('state'), 's');
  return { clientId, code: back.searchParams.get('code')! };
}

/** Returns the fields by which a client exchanges a code for tokens. */
export const exchangeOf = ({ clientId, code }: { clientId: string; code: string }) => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: redirectUri,
  code_verifier: verifier,
});

/** Exchanges a code for tokens as its client does. */
export const exchange = (
  service: Service,
  granted: { clientId: string; code: string },
  changes: Record<string, string> = {},
) => service.token({ ...exchangeOf(granted), ...changes });

export const refresh = (service: Service, clientId: string, token: string, changes: Record<string, string> = {}) =>
  service.token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...changes });

/** Gets the tokens that a client gets for a visitor. */
export async function tokensOf(...given: Parameters<typeof codeOf>) {
  const [service] = given;
  const granted = await codeOf(...given);
  const { status, body } = await exchange(service, granted);
  assert.equal(status, 200);
  return { clientId: granted.clientId, access: body.access_token!, refresh: body.refresh_token!, scope: body.scope };
}

/** Returns the claims of an access token. */
export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

export const errorOf = ({ status, body }: { status: number; body: Record<string, string> }) => [status, body.error];

/** Connects a client of a name for a visitor; returns its access token, and how it renews the tokens: with `error` if that fails. */
export async function connectClient(
  baseUrl: string,
  { name, email, fetch: fetched = fetch }: { name: string; email: string; fetch?: Fetch },
) {
  const service = callsOf(baseUrl, fetched);
  const tokens = await tokensOf(service, {}, email, { client_name: name });
  return {
    access: tokens.access,
    async refresh() {
      const { body } = await refresh(service, tokens.clientId, tokens.refresh);
      tokens.refresh = body.refresh_token ?? tokens.refresh;
      return body;
    },
  };
}

export type ConnectedClient = Awaited<ReturnType<typeof connectClient>>;
