import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { openBrowser, sidewaysScroll } from '../../support/browser.ts';
import { openServed } from '../../web/served.ts';
import { getAccess, seeProfile, showToken, writeMessage } from '../../web/steps.ts';

const service = await openServed({ after });
const { browser, openTab } = await openBrowser({ after });

const messages = () => service.rows('select message from contacts').map(({ message }) => message);

// Without JavaScript, Back is the browser's page that asks to send the form again.
test('Back after a message whose session had ended shows the profile', async (t) => {
  const page = await openTab(t, service.url);
  await getAccess(page, 'ended@example.org');
  const ended = "select jti from issued_tokens where subject = 'ended@example.org'";
  service.rows(`delete from page_sessions where jti in (${ended})`);
  await writeMessage(page, 'After the end');
  await page.getByText('Your access from this browser has ended').waitFor();
  await page.getByRole('button', { name: 'Open the profile' }).first().click();
  await page.getByText('Your message was sent.').waitFor();
  await page.goBack();
  await seeProfile(page);
  assert.equal(messages().filter((message) => message === 'After the end').length, 1);
});

test('on a phone, the command that prints a link to the desk wraps, however long its folder is', async (t) => {
  const page = await openTab(t, service.url, { viewport: { width: 320, height: 800 } });
  for (const path of ['/desk', '/desk/sign-in/sent']) {
    await page.goto(path);
    await page.locator('.sign-in code').evaluate((code) => {
      code.textContent = `node /srv/${'services/'.repeat(20)}src/main.ts desk`;
    });
    assert.equal(await sidewaysScroll(page), 0, path);
  }
});

test('before access, a visitor copies the address for their assistant, and needs no token', async (t) => {
  const page = await openTab(t, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/');
  await page.getByText('How', { exact: true }).click();
  await page.locator('[data-copy="claude-address"]').click();
  await page.locator('[data-copy="claude-address"]', { hasText: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${service.url}/mcp`);
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
  assert.equal(messages().at(-1), 'By keys');
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

test('the browser asks before a typed message is lost: not for a file, when it is sent, or without one', async (t) => {
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

test('a page of another site cannot use a visit: its form and scripts get nothing, and the visit goes on [TRUST-75]', async (t) => {
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
  const issued = "select jti from issued_tokens where subject = 'theft@example.org'";
  assert.equal(service.rows(issued).length, 1);
});
