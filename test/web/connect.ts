import type { Page } from 'playwright-core';
import { eventually } from '../support/process.ts';
import type { Served } from './served.ts';

type Service = Pick<Served, 'url' | 'inbox'>;

/** Opens the first page of a request of a client that has just registered. */
export async function askToConnect(
  page: Page,
  { url }: Pick<Service, 'url'>,
  {
    name = 'Claude',
    redirectUri = 'https://claude.ai/api/mcp/auth_callback',
    scope = 'profile:read',
  }: { readonly name?: string; readonly redirectUri?: string; readonly scope?: string } = {},
): Promise<void> {
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const parameters = {
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    scope,
    code_challenge: 'I6VJnq_ZE6Iew5Be1Pyh2Sfjknj0ULteaeVXZI-T6B8',
    code_challenge_method: 'S256',
  };
  await page.goto(`${url}/oauth/authorize?${new URLSearchParams(parameters)}`);
}

let visitors = 0;

/** Enters an address that no test has used, to which a code is sent, and returns it. */
export async function enterAddress(page: Page): Promise<string> {
  visitors += 1;
  const address = `visitor-${visitors}@example.org`;
  await page.getByLabel('Your e-mail address').fill(address);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
  return address;
}

export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('The code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Returns the code that was sent to an address, the last of so many mails. */
export async function codeSentTo({ inbox: { received } }: Service, address: string, count = 1): Promise<string> {
  const mail = await eventually(() => received.filter(({ to }) => to[0] === address)[count - 1] ?? false);
  return /^\d{6}$/m.exec(mail.email.text ?? '')![0];
}

/** Returns another code than the one that was sent. */
export const otherCode = async (service: Service, address: string): Promise<string> =>
  (await codeSentTo(service, address)) === '000000' ? '000001' : '000000';
