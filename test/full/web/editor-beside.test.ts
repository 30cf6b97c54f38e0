import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, type TestContext, test } from 'node:test';
import { everySectionPath } from '../../../packages/resume-profile/test/documents.ts';
import { axeFaults, openBrowser } from '../../support/browser.ts';
import { openPrinterHere } from '../../support/in-place.ts';
import { openServed } from '../../web/served.ts';
import { signIn } from '../../web/steps.ts';

const { openTab } = await openBrowser({ after });

/** A page of the desk, with a profile file of its own. */
async function open(t: TestContext, path = '/desk/profile') {
  const text = readFileSync(everySectionPath, 'utf8');
  const served = await openServed(t, { document: text, openPrinter: openPrinterHere });
  const page = await openTab(t, served.url, { viewport: { width: 1440, height: 1000 } });
  await signIn(page, served.inbox);
  await page.goto(path);
  const beside = page.getByRole('complementary');
  return {
    ...{ page, beside, text, profile: served.profile },
    /** The place of the text that has the focus. */
    focused: () => page.evaluate(() => document.activeElement?.getAttribute('data-at')),
    tab: (name: string) => beside.getByRole('tab', { name, exact: true }).click(),
  };
}

test('does a click on a line of the PDF, or of the page, go to its text?', async (t) => {
  const { page, beside, focused, tab } = await open(t);
  const picture = beside.getByRole('img', { name: 'Page 1 of the resume' });
  const { width, height } = (await picture.boundingBox())!;
  // The title stands below the name, in the middle.
  await picture.click({ position: { x: width / 2, y: height * 0.118 } });
  await page.locator('[data-at="/candidate/title"]:focus').waitFor();
  await tab('Page');
  const line = beside.frameLocator('iframe').getByText('Halved the error of the two-day forecast');
  await line.scrollIntoViewIfNeeded();
  const { x, y } = (await line.boundingBox())!;
  await page.mouse.click(x + 5, y + 5);
  await page.locator('[data-at="/experience/0/roles/0/accomplishments/0"]:focus').waitFor();
  assert.equal(await focused(), '/experience/0/roles/0/accomplishments/0');
  assert.deepEqual(await axeFaults(page), []);
});

test('is what is typed drawn, and is it said if it does not show there?', async (t) => {
  const { page, beside, tab } = await open(t);
  const note = beside.getByText('2 pages, A4.');
  await note.waitFor();
  await page.getByRole('textbox', { name: /^Whether you can be approached/ }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' and talks');
  await beside.getByText('The PDF does not change by this.').waitFor();
  await tab('Page');
  await beside.frameLocator('iframe').getByText('open to advisory work and talks', { exact: false }).waitFor();
  await tab('Off');
  assert.equal(await beside.getByRole('img').count(), 0);
});

test('with a fault, is the state before shown, with a card that leads to the fault?', async (t) => {
  const { page, beside, focused } = await open(t);
  await beside.getByText('2 pages, A4.').waitFor();
  await page.getByRole('textbox', { name: /^Your name/ }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await beside.getByText('Shown as it was before: what is written now has a fault.').waitFor();
  await page
    .getByRole('textbox', { name: /^Summary|^About you/ })
    .first()
    .click();
  await beside.locator('.thing.bad').getByRole('button', { name: 'Show it' }).first().click();
  await page.locator('[data-at="/candidate/name"]:focus').waitFor();
  assert.equal(await focused(), '/candidate/name');
});

test('are two values of one place shown to choose from, if another program changed it, too?', async (t) => {
  const { page, beside, text, profile } = await open(t);
  await page
    .getByRole('textbox', { name: /^Your title|^Title/ })
    .first()
    .click();
  await page.keyboard.press('End');
  await page.keyboard.type(' at large');
  await page.getByText(/^Saved \d+ s ago$/).waitFor();
  writeFileSync(profile, text.replace('title: Hydrologist', 'title: Geologist'));
  await page.reload();
  await beside.getByText('was changed elsewhere, too.').waitFor();
  await beside.getByRole('button', { name: '“Geologist”' }).click();
  await page.locator('[data-at="/candidate/title"]', { hasText: 'Geologist' }).waitFor();
});

test('is YAML completed, are faults at their lines, and is what was typed there after a reload?', async (t) => {
  const { page } = await open(t, '/desk/profile/yaml');
  const code = page.getByRole('textbox', { name: 'The whole text' });
  await code.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nbackgr');
  await page.getByRole('option', { name: /^background/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('ound: nothing');
  await page.locator('.cm-lint-marker-error').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await page.reload();
  await code.getByText('background: nothing').waitFor();
  await code.click();
  await page.keyboard.press('Control+S');
  await page.getByText('Saved. Nobody sees it before you publish it').waitFor();
  await page.getByRole('heading', { name: /^\d+ faults?$/ }).waitFor();
});
