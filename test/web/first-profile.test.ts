import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { axeFaults, openBrowser, sidewaysScroll } from '../support/browser.ts';
import { fixture, makeFolder } from '../support/files.ts';
import { openInbox } from '../support/inbox.ts';
import { startProcess } from '../support/process.ts';
import { signIn } from './steps.ts';

const { openTab } = await openBrowser({ after });

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('from the desk of the sample the owner makes a page of a JSON Resume in eight actions, in the browser alone', async (t) => {
      const inbox = await openInbox(t);
      const folder = makeFolder();
      const env = { SMTP_URL: inbox.url, MAIL_FROM: 'site@example.net', OWNER_EMAIL: 'owner@example.net' };
      const { url } = await startProcess(t, env, folder);
      const page = await openTab(t, url, { javaScriptEnabled });
      // Three: asking for the link, opening it, and signing in.
      await signIn(page, inbox);
      await page.getByRole('link', { name: 'Put your profile here' }).click();
      await page.getByLabel('Drop your resume here').setInputFiles(fixture('import/jsonresume-new-grad.json'));
      await page.getByRole('button', { name: 'Read it' }).click();
      await page.getByText('Read as JSON Resume.').waitFor();
      if (javaScriptEnabled) assert.deepEqual(await axeFaults(page), []);
      assert.equal(await sidewaysScroll(page), 0);
      await page.getByRole('link', { name: 'Look through it' }).click();
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByText('Published. Visitors get it from now on.').waitFor();
      const { basics } = JSON.parse(readFileSync(fixture('import/jsonresume-new-grad.json'), 'utf8'));
      assert.ok(readFileSync(join(folder, 'profile.yaml'), 'utf8').includes(basics.name));
      await page.goto('/');
      await page.getByText(basics.name).first().waitFor();
    });
  });
