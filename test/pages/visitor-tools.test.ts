import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../support/in-process.ts';
import { openVisitor } from '../support/pages.ts';
import { eventually } from '../support/process.ts';

const service = await openTestService();
after(service.close);
const visitor = openVisitor(service);
await visitor.getAccess();
const ask = (path: string, site = 'same-origin') =>
  visitor.send(path, { headers: { accept: '*/*', 'sec-fetch-site': site } });

test('the page gets the tools that read, and not those that write', async () => {
  const found = await ask('/profile/tools');
  assert.deepEqual([found.status, found.headers.get('cache-control')], [200, 'no-store']);
  assert.equal(found.headers.get('access-control-allow-origin'), null);
  const tools = (await found.json()) as { name: string; description: string; inputSchema: object }[];
  assert.deepEqual(
    tools.map(({ name }) => name),
    [
      'get_candidate',
      'list_experience',
      'get_experience',
      'list_projects',
      'get_project',
      'get_availability',
      'get_resume',
    ],
  );
  assert.deepEqual(Object.keys(tools[0]!), ['name', 'description', 'inputSchema']);
});

test('a tool answers with the session of the page as over MCP, and the read is recorded', async () => {
  const found = await ask('/profile/tools/list_experience?current=false');
  const { content, structuredContent } = (await found.json()) as {
    content: { text: string }[];
    structuredContent: { data: { id: string }[] };
  };
  assert.deepEqual(JSON.parse(content[0]!.text), structuredContent.data);
  assert.deepEqual(structuredContent.data, await (await service.get('/experience?current=false')).json());
  await eventually(async () => (await (await visitor.get('/profile/record')).text()).includes('read experience'));
});

test('a tool that does not exist, and input that it does not take, are refused as over REST', async () => {
  for (const [path, status, code] of [
    ['get_nothing', 404, 'NOT_FOUND'],
    ['create_contact', 404, 'NOT_FOUND'],
    ['get_background', 404, 'NOT_FOUND'],
    ['get_my_reads', 404, 'NOT_FOUND'],
    ['get_experience', 400, 'BAD_REQUEST'],
    ['get_experience?id=a&id=b', 400, 'BAD_REQUEST'],
    ['list_experience?current=maybe', 400, 'BAD_REQUEST'],
  ] as const) {
    const refused = await ask(`/profile/tools/${path}`);
    const { error } = (await refused.json()) as { error: { code: string } };
    assert.deepEqual([refused.status, error.code], [status, code], path);
  }
});

test('no other site, nobody without the session of a page, and no token opens them', async () => {
  for (const path of ['/profile/tools', '/profile/tools/get_candidate']) {
    for (const site of ['cross-site', 'same-site', 'none']) assert.equal((await ask(path, site)).status, 403, path);
    assert.equal((await service.get(path)).status, 403);
    assert.equal((await service.get(path, { 'sec-fetch-site': 'same-origin' })).status, 401);
  }
  assert.equal((await ask('/candidate')).status, 401);
});
