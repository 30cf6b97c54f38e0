import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { axeFaults, openBrowser, sidewaysScroll } from '../support/browser.ts';
import { fixture, makeFolder } from '../support/files.ts';
import { startProcess } from '../support/process.ts';

const { openTab } = await openBrowser({ after });

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('from a start on the sample to a page of one’s own, made of a JSON Resume in ten actions at most, and every change after it', async (t) => {
      const folder = makeFolder();
      const { url, deskLink } = await startProcess(t, {}, folder);
      const page = await openTab(t, url, { javaScriptEnabled });
      const text = () => readFileSync(join(folder, 'profile.yaml'), 'utf8');
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
      const published = async () => {
        await press('Save and publish');
        await page.getByText('Published. Visitors get it from now on.').waitFor();
      };

      let actions = 0;
      async function act(action: Promise<unknown>): Promise<void> {
        actions += 1;
        await action;
      }
      await act(page.goto(await deskLink()));
      await act(press('Sign in'));
      await page.getByRole('heading', { name: 'Put your profile here' }).waitFor();
      if (javaScriptEnabled) assert.deepEqual(await axeFaults(page), []);
      await act(page.getByLabel('Drop your resume here').setInputFiles(fixture('import/jsonresume-new-grad.json')));
      await act(press('Read it'));
      await page.getByText('Read as JSON Resume.').waitFor();
      if (javaScriptEnabled) assert.deepEqual(await axeFaults(page), []);
      assert.equal(await sidewaysScroll(page), 0);
      await act(follow('Look through it'));
      await act(published());
      const { basics } = JSON.parse(readFileSync(fixture('import/jsonresume-new-grad.json'), 'utf8'));
      const visitor = await openTab(t, url, { javaScriptEnabled });
      await visitor.goto('/');
      await visitor.getByRole('heading', { name: basics.name }).waitFor();
      assert.ok(actions <= 10, `${actions}`);

      // A job is added, with an error that is mended, and one of its lines is moved.
      await follow('+ Add a company');
      await page.getByLabel('Company', { exact: true }).fill('Acme');
      await page.getByLabel('Job title').fill('Engineer');
      await page.getByLabel('From', { exact: true }).fill('2009-03');
      await page.getByLabel('To', { exact: true }).fill('2008');
      for (const [index, line] of ['Flew it', 'Built it'].entries()) {
        if (index > 0) await press('Add a line');
        await page.getByLabel(`Line ${index + 1}`, { exact: true }).fill(line);
      }
      await press('Down: line 1');
      await page.locator('button[value^="up "]:focus').waitFor();
      await press('Save and publish');
      await page
        .locator('.part')
        .getByText(/^This is before/)
        .first()
        .waitFor();
      assert.doesNotMatch(text(), /Acme/);
      await page.getByLabel('To', { exact: true }).fill('2011');
      await published();
      assert.match(text(), /company: Acme[\s\S]*- Built it\n\s*- Flew it/);

      await follow('Look');
      await page.getByRole('radio', { name: 'Modern', exact: true }).check();
      await published();
      assert.match(text(), /^ {2}theme: modern$/m);

      await follow('History');
      await page.locator('main a[href*="/desk/profile/history/"]').nth(1).click();
      await press('Restore and publish');
      await page.waitForURL(/done=restored/);
      assert.doesNotMatch(text(), /theme: modern/);
      assert.match(text(), /company: Acme/);
    });
  });
