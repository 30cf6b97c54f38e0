import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allow, browserOf, type ClientMemory, connectByAddress } from '../support/oauth.ts';
import { claimsOf, tokensOf } from '../support/oauth-flow.ts';
import { openOauthService } from '../support/oauth-service.ts';

const names = ['127.0.0.1', 'localhost', '[::1]'];

for (const own of names)
  test(`with BASE_URL http://${own}:3000 a client connects by each name of this machine, and renews`, async (t) => {
    const service = await openOauthService(t, { BASE_URL: `http://${own}:3000` });
    const answer = (url: URL) => {
      assert.equal(url.origin, service.baseUrl);
      return allow(browserOf(service.fetch, service.baseUrl), url);
    };
    for (const name of names) {
      const memory: ClientMemory = {};
      const connect = () => connectByAddress(`http://${name}:3000`, memory, { fetch: service.fetch, answer });
      await (await connect()).close();
      memory.tokens = { ...memory.tokens!, access_token: 'ended' };
      const client = await connect();
      const { isError } = await client.callTool({ name: 'get_candidate', arguments: {} });
      assert.ok(!isError);
      await client.close();
    }
    // Of whatever name the resource was, the token is for the one of BASE_URL.
    const { access } = await tokensOf(service, { resource: 'http://localhost:3000/mcp' });
    const { aud, iss } = claimsOf(access);
    assert.deepEqual([aud, iss], [`${service.baseUrl}/mcp`, service.baseUrl]);
  });

test('the metadata answer for the name of this machine that was asked, unless the service is public', async (t) => {
  const local = await openOauthService(t);
  const site = await openOauthService(t, { BASE_URL: 'https://profile.example.org' });
  const resourceOf = async ({ fetch }: Pick<typeof local, 'fetch'>, origin: string, path: string) => {
    const challenge = (await fetch(`${origin}${path}`, { method: 'POST' })).headers.get('www-authenticate')!;
    const url = /resource_metadata="([^"]+)"/.exec(challenge)![1]!;
    const metadata = (await (await fetch(`${origin}${new URL(url).pathname}`)).json()) as {
      resource: string;
      authorization_servers: string[];
    };
    return [url, metadata.resource, ...metadata.authorization_servers];
  };
  const metadataPath = '/.well-known/oauth-protected-resource';
  for (const origin of ['http://localhost:3000', 'http://[::1]:3000', 'http://127.0.0.1:3000']) {
    const own = 'http://127.0.0.1:3000';
    assert.deepEqual(await resourceOf(local, origin, '/mcp'), [`${origin}${metadataPath}/mcp`, `${origin}/mcp`, own]);
    assert.deepEqual(await resourceOf(local, origin, '/contact'), [`${origin}${metadataPath}`, origin, own]);
  }
  for (const origin of [
    'http://localhost:3001',
    'https://localhost:3000',
    'http://127.0.0.2:3000',
    'http://evil.example:3000',
  ]) {
    const own = 'http://127.0.0.1:3000';
    assert.deepEqual(await resourceOf(local, origin, '/contact'), [`${own}${metadataPath}`, own, own], origin);
  }
  for (const origin of ['http://localhost:3000', 'https://localhost', 'http://127.0.0.1']) {
    const own = 'https://profile.example.org';
    assert.deepEqual(await resourceOf(site, origin, '/contact'), [`${own}${metadataPath}`, own, own], origin);
  }
});
