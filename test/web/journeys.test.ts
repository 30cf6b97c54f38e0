import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, pageFaults } from '../support/browser.ts';
import { resumeFile } from '../support/files.ts';
import { postJson } from '../support/post-json.ts';
import { eventually } from '../support/process.ts';
import { setupCode } from '../support/setup.ts';
import { askToConnect, codeSentTo, enterAddress, enterCode, otherCode } from './connect.ts';
import { openServed } from './served.ts';
import {
  enterSetupCode,
  eraseRecord,
  getAccess,
  seeLanding,
  seeProfile,
  seeRecord,
  showToken,
  signIn,
  skipBrowserChecks,
  writeMessage,
} from './steps.ts';

// One browser and one service for what only a browser shows. What the pages say is tested in test/pages.

const { openTab } = await openBrowser({ after });
const service = await openServed({ after }, { env: { VERIFY_EMAIL: 'on' } });

const fits = async (page: Page) => assert.deepEqual(await pageFaults(page), {});
/** Publishes what the editor has. */
async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Publish (\d|your)/ }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('heading', { name: 'Published', exact: true }).waitFor();
}
const status = async (token: string) =>
  (await fetch(`${service.url}/experience`, { headers: { authorization: `Bearer ${token}` } })).status;

for (const javaScriptEnabled of [true, false])
  describe(`a visitor ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    const email = `ada-${javaScriptEnabled}@example.org`;
    const messages = () =>
      service.rows(`select message from contacts where email = '${email}'`).map(({ message }) => message);

    test('comes from an address to the profile, the PDF and a message; Back and reload repeat nothing', async (t) => {
      const page = await openTab(t, service.url, { javaScriptEnabled });
      await page.goto('/');
      if (javaScriptEnabled) await fits(page);
      await skipBrowserChecks(page);
      await page.getByLabel('Your e-mail address').fill('ada@');
      await page.getByLabel('Remember me on this device').first().check();
      await page.getByRole('button', { name: 'Open the profile' }).click();
      await page.getByText('Enter one e-mail address, such as ada@example.com.').waitFor();
      assert.equal(await page.getByLabel('Your e-mail address').inputValue(), 'ada@');
      assert.equal(await page.getByLabel('Remember me on this device').first().isChecked(), true);
      await page.getByLabel('Your e-mail address').fill(email);
      await page.getByRole('button', { name: 'Open the profile' }).first().click();
      await seeProfile(page);
      if (javaScriptEnabled) await fits(page);

      await page.goBack();
      await seeProfile(page);
      await page.goForward();
      await page.reload();
      await seeProfile(page);
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download PDF' }).click();
      assert.equal(readFileSync(await (await downloading).path(), 'latin1').slice(0, 5), '%PDF-');

      if (javaScriptEnabled) await skipBrowserChecks(page);
      await writeMessage(page, 'Typed', ' ', ' ');
      await page.locator('#write-name-fault').waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-labelledby')), 'problem');
      await page.getByRole('link', { name: 'Company is required' }).click();
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'write-company');
      assert.equal(await page.getByLabel('Message').inputValue(), 'Typed');
      await writeMessage(page, 'Hello');
      await page.getByText(`Your message was sent. The answer will come to ${email}.`).waitFor();
      await page.reload();
      await seeProfile(page);
      await page.goBack();
      await seeProfile(page);
      assert.equal(await page.getByLabel('Message').inputValue(), '');
      assert.deepEqual(messages(), ['Hello']);
    });

    test('comes back another day, sees and erases the record, and leaves, with one token and one notice', async (t) => {
      const reader = `back-${javaScriptEnabled}@example.org`;
      const count = (of: string) => Number(service.rows(`select count(*) as n from ${of}`)[0]!.n);
      const issued = () => [
        count(`issued_tokens where subject = '${reader}'`),
        count(`outbox join issued_tokens on jti = about where issued_tokens.subject = '${reader}'`),
      ];
      const first = await openTab(t, service.url, { javaScriptEnabled });
      await getAccess(first, reader, { isRemembered: true });
      const { cookies } = await first.context().storageState();
      const kept = cookies.filter(({ expires }) => expires > Date.now() / 1_000 + 29 * 86_400);
      const page = await openTab(t, service.url, { javaScriptEnabled, storageState: { cookies: kept, origins: [] } });
      await page.goto('/');
      await seeProfile(page);
      const token = await showToken(page);
      await page.getByText('VS Code', { exact: true }).click();
      const panel = page.locator('.panel:visible');
      assert.equal(await panel.count(), 1);
      const lines = (await panel.locator('pre').allTextContents()).join('\n');
      assert.ok(lines.includes('"servers"') && lines.includes(token));
      await seeRecord(page);
      await page.getByRole('cell', { name: /^Opened the page/ }).waitFor();
      await eraseRecord(page);
      await page.getByRole('link', { name: 'Back to the profile' }).click();
      await seeProfile(page);
      assert.deepEqual(issued(), [1, 1]);
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.getByText('You have left').waitFor();
      for (const go of [() => page.goBack(), () => page.goto('/profile/record')]) {
        await go();
        await seeLanding(page);
      }
      // The token that was shown may be in a program: it stays valid.
      assert.equal(await status(token), 200);
      assert.deepEqual(issued(), [1, 1]);
    });
  });

describe('somebody with a link', () => {
  test('opens it on a phone without JavaScript and writes; the owner who made it is told, and ends it', async (t) => {
    const owner = await openTab(t, service.url);
    await signIn(owner, service.inbox);
    await owner.getByRole('link', { name: 'Share' }).click();
    await owner.getByLabel('For whom').fill('Acme, staff engineer');
    await owner.getByRole('button', { name: 'Make the link' }).click();
    await owner.getByText('The link for Acme, staff engineer.').waitFor();
    assert.ok((await owner.getByRole('button', { name: 'Copy' }).count()) > 0);
    await fits(owner);
    const address = await owner.locator('#made-address').innerText();

    const phone = { viewport: { width: 320, height: 640 }, javaScriptEnabled: false };
    const visitor = await openTab(t, service.url, phone);
    await visitor.goto(address);
    await visitor.getByRole('button', { name: 'Open the profile' }).click();
    await visitor.getByText('You are here through a link.').waitFor();
    assert.equal(new URL(visitor.url()).pathname, '/');
    await visitor.getByLabel('Your e-mail address').fill('grace@example.org');
    await writeMessage(visitor, 'Through the link');
    await visitor.getByText('Your message was sent.').waitFor();

    await owner.getByRole('link', { name: 'Today' }).click();
    await owner.getByText('Acme, staff engineer was opened for the first time').waitFor();
    await owner.getByRole('link', { name: 'Share' }).click();
    const row = owner.getByRole('row').filter({ hasText: 'Acme, staff engineer' });
    await row.getByText('wrote').waitFor();
    await row.getByText('End', { exact: true }).click();
    await row.getByRole('button', { name: 'End the link' }).click();
    await owner.getByText('The link has ended').waitFor();

    await visitor.goto('/');
    await visitor.getByText('Your access from this browser has ended').waitFor();
    assert.equal((await visitor.goto(address))?.status(), 404);
  });
});

for (const javaScriptEnabled of [true, false])
  describe(`an owner ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test('puts a first profile on an empty volume by a code and a resume, in six actions', async (t) => {
      const own = await openServed(t, { env: { SETUP_CODE: setupCode }, document: null });
      const page = await openTab(t, own.url, { javaScriptEnabled });
      await page.goto('/');
      await page.getByText('Nothing here yet').waitFor();
      // Two: typing the code, and sending it.
      await enterSetupCode(page);
      if (javaScriptEnabled) await fits(page);
      await page.getByLabel('Drop your resume here').setInputFiles(resumeFile('jsonresume-new-grad.json'));
      await page.getByRole('button', { name: 'Read it' }).click();
      await page.getByRole('link', { name: 'Look through it' }).click();
      if (javaScriptEnabled) await publish(page);
      else {
        await page.getByRole('link', { name: 'the file (YAML)' }).click();
        await page.getByRole('button', { name: 'Publish what is saved' }).click();
        await page.getByText('Published. Visitors get it from now on.').waitFor();
      }
      const { basics } = JSON.parse(readFileSync(resumeFile('jsonresume-new-grad.json'), 'utf8'));
      await page.goto('/');
      await page.getByRole('heading', { name: basics.name }).waitFor();
      const stranger = await openTab(t, own.url, { javaScriptEnabled });
      await stranger.goto('/desk');
      assert.equal(await stranger.getByLabel('The code').count(), 0);
    });
  });

describe('an owner in the editor', () => {
  test('adds a job by keys, mends a date, moves a line, sees it beside, publishes, and undoes it', async (t) => {
    const before = service.text();
    const page = await openTab(t, service.url, { viewport: { width: 1440, height: 1000 } });
    const press = (...keys: string[]) =>
      keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
    const choose = async (date: string, typed: string) => {
      await page.getByRole('button', { name: date }).press('Enter');
      await page.getByRole('textbox', { name: 'Typed' }).fill(typed);
      await press('Enter');
    };
    await signIn(page, service.inbox);
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await page.getByRole('button', { name: '+ Add a job' }).press('Enter');
    await page.keyboard.type('Acme');
    await press('Tab', 'Tab');
    await page.keyboard.type('Engineer');
    await choose('From of Engineer', 'March 2009');
    await choose('To of Engineer', '2008');
    const job = page.getByRole('article', { name: 'Acme' });
    await job
      .getByText(/before/)
      .first()
      .waitFor();
    await fits(page);
    await choose('To of Engineer', '2011');
    await page.getByRole('textbox', { name: 'Line 1 of Engineer' }).focus();
    await page.keyboard.type('Flew it');
    await press('Enter');
    await page.keyboard.type('Built it');
    await press('Alt+Shift+ArrowUp');
    await page.getByText('1 of 2').waitFor({ state: 'attached' });
    await page.getByRole('tab', { name: 'An assistant' }).click();
    await page.locator('.aside-view pre').filter({ hasText: '"company": "Acme"' }).first().waitFor();
    assert.equal(service.text(), before);
    await publish(page);
    const text = `
  - id: exp_acme
    company: Acme
    company_start_date: 2009-03
    company_end_date: 2011
    current: false
    summary: ""
    roles:
      - title: Engineer
        start_date: 2009-03
        end_date: 2011
        accomplishments:
          - Built it
          - Flew it
`;
    assert.equal(service.text().replace(`${text}\n`, '\n'), before);
    await page.locator('.published').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.published').waitFor({ state: 'detached' });
    assert.equal(service.text(), before);
  });
});

describe('a visitor whom a client asks, without JavaScript', () => {
  test('proves an address and allows it, refuses another in the tab beside it, and is sent back to each', async (t) => {
    const server = createServer((_request, response) => void response.end('<h1>Back</h1>')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => void server.close());
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const origins = [new URL(redirectUri).origin];
    const first = await openTab(t, service.url, { javaScriptEnabled: false, origins });
    const second = await first.context().newPage();
    await askToConnect(first, service, { name: 'Reader', redirectUri });
    await askToConnect(second, service, { name: 'Other', redirectUri });
    await second.getByRole('heading', { name: 'Connect Other' }).waitFor();

    const address = await enterAddress(first);
    await enterCode(first, await otherCode(service, address));
    await first.getByText('4 tries are left.').waitFor();
    await first.getByRole('button', { name: 'Send a new code' }).click();
    await first.getByText('A new code was sent.').waitFor();
    await enterCode(first, await codeSentTo(service, address, 2));
    await first.getByText('Confirmed by the code that was sent to it.').waitFor();
    await first.getByRole('button', { name: 'Use another address' }).click();
    await enterCode(first, await codeSentTo(service, await enterAddress(first)));
    await first.getByRole('heading', { name: 'Reader asks to read this profile' }).waitFor();

    await enterCode(second, await codeSentTo(service, await enterAddress(second)));
    await second.getByRole('heading', { name: 'Other asks to read this profile' }).waitFor();
    await second.getByRole('button', { name: 'Don’t allow' }).click();
    await second.getByRole('heading', { name: 'Back' }).waitFor();
    assert.equal(new URL(second.url()).searchParams.get('error'), 'access_denied');
    await first.getByRole('button', { name: 'Allow', exact: true }).click();
    await first.getByRole('heading', { name: 'Back' }).waitFor();
    const allowed = new URL(first.url());
    assert.equal(allowed.origin + allowed.pathname, redirectUri);
    assert.ok(allowed.searchParams.has('code'));
  });
});

describe('an owner at the desk on the second day', () => {
  test('sees who read, replies, ends a token by REST and MCP, and signs out, after which Back shows nothing', async (t) => {
    const token = await service.token('reader@example.org');
    assert.equal(await status(token), 200);
    const bearer = { authorization: `Bearer ${token}` };
    const contact = { name: 'Mary', email: 'mary@example.org', company: 'Engines', message: 'Shall we talk?' };
    await fetch(`${service.url}/contact`, postJson(contact, bearer));
    const page = await openTab(t, service.url, { timezoneId: 'Asia/Tokyo' });
    await signIn(page, service.inbox);
    await page.getByText('Times are in Asia/Tokyo (GMT+9), the time zone of this browser.').waitFor();
    await eventually(async () => {
      await page.reload();
      return (await page.locator('.chart g[tabindex]').count()) === 7;
    });
    await fits(page);
    const [bars, values] = [page.locator('.chart g[tabindex]'), page.locator('.chart .value:visible')];
    assert.deepEqual([await page.locator('.chart g[tabindex="0"]').count(), await values.count()], [1, 0]);
    await bars.last().focus();
    await page.keyboard.press('ArrowLeft');
    assert.deepEqual(await values.allTextContents(), [await bars.nth(5).getAttribute('aria-label')]);

    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('link', { name: 'Mary' }).click();
    await page.getByLabel('Your reply').fill('Gladly.');
    await page.getByRole('button', { name: 'Send the reply' }).click();
    await eventually(() => service.inbox.received.some(({ to }) => to[0] === 'mary@example.org'));

    await page.getByRole('link', { name: 'Readers', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'reader@example.org' });
    await row.getByText('Revoke', { exact: true }).click();
    await row.getByText('Ends the valid token of reader@example.org.').waitFor();
    await row.getByRole('button', { name: 'Revoke the token' }).click();
    await page.getByText('Ended 1 token. Requests with it are refused from now on.').waitFor();
    assert.equal(await status(token), 401);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_experience', arguments: {} } };
    const accept = { accept: 'application/json, text/event-stream' };
    assert.equal((await fetch(`${service.url}/mcp`, postJson(call, { ...bearer, ...accept }))).status, 401);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to your desk' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in to your desk' }).waitFor();
  });
});
