import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openBrowser, sidewaysScroll } from '../support/browser.ts';
import { signIn } from './steps.ts';
import { openOwnService } from './visits.ts';

const service = await openOwnService({ after });
const { openTab } = await openBrowser({ after });

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('a link, from making it to ended: the owner copies it, a visitor opens it and writes, and it opens nothing any more', async (t) => {
      const name = `Acme, ${javaScriptEnabled ? 'staff engineer' : 'platform lead'}`;
      const owner = await openTab(t, service.url, { javaScriptEnabled });
      await signIn(owner, service.inbox);
      await owner.getByRole('link', { name: 'Share' }).click();
      await owner.getByLabel('For whom').fill(name);
      await owner.getByRole('button', { name: 'Make the link' }).click();
      await owner.getByText(`The link for ${name}.`).waitFor();
      const address = await owner.locator('#made-address').innerText();
      assert.match(address, /\/s\/[\w-]{22}$/);
      assert.equal((await owner.getByRole('button', { name: 'Copy' }).count()) > 0, javaScriptEnabled);

      const visitor = await openTab(t, service.url, { javaScriptEnabled, viewport: { width: 320, height: 640 } });
      await visitor.goto(address);
      assert.equal(await sidewaysScroll(visitor), 0);
      await visitor.getByRole('button', { name: 'Open the profile' }).click();
      await visitor.getByText('You are here through a link.').waitFor();
      assert.equal(new URL(visitor.url()).pathname, '/');
      await visitor.getByLabel('Your name').fill('Ada');
      await visitor.getByLabel('Your e-mail address').fill('ada@example.org');
      await visitor.getByLabel('Company').fill('Engines');
      await visitor.getByLabel('Message', { exact: true }).fill(`Through ${name}`);
      await visitor.getByRole('button', { name: 'Send message' }).click();
      await visitor.getByText('Your message was sent.').waitFor();

      await owner.getByRole('link', { name: 'Today' }).click();
      await owner.getByText(`${name} was opened for the first time`).waitFor();
      await owner.getByRole('link', { name: 'Share' }).click();
      const row = owner.getByRole('row').filter({ hasText: name });
      await row.getByText('wrote').waitFor();
      await row.getByText('End', { exact: true }).click();
      await row.getByRole('button', { name: 'End the link' }).click();
      await owner.getByText('The link has ended').waitFor();

      await visitor.goto('/');
      await visitor.getByText('Your access from this browser has ended').waitFor();
      assert.equal((await visitor.goto(address))?.status(), 404);
      await visitor.getByText('This link does not open anything').first().waitFor();
    });
  });
