import type { Page } from 'playwright-core';

/** Asks for access with an address, and waits for the profile. */
export async function getAccess(page: Page, email = 'ada@example.org'): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Your e-mail address').fill(email);
  await page.getByRole('button', { name: 'Get access' }).click();
  await page.locator('#token').waitFor();
}

/** Sends a message from the page of the profile. */
export async function writeMessage(page: Page, message: string, name = 'Ada Example'): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Company').fill('Engines');
  await page.getByLabel('Message').fill(message);
  await page.getByRole('button', { name: 'Send message' }).click();
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
