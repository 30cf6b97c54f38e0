import type { Page } from 'playwright-core';
import { eraseRecord, getAccess, getTokenOfDocs, seeRecord, skipBrowserChecks, writeMessage } from './steps.ts';

/** A page in one of its states. */
interface State {
  /** As a file name: words with hyphens. */
  readonly name: string;
  open(page: Page): Promise<unknown>;
}

const at = (name: string, path: string): State => ({ name, open: (page) => page.goto(path) });

const message = (name: string, from: string): State => ({
  name,
  async open(page) {
    await page.goto('/desk/inbox');
    await page.getByRole('link', { name: from }).first().click();
    await page.locator('.message').waitFor();
  },
});

/** What visitors and integrators see. */
export const publicStates: readonly State[] = [
  at('landing', '/'),
  {
    name: 'landing-wrong-address',
    async open(page) {
      await page.goto('/');
      await skipBrowserChecks(page);
      await page.getByLabel('Your e-mail address').fill('ada@');
      await page.getByRole('button', { name: 'Get access' }).click();
      await page.locator('#email-fault').waitFor();
    },
  },
  { name: 'profile', open: (page) => getAccess(page) },
  {
    name: 'profile-message-sent',
    async open(page) {
      await getAccess(page);
      await writeMessage(page, 'Would you talk to us about storage?');
      await page.getByText('Your message was sent.').waitFor();
    },
  },
  {
    name: 'profile-message-refused',
    async open(page) {
      await getAccess(page);
      await skipBrowserChecks(page);
      await writeMessage(page, 'Would you talk to us about storage?', '');
      await page.locator('#write-name-fault').waitFor();
    },
  },
  {
    name: 'record',
    async open(page) {
      await getAccess(page);
      await seeRecord(page);
    },
  },
  {
    name: 'record-erased',
    async open(page) {
      await getAccess(page);
      await seeRecord(page);
      await eraseRecord(page);
    },
  },
  at('privacy', '/privacy'),
  at('docs', '/docs'),
  {
    name: 'docs-tried',
    async open(page) {
      await getTokenOfDocs(page);
      await page.locator('[data-answer=list_experience-shown] button').click();
      await page.locator('#list_experience-shown').getByText('200 OK').waitFor();
    },
  },
  at('docs-mcp', '/docs/mcp'),
  at('docs-client', '/docs/client'),
  at('not-found', '/nothing-here'),
  at('desk-closed', '/desk'),
  at('desk-link-mailed', '/desk/sign-in/sent'),
  at('desk-link-unknown', '/desk/sign-in?link=unknown'),
];

/** What the owner sees after the visits of `visits.ts`. */
export const deskStates: readonly State[] = [
  at('desk-today', '/desk'),
  at('desk-readers', '/desk/readers'),
  {
    name: 'desk-readers-revoking',
    async open(page) {
      await page.goto('/desk/readers');
      await page.getByText('Revoke', { exact: true }).last().click();
    },
  },
  at('desk-readers-nobody-found', '/desk/readers?q=nobody'),
  {
    name: 'desk-reader',
    async open(page) {
      await page.goto('/desk/readers');
      await page.getByRole('link', { name: 'ada@example.com' }).click();
    },
  },
  at('desk-inbox', '/desk/inbox'),
  at('desk-inbox-nothing-found', '/desk/inbox?q=nothing'),
  message('desk-message', 'Ada King'),
  message('desk-message-right-to-left', 'ليلى'),
  message('desk-message-without-a-space', 'Long'),
  at('desk-availability', '/desk/availability'),
  {
    name: 'desk-availability-empty',
    async open(page) {
      await page.goto('/desk/availability');
      await page.getByLabel('Your status').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('#status-error').waitFor();
    },
  },
  at('desk-profile', '/desk/profile'),
  at('desk-mail', '/desk/mail'),
  at('desk-not-found', '/desk/readers/nobody'),
];

/** What the owner of a new service sees. */
export const emptyDeskStates: readonly State[] = [
  '/desk',
  '/desk/readers',
  '/desk/inbox',
  '/desk/availability',
  '/desk/mail',
].map((path) => at(`empty${path.replaceAll('/', '-')}`, path));
