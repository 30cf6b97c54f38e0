import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readProfileText } from 'resume-profile/profile-reader';
import { everySectionPath } from '../../../packages/resume-profile/test/documents.ts';
import { axeFaults, openBrowser, sidewaysScroll } from '../../support/browser.ts';
import { pngOf } from '../../support/images.ts';
import { viewedProfile } from '../../support/viewed-profile.ts';
import { openServed } from '../../web/served.ts';
import { signIn } from '../../web/steps.ts';
import { openSampleService } from '../../web/visits.ts';

const { openTab } = await openBrowser({ after });

/** The editor of a profile file of its own. */
async function open(
  t: TestContext,
  view = '',
  options: Parameters<typeof openTab>[2] = {},
  document = readFileSync(everySectionPath, 'utf8'),
) {
  const served = await openServed(t, { document });
  const page = await openTab(t, served.url, { viewport: { width: 1440, height: 1000 }, ...options });
  await signIn(page, served.inbox);
  await page.goto(`/desk/profile${view}`);
  return {
    ...served,
    page,
    document,
    /** Publishes, and waits until the file is another one. */
    async publish() {
      await page.getByRole('button', { name: /^Publish \d/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Publish/ })
        .click();
      await page.getByRole('heading', { name: 'Published', exact: true }).waitFor();
    },
  };
}

const saved = (page: Page) => page.getByText(/^Saved \d+ s ago$/).waitFor();

test('the phone is taken from the page and stays in the PDF; strangers and programs get what is ticked', async (t) => {
  const { page, text, publish } = await open(t);
  await page.getByRole('button', { name: 'Who sees phone: with access' }).click();
  await page.getByRole('dialog').getByLabel('Page').uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Who sees phone: PDF only' }).waitFor();
  await page.getByRole('link', { name: 'Who sees what' }).first().click();
  await page.getByText('Your phone is in the PDF that people with access open.').waitFor();
  await page.getByLabel('Education, Programs').uncheck();
  for (const name of ['Name', 'Title']) await page.getByRole('checkbox', { name: `${name}, Anyone` }).uncheck();
  await page.getByText('A stranger sees nothing of you.').waitFor();
  await page.getByRole('button', { name: 'Name, PDF: yes. Why?' }).click();
  await page.getByText('Everyone with access gets it').waitFor();
  await page.keyboard.press('Escape');
  assert.deepEqual(await axeFaults(page), []);
  await publish();
  assert.match(text(), /\n {2}hides:\n {4}page:\n {6}- phone\n {4}programs:\n {6}- education\n/);
  assert.match(text(), /\npublic: \[\]\n/);
});

test('a version leaves out a line, a role and a section by their ids, and is offered to a link', async (t) => {
  const { page, text, publish } = await open(t);
  await page.getByRole('link', { name: 'References' }).click();
  await page.getByRole('link', { name: /^Versions for readers/ }).click();
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.getByLabel('A new version, for').fill('Casco Bay');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('heading', { name: 'casco-bay' }).waitFor();
  for (const name of ['Line 1 of Lead Hydrologist', 'Research Assistant', 'Patents'])
    await page.getByRole('checkbox', { name, exact: true }).press('Space');
  await page.getByLabel('Your title here').fill('River Engineer');
  await page.getByText('Compared with the whole: 4 differences').click();
  await page.getByText('Its own title: “River Engineer”').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await publish();
  assert.match(text(), /\nviews:\n {2}casco-bay:\n {4}hide:\n/);
  assert.match(text(), /id: accomplishments-halved-the-error-of-the-two-day-forecast/);

  await page.getByRole('button', { name: 'Go on editing' }).click();
  await page.getByRole('checkbox', { name: 'Patents', exact: true }).press('Space');
  await page.getByLabel('Your title here').fill('');
  await saved(page);
  await page.goto('/desk/share?view=casco-bay');
  assert.equal(await page.getByLabel('What they see').inputValue(), 'casco-bay');
  await page.getByLabel('For whom').fill('Casco Bay');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.goto('/desk/profile#version=casco-bay');
  await page.getByRole('button', { name: 'Copy' }).waitFor();
  await page.getByRole('link', { name: 'Casco Bay', exact: true }).click();
  await page.getByRole('heading', { name: 'Casco Bay' }).waitFor();
});

test('what names the versions that show it is left out by the others once another shows it', async (t) => {
  const { page, publish, text } = await open(t, '#version=brief', {}, viewedProfile);
  for (const name of ['Confluent', 'Boards', 'Line 2 of Staff Engineer'])
    await page.getByRole('checkbox', { name, exact: true }).press('Space');
  await publish();
  const { views, faults } = readProfileText(text());
  assert.deepEqual(faults, []);
  assert.doesNotMatch(text(), /Confluent\n[\s\S]*in: \[systems, management\]|nine\., in:/);
  const shownIn = (name: string) => {
    const { experience, resume } = views.resolve(name)!;
    const lines = experience.flatMap(({ roles }) => roles.flatMap(({ accomplishments }) => accomplishments));
    return [experience.length, lines.length, resume.sections?.map(({ title }) => title).join()];
  };
  assert.deepEqual(shownIn('systems'), [1, 2, 'Talks']);
  assert.deepEqual(shownIn('management'), [2, 2, 'Talks,Boards']);
  assert.deepEqual(shownIn('brief'), [2, 2, 'Boards']);
});

test('a look and a colour are chosen by their pictures, and undone by the keyboard', async (t) => {
  const { page, text, document } = await open(t, '#look');
  await page.getByRole('radio', { name: 'Sidebar' }).check();
  await page.getByRole('radio', { name: /^Wine/ }).first().check();
  await page.getByLabel('Pages at most').selectOption('2');
  const pictures = page.getByRole('radiogroup', { name: 'Look of the PDF' }).locator('img');
  assert.equal(await pictures.count(), 5);
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole('button', { name: 'Publish 3 changes' }).waitFor();
  for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  assert.equal(text(), document);
});

test('a photo is chosen and cut to a square; on a phone, too', async (t) => {
  const { page, profile, publish, text } = await open(t, '', { viewport: { width: 375, height: 800 }, hasTouch: true });
  await page.getByRole('button', { name: 'Add a photo' }).click();
  const file = { name: 'me.png', mimeType: 'image/png', buffer: pngOf({ width: 60, height: 40 }) };
  await page.getByLabel('Choose a picture').setInputFiles(file);
  await page.getByRole('img', { name: /^The part that is shown/ }).press('ArrowLeft');
  assert.equal(await sidewaysScroll(page), 0);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByRole('button', { name: 'Photo: change it' }).locator('img').waitFor();
  await publish();
  const [, name = ''] = /photo: "?(photo-[\w-]{16}\.jpg)/.exec(text()) ?? [];
  assert.ok(existsSync(join(dirname(profile), name)), name);
});

for (const [locale, paper] of [
  ['en-CA', 'us-letter'],
  ['de-DE', undefined],
] as const)
  test(`a new resume begins with ${paper ?? 'the paper of the service'} in a browser set to ${locale}`, async (t) => {
    const { url, inbox } = await openSampleService(t);
    const page = await openTab(t, url, { locale });
    await signIn(page, inbox);
    await page.goto('/desk/profile?empty');
    await page.getByRole('textbox', { name: /^Your name/ }).pressSequentially('Maria');
    await page.keyboard.press('Tab');
    await saved(page);
    const changes = await page.evaluate(async () => (await (await fetch('/desk/profile/changes')).json()).changes);
    assert.equal(JSON.stringify(changes).includes('"us-letter"'), paper !== undefined);
  });
