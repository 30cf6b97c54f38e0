import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createClient } from '../../src/client.ts';
import { fixture } from '../support/files.ts';
import { clientOf, eras } from '../support/mcp-service.ts';
import { startService } from '../support/process.ts';

// That each surface works on a port; test/contract/parity.test.ts compares all that they answer.

const { url, token } = await startService({ after }, { PROFILE: fixture('profile.yaml') });
const bearer = await token();
const headers = { authorization: `Bearer ${bearer}` };
const availability = { status: 'open to opportunities' };

test('REST on a port answers with a token, and refuses without one', async () => {
  const answer = await fetch(`${url}/availability`, { headers });
  assert.deepEqual([answer.status, await answer.json()], [200, availability]);
  assert.equal((await fetch(`${url}/availability`)).status, 401);
});

test('the typed client on a port answers with the same data', async () => {
  assert.deepEqual(await createClient({ baseUrl: url, token: bearer }).getAvailability(), availability);
});

for (const era of eras)
  test(`MCP of the ${era} era on a port answers with the same data`, async (t) => {
    const client = clientOf(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    t.after(() => client.close());
    const { structuredContent } = await client.callTool({ name: 'get_availability', arguments: {} });
    assert.deepEqual(structuredContent, { data: availability });
  });
