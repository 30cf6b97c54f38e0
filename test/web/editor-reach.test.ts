import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeFaults, openBrowser, sidewaysScroll } from '../support/browser.ts';
import { fixture, makeFolder } from '../support/files.ts';
import { jpegOf } from '../support/images.ts';
import { eventually, startProcess } from '../support/process.ts';
import { signIn } from './steps.ts';
import { openOwnService } from './visits.ts';

const { openTab } = await openBrowser({ after });

/** Presses Tab until an element with an accessible name, or a beginning of it, has the focus, which must be seen. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < 90; stops += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement;
      const { outlineStyle } = getComputedStyle(element);
      const { top, bottom } = element.getBoundingClientRect();
      const label = element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText ?? '';
      return { label: label.trim(), isSeen: outlineStyle !== 'none' && bottom > 0 && top < innerHeight };
    });
    if (!focused.label.startsWith(name)) continue;
    assert.equal(focused.isSeen, true, name);
    return;
  }
  assert.fail(`no Tab leads to ${name}`);
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

async function write(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

const published = (page: Page) => page.getByText('Published. Visitors get it from now on.').waitFor();

/** Starts the service on the sample, and opens the link that it prints in a tab. */
async function openSample(t: Parameters<typeof openTab>[0], options: Parameters<typeof openTab>[2]) {
  const folder = makeFolder();
  const { url, deskLink } = await startProcess(t, {}, folder);
  const page = await openTab(t, url, options);
  await page.goto(await deskLink());
  return { page, url, folder, text: () => readFileSync(join(folder, 'profile.yaml'), 'utf8') };
}

test('by the keyboard alone a resume is imported, a job added, its lines moved, a fault mended, a look chosen, a version restored and a draft kept', async (t) => {
  const { page, text } = await openSample(t, { viewport: { width: 1440, height: 900 } });
  await press(page, 'Sign in');
  await page.getByRole('heading', { name: 'Put your profile here' }).waitFor();
  // The dialog that chooses a file is of the browser.
  await page.getByLabel('Drop your resume here').setInputFiles(fixture('import/jsonresume-new-grad.json'));
  await press(page, 'Read it');
  await page.getByText('Read as JSON Resume.').waitFor();
  await press(page, 'Look through it');
  await page.locator('[id="resume.links.0.url"]:focus').waitFor();
  await press(page, 'Save and publish');
  await published(page);

  await press(page, '+ Add a company');
  await page.getByRole('heading', { name: 'A new company' }).waitFor();
  await press(page, 'Skip to the content');
  await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').getAttribute('id'), 'experience.2.company');
  await page.keyboard.type('Acme');
  await write(page, 'Job title', 'Engineer');
  await press(page, 'Add a line');
  await page.locator('[id="experience.2.roles.0.accomplishments.1"]:focus').waitFor();
  await page.keyboard.type('Built it');
  await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Up: line 2');
  await page.keyboard.press('Enter');
  await page.locator('[value="down experience.2.roles.0.accomplishments.0"]:focus').waitFor();
  await press(page, 'Save and publish');
  await page.locator('[id="experience.2.roles.0.start_date"]:focus').waitFor();
  assert.match(await page.getByRole('alert').innerText(), /^Not saved\. 1 place to look at: Role 1: From$/);
  await page.keyboard.type('2025-03');
  await press(page, 'Save and publish');
  await published(page);
  assert.match(text(), /company: Acme[\s\S]*accomplishments:\n\s*- Built it/);

  await press(page, 'Look');
  await page.getByRole('heading', { name: 'Look', level: 1 }).waitFor();
  await tabTo(page, 'As the service is set: Classic');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await press(page, 'Save and publish');
  await published(page);
  assert.match(text(), /^ {2}theme: modern$/m);
  await press(page, 'Undo it');
  await page.getByRole('heading', { name: 'Version 2' }).waitFor();
  await press(page, 'Restore and publish');
  await page.getByText('Restored. Visitors get it from now on.').waitFor();
  assert.doesNotMatch(text(), /theme: modern/);

  await press(page, 'Name and contact');
  await page.getByRole('heading', { name: 'Name and contact' }).waitFor();
  await write(page, 'Your title', 'Engineer');
  await press(page, 'Save as draft');
  await page.getByText('Saved as a draft').waitFor();
  await press(page, 'All drafts');
  await page.getByRole('link', { name: 'Title changed' }).waitFor();
  await press(page, 'Remove');
  await tabTo(page, 'Remove the draft');
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('button', { name: 'Remove the draft' }).isVisible(), false);
  assert.equal(await page.locator(':focus').innerText(), 'Remove');
});

test('on a phone the sections open over a form, the preview is a link away, and nothing is wider than 320 pixels', async (t) => {
  const { url, inbox, profile } = await openOwnService(t);
  const page = await openTab(t, url, { viewport: { width: 320, height: 720 }, hasTouch: true, isMobile: true });
  await signIn(page, inbox);
  await page.getByRole('link', { name: 'Profile', exact: true }).tap();
  await page.getByRole('link', { name: 'Dropbox' }).tap();
  const sections = page.getByRole('navigation', { name: 'The profile' });
  assert.equal(await sections.isVisible(), false);
  const button = page.getByRole('button', { name: 'Sections' });
  await button.tap();
  await sections.waitFor();
  assert.deepEqual(await axeFaults(page), []);
  assert.equal(await sidewaysScroll(page), 0);
  await page.keyboard.press('Escape');
  assert.equal(await sections.isVisible(), false);
  assert.equal(await button.evaluate((element) => element === document.activeElement), true);

  await page.getByLabel('Company', { exact: true }).fill('Box');
  await page.getByRole('link', { name: 'Preview', exact: true }).tap();
  await page.getByText('With the change that is not saved yet.').waitFor();
  const top = () => page.locator('.preview').evaluate((element) => element.getBoundingClientRect().top);
  await eventually(async () => (await top()) >= 0 && (await top()) < 150);
  await page.getByRole('link', { name: 'Form', exact: true }).tap();
  await page.getByRole('button', { name: 'Save and publish' }).tap();
  await published(page);
  assert.match(readFileSync(profile, 'utf8'), /company: Box$/m);

  for (const [section, heading] of [
    ['Look', 'Look'],
    ['Who sees what', 'Who sees what'],
    ['History', 'History'],
    ['Drafts', 'Drafts'],
  ] as const) {
    await button.tap();
    await sections.getByRole('link', { name: section, exact: true }).tap();
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    assert.equal(await sidewaysScroll(page), 0, section);
  }
});

test('on a phone a resume is imported, a line moved, a fault mended, a version restored, a photo replaced and taken out, and a field hidden from strangers', async (t) => {
  const touch = { viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true };
  const { page, url, folder, text } = await openSample(t, touch);
  const tap = (name: string) => page.getByRole('button', { name, exact: true }).first().tap();
  const open = async (section: string) => {
    await tap('Sections');
    const sections = page.getByRole('navigation', { name: 'The profile' });
    await sections.getByRole('link', { name: section, exact: true }).tap();
    await page.getByRole('heading', { name: section, level: 1 }).waitFor();
    assert.deepEqual([section, await sidewaysScroll(page), await axeFaults(page)], [section, 0, []]);
  };
  await tap('Sign in');
  await page.getByLabel('Drop your resume here').setInputFiles(fixture('import/jsonresume-new-grad.json'));
  await tap('Read it');
  await page.getByText('Read as JSON Resume.').waitFor();
  assert.deepEqual([await sidewaysScroll(page), await axeFaults(page)], [0, []]);
  await page.getByRole('link', { name: 'Look through it' }).tap();
  await page.locator('[id="resume.links.0.url"]:focus').waitFor();
  await tap('Save and publish');
  await published(page);

  await open('Outreach');
  const line = (number: number) => page.getByLabel(`Line ${number}`, { exact: true });
  const moved = await line(1).inputValue();
  await tap('Down: line 1');
  await page.locator('[aria-label="Down: line 2"]:focus').waitFor();
  assert.equal(await line(2).inputValue(), moved);
  await page.getByLabel('To', { exact: true }).fill('2008');
  await tap('Save and publish');
  const wrong = page.locator('[aria-invalid="true"]').first();
  await wrong.waitFor();
  assert.deepEqual([await sidewaysScroll(page), await axeFaults(page)], [0, []]);
  await wrong.fill('2024-09-01');
  await tap('Save and publish');
  await published(page);

  await open('History');
  await page.getByRole('link', { name: 'See or restore version 1' }).tap();
  await page.getByRole('heading', { name: 'Version 1' }).waitFor();
  assert.equal(await sidewaysScroll(page), 0);
  await tap('Restore and publish');
  await page.getByText('Restored. Visitors get it from now on.').waitFor();

  const photo = page.locator('.preview').frameLocator('iframe').locator('img.photo');
  const photos = () => readdirSync(folder).filter((name) => name.startsWith('photo-'));
  await open('Photo');
  const names: string[] = [];
  for (const content of ['photo', 'photo-progressive']) {
    const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: jpegOf(content) };
    await page.getByLabel('drop it here').setInputFiles(file);
    await tap('Save and publish');
    await published(page);
    await photo.waitFor();
    names.push(/photo: "?(photo-[\w-]{16}\.jpg)/.exec(text())![1]!);
    assert.equal(await sidewaysScroll(page), 0);
  }
  assert.notEqual(names[0], names[1]);
  assert.ok(photos().includes(names[1]!));
  await tap('Remove the photo');
  await page.getByText('Not saved yet.', { exact: true }).waitFor();
  await tap('Save and publish');
  await published(page);
  assert.doesNotMatch(text(), /photo:/);

  await open('Who sees what');
  const landing = async () => (await fetch(url, { headers: { accept: 'text/html' } })).text();
  assert.match(await landing(), /Seattle/);
  await page.getByRole('checkbox', { name: 'Location' }).tap();
  await tap('Save and publish');
  await published(page);
  assert.doesNotMatch(await landing(), /Seattle/);
});
