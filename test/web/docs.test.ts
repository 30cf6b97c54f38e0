import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser } from '../support/browser.ts';
import { startProcess } from '../support/process.ts';
import { getTokenOfDocs } from './steps.ts';

const service = await startProcess({ after });
const { openTab } = await openBrowser({ after });

test('an operation can be tried in place, with a token got on the page', async (t) => {
  const page = await openTab(t, service.url);
  await getTokenOfDocs(page);
  const form = page.locator('form[data-answer=get_experience-shown]');
  await form.getByLabel('id').fill('exp_dropbox');
  await form.getByRole('button').click();
  const answer = page.locator('#get_experience-shown');
  await answer.getByText('"Dropbox"').waitFor();
  assert.match((await answer.textContent()) ?? '', /200 OK GET \/experience\/exp_dropbox/);
});

test('the way to call an operation is kept for all operations and on the next visit', async (t) => {
  const page = await openTab(t, service.url);
  await page.goto('/docs');
  await page.locator('.ways').first().getByText('curl').click();
  for (const visit of ['at once', 'later']) {
    const values = await page
      .locator('.ways input:checked')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    assert.deepEqual([...new Set(values)], ['curl'], visit);
    await page.reload();
  }
});
