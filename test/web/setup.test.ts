import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { openBrowser } from '../support/browser.ts';
import { fixture } from '../support/files.ts';
import { enterSetupCode } from './states.ts';
import { openUnpublishedService } from './visits.ts';

const { openTab } = await openBrowser({ after });

for (const javaScriptEnabled of [true, false])
  test(`with a code and a browser alone, ${javaScriptEnabled ? 'with' : 'without'} JavaScript, an empty volume becomes the page of a person in six actions`, async (t) => {
    const { url, profile } = await openUnpublishedService(t);
    const page = await openTab(t, url, { javaScriptEnabled });
    await page.goto('/');
    await page.getByText('Nothing here yet').waitFor();
    // Two: typing the code, and sending it.
    await enterSetupCode(page);
    await page.getByLabel('Drop your resume here').setInputFiles(fixture('import/jsonresume-new-grad.json'));
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByRole('link', { name: 'Look through it' }).click();
    await page.getByRole('button', { name: 'Save and publish' }).click();
    await page.getByText('Published. Visitors get it from now on.').waitFor();
    const { basics } = JSON.parse(readFileSync(fixture('import/jsonresume-new-grad.json'), 'utf8'));
    assert.ok(readFileSync(profile, 'utf8').includes(basics.name));
    await page.goto('/desk');
    await page.getByRole('link', { name: 'Readers', exact: true }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: basics.name }).waitFor();
    const stranger = await openTab(t, url, { javaScriptEnabled });
    await stranger.goto('/desk');
    assert.equal(await stranger.getByLabel('The code').count(), 0);
  });
