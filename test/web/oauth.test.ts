import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { launchChromium } from '../support/chromium.ts';
import type { Cleanup } from '../support/files.ts';
import { startProcess } from '../support/process.ts';
import { codeSentTo, enterAddress, enterCode, otherCode } from './connect.ts';
import { openOwnService } from './visits.ts';

/** A program on this computer that waits for the visitor to come back. */
async function openClient(t: Cleanup, serviceUrl: string, name: string) {
  const server = createServer((_request, response) => void response.end('<h1>Back</h1>')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const registered = await fetch(`${serviceUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    code_challenge: 'I6VJnq_ZE6Iew5Be1Pyh2Sfjknj0ULteaeVXZI-T6B8',
    code_challenge_method: 'S256',
  });
  return { redirectUri, url: `${serviceUrl}/oauth/authorize?${parameters}` };
}

test('in a browser without JavaScript, a visitor allows one client and refuses another in the tab beside it', async (t) => {
  const service = await startProcess(t);
  const reader = await openClient(t, service.baseUrl, 'Reader');
  const other = await openClient(t, service.baseUrl, 'Other');
  const browser = await launchChromium();
  t.after(() => browser.close());
  const context = await browser.newContext({ javaScriptEnabled: false });
  const [first, second] = [await context.newPage(), await context.newPage()];
  await first.goto(reader.url);
  await second.goto(other.url);
  for (const [tab, client] of [
    [first, 'Reader'],
    [second, 'Other'],
  ] as const) {
    await tab.getByLabel('Your e-mail address').fill('ada@example.org');
    await tab.getByRole('button', { name: 'Continue' }).click();
    assert.equal(await tab.getByRole('heading').innerText(), `${client} asks to read this profile`);
  }
  await first.getByRole('button', { name: 'Allow', exact: true }).click();
  await first.getByRole('heading', { name: 'Back' }).waitFor();
  const allowed = new URL(first.url());
  assert.equal(allowed.origin + allowed.pathname, reader.redirectUri);
  assert.ok(allowed.searchParams.has('code'));
  await second.getByRole('button', { name: 'Don’t allow' }).click();
  await second.getByRole('heading', { name: 'Back' }).waitFor();
  const refused = new URL(second.url());
  assert.equal(refused.origin + refused.pathname, other.redirectUri);
  assert.equal(refused.searchParams.get('error'), 'access_denied');
});

test('without JavaScript, a visitor enters a wrong code, gets a new one, goes to another address and allows the client', async (t) => {
  const service = await openOwnService(t);
  const { url, redirectUri } = await openClient(t, service.url, 'Reader');
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(url);
  const address = await enterAddress(page);
  await enterCode(page, await otherCode(service, address));
  await page.getByText('4 tries are left.').waitFor();
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await page.getByText('A new code was sent.').waitFor();
  await enterCode(page, await codeSentTo(service, address, 2));
  await page.getByText('Confirmed by the code that was sent to it.').waitFor();
  await page.getByRole('button', { name: 'Use another address' }).click();
  await enterCode(page, await codeSentTo(service, await enterAddress(page)));
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByRole('heading', { name: 'Back' }).waitFor();
  const allowed = new URL(page.url());
  assert.equal(allowed.origin + allowed.pathname, redirectUri);
  assert.ok(allowed.searchParams.has('code'));
});
