import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser } from '../support/browser.ts';
import { rowsOf } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { getAccess } from './steps.ts';

const service = await startProcess({ after });
const { openTab } = await openBrowser({ after }, ['WebMCP']);

const rows = (query: string) => rowsOf(`${service.folder}/data/candidate-profile.db`, query);

test('an agent in the browser reads the profile by the tools of the page, which are those of MCP that read', async (t) => {
  const page = await openTab(t, service.url);
  await getAccess(page);
  await page.locator('form[toolname]').waitFor();
  const tools = await page.webmcp.tools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [
    'get_availability',
    'get_candidate',
    'get_experience',
    'get_project',
    'get_resume',
    'list_experience',
    'list_projects',
    'write_message',
  ]);
  type Result = { structuredContent: { data: { id: string; current: boolean }[] } };
  const current = (await page.webmcp.callTool('list_experience', { current: true })) as unknown as Result;
  const [entry] = current.structuredContent.data;
  assert.ok(current.structuredContent.data.every((one) => one.current));
  const read = (await page.webmcp.callTool('get_experience', { id: entry!.id })) as unknown as {
    content: { text: string }[];
  };
  assert.deepEqual(JSON.parse(read.content[0]!.text), entry);
});

test('a tool writes no message: it fills in the form, which the person sends', async (t) => {
  const page = await openTab(t, service.url);
  await getAccess(page, 'grace@example.org');
  await page.locator('form[toolname]').waitFor();
  const filled = page.webmcp.callTool('write_message', {
    name: 'Grace Example',
    company: 'Compilers',
    message: 'Hello from an agent',
  });
  // It ends with the page, when the message was sent.
  filled.catch(() => {});
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Hello from an agent');
  assert.deepEqual(rows('select name from contacts'), []);
  await page.getByRole('button', { name: 'Send message' }).click();
  await page.getByText('Your message was sent.').waitFor();
  assert.deepEqual(
    rows('select name, email, message from contacts').map((row) => ({ ...row })),
    [{ name: 'Grace Example', email: 'grace@example.org', message: 'Hello from an agent' }],
  );
});

test('before access, and for a browser without WebMCP, nothing is registered', async (t) => {
  const page = await openTab(t, service.url);
  await page.goto('/');
  await page.getByLabel('Your e-mail address').waitFor();
  assert.deepEqual(await page.webmcp.tools(), []);
  const plain = await openTab(t, service.url);
  await plain.addInitScript(() => Object.defineProperty(Document.prototype, 'modelContext', { value: undefined }));
  const asked: string[] = [];
  plain.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await getAccess(plain, 'ada@example.org');
  assert.equal(await plain.locator('form[toolname]').count(), 0);
  assert.ok(!asked.includes('/profile/tools'));
});
