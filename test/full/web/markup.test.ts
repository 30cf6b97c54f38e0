import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import { samplePath } from '../../../src/service/config/config.ts';
import { openBrowser } from '../../support/browser.ts';
import { postJson } from '../../support/post-json.ts';
import { getAccess, getTokenOfDocs, signIn, skipBrowserChecks, writeMessage } from '../../web/steps.ts';
import { openOwnService } from '../../web/visits.ts';

/** Opens a dialog, which fails a test, in whatever context it becomes markup. */
const payload =
  '"\'><img src=x onerror=alert(1)><svg onload=alert(2)></svg></textarea></title></script><script>alert(3)</script><a href="javascript:alert(4)">x</a>';

/** Whether the value of a key must stay as it is for the profile to be valid. */
const isFixed = (key: string) => /^(id|owner_email|email|accent|url|live|github|details)$|date$/.test(key);

function withPayload(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return isFixed(key) ? value : `${value} ${payload}`;
  if (Array.isArray(value)) return value.map((item) => withPayload(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withPayload(item, name)]));
}

const sample = parse(readFileSync(samplePath, 'utf8')) as Record<string, unknown>;
const profile = {
  ...(withPayload(sample) as object),
  public: ['name', 'title', 'location', 'summary', 'years_experience', 'domains'],
};
const service = await openOwnService({ after }, { document: JSON.stringify(profile) });
const { openTab } = await openBrowser({ after });

// Without the policy, which would stop a script that got into a page.
const options = { bypassCSP: true };

/** Fails if a page has elements or attributes of the payload; if it ran, the tab has seen a dialog. */
async function holdsTextAlone(page: Page): Promise<void> {
  const found = await page
    .locator(
      'img[src="x"], [onerror], [onload], a[href^="javascript"], script:not([src], [type="application/ld+json"], [type="application/json"])',
    )
    .count();
  assert.equal(found, 0, page.url());
}

test('markup in any field of a profile is shown as text, before and after access, and at the desk', async (t) => {
  const page = await openTab(t, service.url, options);
  await page.goto('/');
  assert.ok((await page.locator('h1').textContent())!.includes(payload));
  for (const path of ['/', '/privacy', '/docs', '/docs/mcp', '/docs/client']) {
    await page.goto(path);
    await holdsTextAlone(page);
  }
  await getTokenOfDocs(page);
  await page.getByText('Examples are of this profile.').waitFor();
  const shown = await page.locator('#get_candidate-shown').textContent();
  assert.ok(shown!.includes(JSON.stringify(payload).slice(1, -1)), shown!);
  await holdsTextAlone(page);
  await getAccess(page);
  assert.ok((await page.locator('.summary').textContent())!.includes(payload));
  await holdsTextAlone(page);
  await page.goto('/profile/record');
  await holdsTextAlone(page);
  await signIn(page, service.inbox);
  for (const path of ['/desk', '/desk/profile/yaml', '/desk/profile/history']) {
    await page.goto(path);
    await holdsTextAlone(page);
  }
  for (const view of ['', '#look', '#seen', '#versions']) {
    await page.goto(`/desk/profile${view}`);
    await page.reload();
    await page.locator('.ed-middle h1').first().waitFor();
    await page.locator('.things').waitFor();
    await holdsTextAlone(page);
  }
  await page.goto('/desk/profile');
  assert.ok((await page.locator('h1').textContent())!.includes(payload));
});

test('markup that a visitor types or sends is shown as text, to the visitor and to the owner', async (t) => {
  const page = await openTab(t, service.url, options);
  await page.goto('/');
  await skipBrowserChecks(page);
  await page.getByLabel('Your e-mail address').fill(payload);
  await page.getByRole('button', { name: 'Open the profile' }).click();
  await page.locator('#email-fault').waitFor();
  assert.equal(await page.getByLabel('Your e-mail address').inputValue(), payload);
  await holdsTextAlone(page);

  await getAccess(page);
  await skipBrowserChecks(page);
  await writeMessage(page, payload, payload, payload);
  await page.getByText('Your message was sent.').waitFor();
  await holdsTextAlone(page);
  await skipBrowserChecks(page);
  await writeMessage(page, payload, payload, ' ');
  await page.locator('#write-company-fault').waitFor();
  assert.equal(await page.getByLabel('Message').inputValue(), payload);
  await holdsTextAlone(page);

  const token = await service.token("o'hara`{1}=@example.org");
  const authorization = `Bearer ${token}`;
  await fetch(`${service.url}/experience`, { headers: { authorization, 'user-agent': payload } });
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: payload, version: payload } },
  };
  await fetch(
    `${service.url}/mcp`,
    postJson(hello, { authorization, accept: 'application/json, text/event-stream', 'user-agent': payload }),
  );

  await signIn(page, service.inbox);
  const query = encodeURIComponent(payload);
  for (const path of [
    '/desk',
    '/desk/readers',
    `/desk/readers?q=${query}&since=${query}&done=${query}`,
    '/desk/inbox',
    `/desk/inbox?q=${query}&state=${query}&done=${query}`,
    `/desk/mail?queued=${query}`,
    `/desk/availability?saved=${query}`,
    `/desk/sign-in?to=${query}`,
    `/desk/sign-in?link=${query}`,
    `/${query}`,
    `/desk/readers/${query}`,
  ]) {
    await page.goto(path);
    await holdsTextAlone(page);
  }
  await page.goto('/desk/inbox');
  await page.locator('.who').first().click();
  await page.locator('.message').waitFor();
  assert.equal(await page.locator('.message').textContent(), payload);
  await holdsTextAlone(page);
  for (const reader of ['ada@example.org', "o'hara"]) {
    await page.goto('/desk/readers');
    await page.getByRole('link', { name: reader }).click();
    await holdsTextAlone(page);
  }
});
