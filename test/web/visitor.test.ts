import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { openBrowser } from '../support/browser.ts';
import { rowsOf } from '../support/database.ts';
import { startProcess } from '../support/process.ts';

import {
  eraseRecord,
  getAccess,
  openPrograms,
  seeProfile,
  seeRecord,
  showToken,
  skipBrowserChecks,
  writeMessage,
} from './steps.ts';

const service = await startProcess({ after });
const { browser, openTab } = await openBrowser({ after });

const count = (query: string) => Number(rowsOf(`${service.folder}/data/candidate-profile.db`, query)[0]!.n);
const tokensOf = (email: string) => count(`select count(*) as n from issued_tokens where subject = '${email}'`);
const noticesOf = (email: string) =>
  count(`select count(*) as n from outbox join issued_tokens on jti = about where issued_tokens.subject = '${email}'`);

const messages = () => rowsOf(`${service.folder}/data/candidate-profile.db`, 'select name, message from contacts');

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('a visitor comes from an address to the profile, the PDF and a message', async (t) => {
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(page);
      await page.getByText('Led a six-engineer working group').waitFor();

      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download PDF' }).click();
      const download = await downloading;
      assert.equal(readFileSync(await download.path(), 'latin1').slice(0, 5), '%PDF-');

      const message = `Hello, ${javaScriptEnabled ? 'with' : 'without'}`;
      await writeMessage(page, message);
      await page.getByText('Your message was sent. The answer will come to ada@example.org.').waitFor();
      assert.deepEqual({ ...messages().at(-1) }, { name: 'Ada Example', message });
    });

    test('a visit is a visit: reload, Back, other pages, a second day, another browser and leaving, with one token and one notice', async (t) => {
      const email = `visit-${javaScriptEnabled}@example.org`;
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(page, email, { isRemembered: true });
      const seeLanding = () => page.getByRole('button', { name: 'Open the profile' }).waitFor();

      await page.reload();
      await seeProfile(page);
      // To the page with the form, whose address has the profile now.
      await page.goBack();
      await seeProfile(page);
      await page.goForward();
      for (const link of ['What is kept', 'Reference', 'MCP']) {
        // What is for the visitor is seen without opening what is for programs.
        if (link !== 'What is kept' && !(await page.locator('.foot nav').isVisible())) await openPrograms(page);
        await page.locator('.foot').getByRole('link', { name: link, exact: true }).click();
        await page.locator('main h1').waitFor();
        await page.goBack();
        await seeProfile(page);
      }
      await page.getByRole('link', { name: /^What .* sees of you$/ }).click();
      await page.goBack();
      await seeProfile(page);

      await writeMessage(page, 'Once');
      const sent = page.getByText('Your message was sent.');
      await sent.waitFor();
      const written = messages().length;
      await page.reload();
      await seeProfile(page);
      assert.equal(await sent.count(), 0);
      await page.goBack();
      await seeProfile(page);
      assert.equal(messages().length, written);

      // Another day: the browser has kept the cookies that have an expiry.
      const { cookies } = await page.context().storageState();
      const kept = cookies.filter(({ expires }) => expires > Date.now() / 1_000 + 29 * 86_400);
      const nextDay = await openTab(t, service.url, {
        javaScriptEnabled,
        storageState: { cookies: kept, origins: [] },
      });
      await nextDay.goto('/');
      await seeProfile(nextDay);
      assert.deepEqual([tokensOf(email), noticesOf(email)], [1, 1]);

      const other = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(other, email);
      assert.deepEqual([tokensOf(email), noticesOf(email)], [2, 1]);
      await other.getByRole('button', { name: 'Leave' }).click();
      await other.getByText('You have left, and your access has ended.').waitFor();
      await other.goBack();
      await other.getByRole('button', { name: 'Open the profile' }).waitFor();

      await page.reload();
      await seeProfile(page);
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.getByText('You have left').waitFor();
      assert.deepEqual(await page.context().cookies(), []);
      for (const go of [() => page.goto('/'), () => page.goBack(), () => page.goto('/profile/record')]) {
        await go();
        await seeLanding();
      }
      assert.deepEqual([tokensOf(email), noticesOf(email)], [2, 1]);
    });

    test('a browser that is not asked to remember forgets the visit when it is closed', async (t) => {
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(page);
      const [cookie, ...others] = await page.context().cookies();
      assert.deepEqual(
        [cookie!.name, cookie!.expires, cookie!.httpOnly, cookie!.sameSite],
        ['visitor', -1, true, 'Lax'],
      );
      assert.deepEqual(others, []);
      await openPrograms(page);
      await page.getByText('The profile stays open in this browser until you close it.').waitFor();
    });

    test('faults of the form come back with what was typed, and Back from there is the profile', async (t) => {
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(page);
      if (javaScriptEnabled) await skipBrowserChecks(page);
      await writeMessage(page, 'Typed', ' ', ' ');
      await page.locator('#write-name-fault').waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-labelledby')), 'problem');
      await page.getByRole('link', { name: 'Company is required' }).click();
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'write-company');
      assert.equal(await page.getByLabel('Message').inputValue(), 'Typed');
      // From the field to the faults, and from there.
      await page.goBack();
      await page.goBack();
      await seeProfile(page);
      assert.equal(await page.locator('#write-name-fault').count(), 0);
    });

    test('Back after a corrected form shows the profile', async (t) => {
      const email = `corrected-${javaScriptEnabled}@example.org`;
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await page.goto('/');
      await skipBrowserChecks(page);
      const enter = () => page.getByRole('button', { name: 'Open the profile' }).first().click();
      await page.getByLabel('Your e-mail address').fill('corrected@');
      await page.getByLabel('Remember me on this device').first().check();
      await enter();
      await page.locator('#email-fault').waitFor();
      await page.reload();
      await page.locator('#email-fault').waitFor();
      assert.equal(await page.getByLabel('Your e-mail address').inputValue(), 'corrected@');
      assert.equal(await page.getByLabel('Remember me on this device').first().isChecked(), true);
      assert.equal(new URL(page.url()).search, '?wrong=address');
      await page.getByLabel('Your e-mail address').fill(email);
      await enter();
      await seeProfile(page);
      assert.deepEqual(
        (await page.context().cookies()).map(({ name }) => name),
        ['visitor'],
      );
      await page.goBack();
      await seeProfile(page);
      await page.goForward();
      await seeProfile(page);

      if (javaScriptEnabled) await skipBrowserChecks(page);
      await writeMessage(page, 'Twice', ' ', ' ');
      await page.locator('#write-name-fault').waitFor();
      await page.reload();
      await page.locator('#write-name-fault').waitFor();
      await writeMessage(page, 'Twice');
      await page.getByText('Your message was sent.').waitFor();
      const written = messages().length;
      await page.goBack();
      await seeProfile(page);
      assert.equal(page.url(), `${service.url}/`);
      assert.equal(await page.getByLabel('Message').inputValue(), '');
      assert.equal(messages().length, written);
      assert.deepEqual([tokensOf(email), noticesOf(email)], [1, 1]);
    });

    // Without JavaScript, Back is the browser's page that asks to send the form again.
    if (javaScriptEnabled)
      test('Back after a message whose session had ended shows the profile', async (t) => {
        const page = await openTab(t, service.url);
        await getAccess(page, 'ended@example.org');
        const ended = "select jti from issued_tokens where subject = 'ended@example.org'";
        rowsOf(`${service.folder}/data/candidate-profile.db`, `delete from page_sessions where jti in (${ended})`);
        await writeMessage(page, 'After the end');
        await page.getByText('Your access from this browser has ended').waitFor();
        await page.getByRole('button', { name: 'Open the profile' }).first().click();
        await page.getByText('Your message was sent.').waitFor();
        await page.goBack();
        await seeProfile(page);
        assert.equal(messages().filter(({ message }) => message === 'After the end').length, 1);
      });

    test('each program has a tab with its lines, in which a selection has the whole token', async (t) => {
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(page);
      const token = await showToken(page);
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
        assert.ok(lines.includes(text) && lines.includes(token), name);
      }
    });

    test('the tab of the program that was chosen stays open when the token is shown', async (t) => {
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(page);
      await openPrograms(page);
      await page.getByText('VS Code', { exact: true }).click();
      await page.getByRole('button', { name: 'Show my token' }).click();
      await page.locator('#token').waitFor();
      assert.equal(await page.getByRole('radio', { checked: true }).getAttribute('value'), 'vs-code');
      assert.equal(await page.locator('#tab-vs-code + label + .panel').isVisible(), true);
    });
  });

test('before access, a visitor copies the address for their assistant, and needs no token', async (t) => {
  const page = await openTab(t, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/');
  await page.getByText('How', { exact: true }).click();
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
  await tabTo('For your assistant or your code');
  await page.keyboard.press('Enter');
  await tabTo('Claude');
  await page.keyboard.press('ArrowRight');
  await page.getByText('turn on Developer mode').waitFor();
  await tabTo('Show my token');
  await page.keyboard.press('Enter');
  await page.locator('#token').waitFor();
  await tabTo('Leave');
  await page.keyboard.press('Enter');
  await page.getByText('You have left.').waitFor();
});

test('a visitor sees what the candidate sees of them, and erases that', async (t) => {
  const page = await openTab(t, service.url);
  await getAccess(page, 'erasing@example.org');
  await seeRecord(page);
  await page.getByRole('cell', { name: /^Opened the page/ }).waitFor();
  await eraseRecord(page);
  assert.equal(await page.getByRole('row').count(), 0);
  await page.getByRole('link', { name: 'Back to the profile' }).click();
  await page.getByRole('heading', { name: 'Experience' }).waitFor();
});

test('a copy button puts the whole text with the token on the clipboard', async (t) => {
  const page = await openTab(t, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await getAccess(page);
  const token = await showToken(page);
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

test('what was typed is still there after a wrong address', async (t) => {
  const page = await openTab(t, service.url);
  await page.goto('/');
  await skipBrowserChecks(page);
  await page.getByLabel('Your e-mail address').fill('ada@');
  await page.getByRole('button', { name: 'Open the profile' }).click();
  await page.getByText('Enter one e-mail address, such as ada@example.com.').waitFor();
  assert.equal(await page.getByLabel('Your e-mail address').inputValue(), 'ada@');
});

test('the browser asks before a message that is typed is lost: not for a file, when it is sent, or without one', async (t) => {
  const page = await openTab(t, service.url);
  const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await getAccess(page, 'writing@example.org');
  assert.equal(await asks(), false);
  await page.getByLabel('Message').fill('Half a message');
  assert.equal(await asks(), true);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save contact' }).click();
  await downloading;
  assert.equal(await asks(), true);
  await writeMessage(page, 'A whole message');
  await page.getByText('Your message was sent.').waitFor();
  assert.equal(await asks(), false);
});

test('a page of another site cannot use a visit: its form and its scripts get nothing, and the visit goes on [TRUST-75]', async (t) => {
  const other = createServer((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<form method="post" action="${service.url}/profile/leave"><button>Claim your prize</button></form>`),
  );
  other.listen(0, 'localhost');
  await once(other, 'listening');
  t.after(() => void other.close());
  const context = await browser.newContext({ baseURL: service.url });
  t.after(() => context.close());
  const page = await context.newPage();
  await getAccess(page, 'theft@example.org');
  await page.goto(`http://localhost:${(other.address() as AddressInfo).port}`);
  const read = (path: string, init: { method?: 'POST'; credentials: 'include'; mode?: 'no-cors' }) =>
    page.evaluate(
      ([url, options]) =>
        fetch(url, options).then(
          (response) => response.type,
          (error: Error) => error.message,
        ),
      [service.url + path, init] as const,
    );
  assert.equal(await read('/profile/session', { credentials: 'include' }), 'Failed to fetch');
  assert.equal(await read('/', { credentials: 'include' }), 'Failed to fetch');
  const blind = { method: 'POST', credentials: 'include', mode: 'no-cors' } as const;
  assert.equal(await read('/profile/leave', blind), 'opaque');
  await page.getByRole('button', { name: 'Claim your prize' }).click();
  await page.getByText('This was not sent from a page of this site').waitFor();
  await page.goto(service.url);
  await seeProfile(page);
  assert.equal(tokensOf('theft@example.org'), 1);
});
