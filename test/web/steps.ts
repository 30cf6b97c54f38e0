import type { Page } from 'playwright-core';
import type { openInbox } from '../support/inbox.ts';
import { eventually } from '../support/process.ts';
import { setupCode } from '../support/setup.ts';

/** Asks for access with an address, and waits for the profile. */
export async function getAccess(page: Page, email = 'ada@example.org', { isRemembered = false } = {}): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Your e-mail address').fill(email);
  if (isRemembered) await page.getByLabel('Remember me on this device').first().check();
  await page.getByRole('button', { name: 'Open the profile' }).click();
  await seeProfile(page);
}

/** Waits for the profile. */
export const seeProfile = (page: Page): Promise<void> => page.getByRole('button', { name: 'Send message' }).waitFor();

/** Waits for the page before access. */
export const seeLanding = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Open the profile' }).waitFor();

/** Opens what is for programs, at the foot of the profile. */
export const openPrograms = (page: Page): Promise<void> => page.getByText('For your assistant or your code').click();

/** Asks to see the token, and returns it. */
export async function showToken(page: Page): Promise<string> {
  await openPrograms(page);
  await page.getByRole('button', { name: 'Show my token' }).click();
  return (await page.locator('#token').textContent())!;
}

/** Sends a message from the page of the profile. */
export async function writeMessage(
  page: Page,
  message: string,
  name = 'Ada Example',
  company = 'Engines',
): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Company').fill(company);
  await page.getByLabel('Message').fill(message);
  await page.getByRole('button', { name: 'Send message' }).click();
}

/** Goes from the profile to what the candidate sees, which is recorded within a second or two. */
export async function seeRecord(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^What .* sees of you$/ }).click();
  await eventually(async () => {
    if ((await page.getByRole('row').count()) > 1) return true;
    await page.reload();
    return false;
  });
}

/** Erases what is recorded. */
export async function eraseRecord(page: Page): Promise<void> {
  await page.getByText('Erase it').click();
  await page.getByRole('button', { name: 'Erase the record' }).click();
  await page.getByText('The record was erased on').waitFor();
}

/** Gets a token on the page of the reference, for the calls that are tried there. */
export async function getTokenOfDocs(page: Page): Promise<void> {
  await page.goto('/docs');
  await page.locator('#access-try-email').fill('ada@example.org');
  await page.getByRole('button', { name: 'Get a token' }).click();
  await page.locator('#access-shown').getByText('200 OK').waitFor();
}

/** Lets the service check what is typed, instead of the browser. */
export const skipBrowserChecks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const form of document.forms) form.noValidate = true;
  });

/** Asks for a link to the desk, and returns the one in the mail. */
export async function askForLink(
  page: Page,
  { received }: Pick<Awaited<ReturnType<typeof openInbox>>, 'received'>,
): Promise<string> {
  const count = received.length;
  await page.goto('/desk');
  await page.getByRole('button', { name: 'E-mail me a link' }).click();
  await page.waitForURL('**/desk/sign-in/sent');
  const mail = await eventually(
    () => received.slice(count).find(({ email }) => email.subject === 'Sign in to your desk') ?? false,
  );
  return /^http\S+$/m.exec(mail.email.text ?? '')![0];
}

/** Signs the owner in with a link from a mail. */
export async function signIn(
  page: Page,
  inbox: Pick<Awaited<ReturnType<typeof openInbox>>, 'received'>,
): Promise<void> {
  await page.goto(await askForLink(page, inbox));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Desk' }).waitFor();
}

/** Enters a code at the desk of a service without a profile. */
export async function enterSetupCode(page: Page, code = setupCode): Promise<void> {
  await page.goto('/desk');
  await page.getByLabel('The code').fill(code);
  await page.getByRole('button', { name: 'Put a profile here' }).click();
}
