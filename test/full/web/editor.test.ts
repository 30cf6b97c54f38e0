import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../support/browser.ts';
import { printLink } from '../../support/desk.ts';
import { resumeFile } from '../../support/files.ts';
import { openServed } from '../../web/served.ts';
import { signIn } from '../../web/steps.ts';
import { openSampleService } from '../../web/visits.ts';

const { openTab } = await openBrowser({ after });
// A stale revision and an ended session are answers that the editor expects; Chromium logs them.
const options = { expectedStatuses: [401, 403, 412, 503] };

async function open(t: Parameters<typeof openTab>[0]) {
  const service = await openServed(t);
  const page = await openTab(t, service.url, options);
  await signIn(page, service.inbox);
  await page.goto('/desk/profile');
  return { page, service };
}

const title = (page: Page) => page.getByRole('textbox', { name: 'Your title' });
const saved = (page: Page) => page.locator('.ed-saved[data-state="saved"]').waitFor();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function type(page: Page, text: string): Promise<void> {
  await title(page).press('ControlOrMeta+End');
  await page.keyboard.type(text);
}

/** Opens another tab of the browser. */
async function anotherTab(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto('/desk/profile');
  await title(other).waitFor();
  return other;
}

test('a title is typed, undone, redone, published, and the publish undone to the first byte', async (t) => {
  const { page, service } = await open(t);
  const before = service.text();
  await type(page, ' of storage');
  await saved(page);
  await page.keyboard.press('Control+z');
  await page.getByText('Undone').waitFor({ state: 'attached' });
  assert.equal(await title(page).textContent(), 'Staff Software Engineer, Distributed Systems');
  await page.keyboard.press('Control+Shift+z');
  assert.equal(await title(page).textContent(), 'Staff Software Engineer, Distributed Systems of storage');
  await button(page, 'Publish 1 change').click();
  await page.getByText('Title changed').waitFor();
  assert.equal(service.text(), before);
  await button(page, /^Publish$/).click();
  await page.getByRole('heading', { name: 'Published', exact: true }).waitFor();
  assert.match(service.text(), /title: Staff Software Engineer, Distributed Systems of storage/);
  await page.frameLocator('.published-frame iframe').getByText('Distributed Systems of storage').first().waitFor();
  await page.locator('.published').getByRole('button', { name: 'Undo' }).click();
  await page.locator('.published').waitFor({ state: 'detached' });
  assert.equal(service.text(), before);
  // What was written is kept as a change that is not published.
  await button(page, 'Publish 1 change').waitFor();
  assert.equal(await title(page).textContent(), 'Staff Software Engineer, Distributed Systems of storage');
});

test('one of two changes is taken back from what will be published', async (t) => {
  const { page } = await open(t);
  await type(page, ' II');
  await page.getByRole('textbox', { name: 'Your name' }).press('ControlOrMeta+End');
  await page.keyboard.type(', PhD');
  await button(page, 'Publish 2 changes').click();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Title changed' })
    .getByRole('button', { name: 'Take back' })
    .click();
  await button(page, 'Publish 1 change').waitFor();
  assert.equal(await title(page).textContent(), 'Staff Software Engineer, Distributed Systems');
  assert.equal(await page.locator('h1').textContent(), 'Dr. Lena Vasquez, PhD');
});

test('what is typed while the service cannot be reached is kept over a reload, and saved', async (t) => {
  const { page } = await open(t);
  await page.route('**/desk/profile/changes', (route) => route.fulfill({ status: 503, body: '{}' }));
  await type(page, ' of storage');
  await page.getByText('Not saved yet', { exact: true }).waitFor();
  await page.reload();
  await title(page).getByText('Distributed Systems of storage').waitFor();
  await page.unroute('**/desk/profile/changes');
  await saved(page);
  await page.reload();
  await title(page).getByText('Distributed Systems of storage').waitFor();
});

test('what is typed after the session has ended is kept, and saved after signing in', async (t) => {
  const { page, service } = await open(t);
  await page.context().clearCookies();
  await type(page, ' of storage');
  await page.getByText('Your session has ended.').first().waitFor();
  await signIn(page, service.inbox);
  await page.goto('/desk/profile');
  await title(page).getByText('Distributed Systems of storage').waitFor();
  await saved(page);
});

test('two tabs keep the changes of each other, and of one text show both values', async (t) => {
  const { page } = await open(t);
  const other = await anotherTab(page);
  await other.getByRole('textbox', { name: 'Your name' }).press('ControlOrMeta+End');
  await other.keyboard.type(', PhD');
  await saved(other);
  await type(page, ' II');
  await saved(page);
  await page.locator('h1').getByText('Dr. Lena Vasquez, PhD').waitFor();
  await type(other, ' III');
  await other.getByText(/Keep yours, “Staff Software Engineer, Distributed Systems III”/).waitFor();
  assert.equal(await title(other).textContent(), 'Staff Software Engineer, Distributed Systems II');
});

test('a change of the file by another program is put together with what is typed', async (t) => {
  const { page, service } = await open(t);
  writeFileSync(service.profile, service.text().replace('name: Dr. Lena Vasquez', 'name: Lena Vasquez'));
  await type(page, ' II');
  await page.locator('h1').getByText('Lena Vasquez', { exact: true }).waitFor();
  assert.equal(await title(page).textContent(), 'Staff Software Engineer, Distributed Systems II');
});

test('what was typed last is saved if the tab is closed, or the owner signs out, at once', async (t) => {
  const { page, service } = await open(t);
  await type(page, ' II');
  const other = await page.context().newPage();
  await page.close({ runBeforeUnload: true });
  await other.goto('/desk/profile');
  await title(other).getByText('Distributed Systems II').waitFor();
  await type(other, 'I');
  await button(other, 'Sign out').first().click();
  await other.waitForURL(/sign-in/);
  await signIn(other, service.inbox);
  await other.evaluate(() => localStorage.clear());
  await other.goto('/desk/profile');
  await title(other).getByText('Distributed Systems III').waitFor();
});

test('without JavaScript a resume is read, changed as YAML, published and restored', async (t) => {
  const { url, opened } = await openSampleService(t);
  const page = await openTab(t, url, { javaScriptEnabled: false });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.goto((await printLink(opened, '/desk/profile/import')).url);
  await press('Sign in');
  await page.getByLabel('Drop your resume here').setInputFiles(resumeFile('jsonresume-new-grad.json'));
  await press('Read it');
  await page.getByText('Read as JSON Resume.').waitFor();
  await page.goto('/desk/profile');
  await page.getByRole('link', { name: 'the file (YAML)' }).click();
  await press('Publish what is saved');
  await page.getByText('Published. Visitors get it from now on.').waitFor();
  const text = () => readFileSync(opened.profile.path()!, 'utf8');
  const first = text();
  const area = page.getByLabel('The whole text');
  await area.fill((await area.inputValue()).replace(/^ {2}title: .*$/m, '  title: Engineer of bridges'));
  await press('Save');
  await page.getByText('Saved.').waitFor();
  assert.equal(text(), first);
  await press('Publish what is saved');
  await page.getByText('Published. Visitors get it from now on.').waitFor();
  assert.match(text(), /title: Engineer of bridges/);
});
