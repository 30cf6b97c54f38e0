import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { auth as authOfAiSdk, createMCPClient } from '@ai-sdk/mcp';
import { auth, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { MCPServerStreamableHttp } from '@openai/agents';
import { clientOf, type Era } from '../../support/mcp-service.ts';
import { allow, browserOf, type ClientMemory, clientProviderOf } from '../../support/oauth.ts';
import { eventually, runCommand, startService } from '../../support/process.ts';

interface Connection {
  call(): Promise<unknown>;
  close(): Promise<unknown>;
}

interface Library {
  open(url: string, authProvider: OAuthClientProvider): Promise<Connection>;
  /** Exchanges the code with which the visitor came back. */
  finish(url: string, authProvider: OAuthClientProvider, back: URLSearchParams): Promise<unknown>;
}

const finish: Library['finish'] = (serverUrl, provider, back) =>
  auth(provider, { serverUrl, authorizationCode: back.get('code')!, iss: back.get('iss')! });

const sdk = (era: Era): Library => ({
  async open(url, authProvider) {
    const client = clientOf(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
    return { call: () => client.callTool({ name: 'get_candidate', arguments: {} }), close: () => client.close() };
  },
  finish,
});

const agents: Library = {
  async open(url, authProvider) {
    const client = new MCPServerStreamableHttp({ url, authProvider });
    await client.connect();
    return { call: () => client.callToolResult('get_candidate', {}), close: () => client.close() };
  },
  finish,
};

/** The provider as the AI SDK declares it. */
type AiSdkProvider = NonNullable<Parameters<typeof authOfAiSdk>[0]>;
const aiSdk: Library = {
  async open(url, authProvider) {
    const transport = { type: 'http', url, authProvider: authProvider as AiSdkProvider } as const;
    const client = await createMCPClient({ transport });
    return { call: () => client.callTool({ name: 'get_candidate', arguments: {} }), close: () => client.close() };
  },
  finish: (serverUrl, provider, back) =>
    authOfAiSdk(provider as AiSdkProvider, {
      serverUrl,
      authorizationCode: back.get('code')!,
      callbackState: back.get('state')!,
      callbackIssuer: back.get('iss')!,
    }),
};

for (const [name, library] of [
  ['the SDK client, 2026-07-28', sdk('modern')],
  ['the SDK client, 2025-11-25', sdk('legacy')],
  ['@openai/agents', agents],
  ['@ai-sdk/mcp', aiSdk],
] as const)
  test(`${name} connects by the address, renews tokens with two calls at once, and asks again once revoked`, async (t) => {
    const service = await startService(t);
    const memory: ClientMemory = {};
    const connection = await connected(t, library, service.url, memory);
    for (let round = 0; round < 2; round += 1) {
      memory.tokens = { ...memory.tokens!, access_token: 'expired' };
      // Of three, one whose 401 comes late may renew the new refresh token before another has presented the old one, which ends the grant.
      const results = await Promise.all([connection.call(), connection.call()]);
      for (const result of results) assert.match(JSON.stringify(result), /cand_lena_vasquez/);
    }
    delete memory.authorizationUrl;
    await runCommand(t, ['tokens', 'revoke', '--email', 'ada@example.org'], {}, service.folder);
    await eventually(() =>
      connection.call().then(
        () => false,
        () => true,
      ),
    );
    assert.equal((memory.authorizationUrl as URL | undefined)?.pathname, '/oauth/authorize');
  });

async function connected(t: TestContext, library: Library, baseUrl: string, memory: ClientMemory): Promise<Connection> {
  const url = `${baseUrl}/mcp`;
  const provider: OAuthClientProvider = {
    ...clientProviderOf(memory),
    // Without this the libraries never ask the visitor again: they try the refresh token that has ended, and fail.
    invalidateCredentials: () => void delete memory.tokens,
  };
  await assert.rejects(library.open(url, provider), /Unauthorized/);
  const back = await allow(
    browserOf((address, init) => fetch(address, init), baseUrl),
    memory.authorizationUrl!,
  );
  await library.finish(url, provider, back.searchParams);
  const connection = await library.open(url, provider);
  t.after(() => connection.close());
  return connection;
}
