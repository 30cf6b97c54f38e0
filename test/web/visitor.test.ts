import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { openBrowser } from '../support/browser.ts';
import { rowsOf } from '../support/database.ts';
import { startProcess } from '../support/process.ts';

import { eraseRecord, getAccess, seeRecord, skipBrowserChecks, writeMessage } from './steps.ts';

const service = await startProcess({ after });
const { openTab } = await openBrowser({ after });

const messages = () => rowsOf(`${service.folder}/data/candidate-profile.db`, 'select name, message from contacts');

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('a visitor comes from an address to the profile, the PDF and a message', async (t) => {
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(page);
      await page.getByText('Led a six-engineer working group').waitFor();

      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download PDF' }).click();
      const download = await downloading;
      assert.equal(readFileSync(await download.path(), 'latin1').slice(0, 5), '%PDF-');

      const message = `Hello, ${javaScriptEnabled ? 'with' : 'without'}`;
      await writeMessage(page, message);
      await page.getByText('Your message was sent. The answer will come to ada@example.org.').waitFor();
      assert.deepEqual({ ...messages().at(-1) }, { name: 'Ada Example', message });
    });

    test('each program has a tab with its lines, in which a selection has the whole token', async (t) => {
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(page);
      const token = await page.locator('#token').textContent();
      for (const [name, text] of [
        ['Claude', 'claude mcp add --transport http'],
        ['Cursor', '"mcpServers"'],
        ['VS Code', '"servers"'],
        ['curl', `curl ${service.url}/experience`],
        ['TypeScript', 'openapi-fetch'],
      ] as const) {
        await page.getByText(name, { exact: true }).click();
        const panel = page.locator('.panel:visible');
        assert.equal(await panel.count(), 1, name);
        const lines = (await panel.locator('pre').allTextContents()).join('\n');
        assert.ok(lines.includes(text) && lines.includes(token!), name);
      }
    });
  });

test('before access, a visitor copies the address for their assistant, and needs no token', async (t) => {
  const page = await openTab(t, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/');
  await page.locator('[data-copy="claude-address"]').click();
  await page.locator('[data-copy="claude-address"]', { hasText: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${service.url}/mcp`);
  for (const [name, text] of [
    ['ChatGPT', `${service.url}/mcp`],
    ['Cursor', '"mcpServers"'],
    ['VS Code', '"servers"'],
  ] as const) {
    await page.getByText(name, { exact: true }).click();
    const panel = page.locator('.panel:visible');
    assert.equal(await panel.count(), 1, name);
    assert.ok((await panel.locator('pre').innerText()).includes(text), name);
  }
});

test('a visitor comes from an address to a message by the keyboard alone, and sees where the focus is', async (t) => {
  const page = await openTab(t, service.url);
  await page.goto('/');
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement;
        // A radio button that cannot be seen shows the focus at its label.
        const seen = element.type === 'radio' ? element.labels![0]! : element;
        return {
          name: element.labels?.[0]?.innerText ?? element.innerText,
          outline: getComputedStyle(seen).outlineStyle,
        };
      });
      assert.equal(focus.outline, 'solid', focus.name);
      if (focus.name === name) return;
    }
    assert.fail(`not reached: ${name}`);
  };
  await tabTo('Skip to the content');
  await tabTo('Your e-mail address');
  await page.keyboard.type('keys@example.org');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Experience' }).waitFor();
  await tabTo('Claude');
  await page.keyboard.press('ArrowRight');
  await page.getByText('turn on Developer mode').waitFor();
  await tabTo('Your name');
  await page.keyboard.type('Ada');
  await tabTo('Company');
  await page.keyboard.type('Engines');
  await tabTo('Message');
  await page.keyboard.type('By keys');
  await tabTo('Send message');
  await page.keyboard.press('Enter');
  await page.getByText('Your message was sent.').waitFor();
  assert.equal(messages().at(-1)!.message, 'By keys');
});

test('a visitor sees what their token did, and erases that', async (t) => {
  const page = await openTab(t, service.url);
  await getAccess(page, 'erasing@example.org');
  await seeRecord(page);
  await page.getByRole('cell', { name: 'Get candidate' }).waitFor();
  await eraseRecord(page);
  assert.equal(await page.getByRole('row').count(), 0);
  await page.getByRole('button', { name: 'Back to the profile' }).click();
  await page.getByRole('heading', { name: 'Experience' }).waitFor();
});

test('a copy button puts the whole text with the token on the clipboard', async (t) => {
  const page = await openTab(t, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await getAccess(page);
  const token = await page.locator('#token').textContent();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByText('Claude Code with your token').click();
  await page.locator('[data-copy="claude-code"]').click();
  await page.locator('[data-copy="claude-code"]', { hasText: 'Copied' }).waitFor();
  assert.equal(
    await copied(),
    `claude mcp add --transport http dr-lena-vasquez \\\n  ${service.url}/mcp \\\n  --header "Authorization: Bearer ${token}"`,
  );
  await page.locator('[data-copy="token"]').click();
  await page.locator('[data-copy="token"]', { hasText: 'Copied' }).waitFor();
  assert.equal(await copied(), token);
});

test('reloading the page after a message sends it once, and going back shows nothing that the browser kept', async (t) => {
  const page = await openTab(t, service.url);
  await getAccess(page);
  await writeMessage(page, 'Once');
  const sent = page.getByText('Your message was sent.');
  await sent.waitFor();
  const count = messages().length;
  await page.reload();
  await sent.waitFor();
  // Chromium asks whether to send the form again, because a page with a token is not stored.
  await assert.rejects(page.goBack(), /ERR_CACHE_MISS/);
  assert.equal(messages().length, count);
});

test('what was typed is still there after a wrong address', async (t) => {
  const page = await openTab(t, service.url);
  await page.goto('/');
  await skipBrowserChecks(page);
  await page.getByLabel('Your e-mail address').fill('ada@');
  await page.getByRole('button', { name: 'Get access' }).click();
  await page.getByText('Enter one e-mail address, such as ada@example.com.').waitFor();
  assert.equal(await page.getByLabel('Your e-mail address').inputValue(), 'ada@');
});

test('a token that the visitor keeps opens the profile by itself, until they forget it', async (t) => {
  const page = await openTab(t, service.url);
  await getAccess(page);
  await page.getByLabel('Keep it in this browser').check();
  await page.goto('/');
  await page.getByRole('heading', { name: 'Experience' }).waitFor();
  await page.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('button', { name: 'Get access' }).waitFor();
  await page.goto('/');
  await page.getByRole('button', { name: 'Get access' }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.length), 0);
});

test('a kept token stays when something else is wrong, and is dropped once it is refused', async (t) => {
  const page = await openTab(t, service.url);
  await getAccess(page);
  await page.getByLabel('Keep it in this browser').check();
  const stale = page.locator('form[action="/profile/record"] [name=form_token]');
  await stale.evaluate((field: HTMLInputElement) => field.setAttribute('value', '1.x'));
  await page.getByRole('button', { name: 'What your token did' }).click();
  await page.getByText('the page was open for more than a day').waitFor();
  assert.equal(await page.evaluate(() => localStorage.length), 1);
  await page.evaluate(() => localStorage.setItem('candidate-profile token', 'a.b.c'));
  await page.goto('/');
  await page.getByText('This token is not valid').waitFor();
  assert.equal(await page.evaluate(() => localStorage.length), 0);
});
