import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { withoutMetadata } from 'resume-documents/pdf/photo';
import { stringify } from 'yaml';
import { axeFaults, openBrowser, pageFaults, sidewaysScroll } from '../../support/browser.ts';
import { printLink } from '../../support/desk.ts';
import { fixture } from '../../support/files.ts';
import { exifOf, jpegOf, segmentOf, withSegments } from '../../support/images.ts';
import { eventually } from '../../support/process.ts';
import { openServed } from '../../web/served.ts';
import { signIn } from '../../web/steps.ts';
import { openSampleService } from '../../web/visits.ts';

const service = await openServed({ after });
const { browser, openTab } = await openBrowser({ after });
const company = '/desk/profile/edit/experience/0';

async function openForm(t: Parameters<typeof openTab>[0], path = company, options = {}): Promise<Page> {
  const page = await openTab(t, service.url, { viewport: { width: 1440, height: 1000 }, ...options });
  await signIn(page, service.inbox);
  await page.goto(path);
  return page;
}

const about = (page: Page) => page.getByLabel('What the company does, or what you did there');

/** Leaves nothing unsaved, so that the tab can be closed. */
const publish = async (page: Page) => {
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await page.getByText('Published. Visitors get it from now on.').waitFor();
};

test('without JavaScript a resume takes the place of the sample, and is changed and restored', async (t) => {
  const { url, opened } = await openSampleService(t);
  const page = await openTab(t, url, { javaScriptEnabled: false });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
  await page.goto((await printLink(opened, '/desk/profile/import')).url);
  await press('Sign in');
  await page.getByLabel('Drop your resume here').setInputFiles(fixture('import/jsonresume-new-grad.json'));
  await press('Read it');
  await page.getByText('Read as JSON Resume.').waitFor();
  assert.equal(await sidewaysScroll(page), 0);
  await follow('Look through it');
  await publish(page);
  const text = () => readFileSync(opened.profile.path()!, 'utf8');
  await follow('+ Add a company');
  await page.getByLabel('Company', { exact: true }).fill('Acme');
  await page.getByLabel('Job title').fill('Engineer');
  await page.getByLabel('From', { exact: true }).fill('2009-03');
  await page.getByLabel('To', { exact: true }).fill('2008');
  await page.getByLabel('Line 1', { exact: true }).fill('Flew it');
  await press('Add a line');
  await page.getByLabel('Line 2', { exact: true }).fill('Built it');
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
  await publish(page);
  assert.match(text(), /company: Acme[\s\S]*- Built it\n\s*- Flew it/);
  await follow('History');
  await page.locator('main a[href*="/desk/profile/history/"]').nth(1).click();
  await press('Restore and publish');
  await page.waitForURL(/done=restored/);
  assert.doesNotMatch(text(), /Acme/);
});

test('the preview follows what is typed: pictures, the page of visitors, and the answers of tools', async (t) => {
  const page = await openForm(t);
  await page.getByText('As it is saved.').waitFor();
  await about(page).fill('Typed just now.');
  await page.getByText('With the change that is not saved yet.').waitFor();
  const picture = page.getByAltText('Page 1 of the resume');
  assert.equal(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), 720);
  assert.deepEqual(await axeFaults(page), []);
  const start = page.getByLabel('From', { exact: true }).first();
  const written = await start.inputValue();
  await start.fill('soon');
  await page.getByText('This text is not shown while “From” has a fault.').waitFor();
  await picture.waitFor();
  await start.fill(written);
  await page.getByText('This text is not shown').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Page', exact: true }).click();
  await page.frameLocator('.preview iframe').getByText('Typed just now.').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await publish(page);
  // Without a reload: the script has asked.
  await page.getByText('Published. Visitors get it from now on. The PDF of it is printed.').waitFor();
});

test('in the framed page no form is sent and no link is followed', async (t) => {
  const context = await browser.newContext({ baseURL: service.url });
  t.after(() => context.close());
  const page = await context.newPage();
  await signIn(page, service.inbox);
  await page.goto(`${company}?preview=page`);
  const framed = page.frameLocator('.preview iframe');
  const blocked = () => page.waitForEvent('console', (message) => /^Blocked .*sandboxed/.test(message.text()));
  for (const [role, name] of [
    ['button', 'Send message'],
    ['link', 'Download PDF'],
  ] as const)
    await Promise.all([blocked(), framed.getByRole(role, { name }).click()]);
  assert.equal(context.pages().length, 1);
});

test('lines are moved, added and removed in place: the focus follows, and what is typed meanwhile stays', async (t) => {
  const page = await openForm(t);
  const focused = (value: string) => page.locator(`[value="${value}"]:focus, [id="${value}"]:focus`).waitFor();
  await about(page).fill('Kept while lines move.');
  await page.getByRole('button', { name: 'Down: line 1' }).first().click();
  await focused('up experience.0.roles.0.accomplishments.1');
  await page.getByRole('button', { name: 'Add a line' }).first().click();
  await focused('experience.0.roles.0.accomplishments.2');
  await page.getByRole('button', { name: 'Remove: line 3' }).click();
  await focused('experience.0.roles.0.accomplishments.1');
  // A press of Enter publishes nothing.
  await page.getByLabel('Company', { exact: true }).press('Enter');
  const typed = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await typed.promise;
    await route.continue();
  };
  await page.route('**/save', hold, { times: 1 });
  await page.getByRole('button', { name: 'Add a role' }).click();
  await about(page).fill('Typed meanwhile.');
  typed.resolve();
  await page.getByLabel('Job title').nth(2).waitFor();
  assert.equal(await about(page).inputValue(), 'Typed meanwhile.');
  assert.doesNotMatch(service.text(), /Typed meanwhile/);
  await publish(page);
  assert.match(service.text(), /Typed meanwhile\./);
});

test('if the service cannot be reached when a button is pressed, the page says so and keeps what was typed', async (t) => {
  const page = await openForm(t);
  const said = page.getByText('Not saved: the service cannot be reached. What you typed is still here');
  await about(page).fill('Typed before.');
  for (const name of ['Add a role', 'Save and publish', 'Save as draft']) {
    await page.route('**/*', (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name }).click();
    await said.waitFor();
    assert.equal(await about(page).inputValue(), 'Typed before.');
    await page.unroute('**/*');
    await about(page).press('End');
    await about(page).press('Space');
    await about(page).press('Backspace');
    await said.waitFor({ state: 'detached' });
  }
  await publish(page);
  assert.match(service.text(), /Typed before\./);
});

test('a photo of a phone, which is larger than is taken, is made smaller and upright before it is sent', async (t) => {
  const page = await openForm(t, '/desk/profile/edit/photo');
  const picture = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(3_000, 2_000);
    canvas.getContext('2d');
    const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
    return [...new Uint8Array(await blob.arrayBuffer())];
  });
  const turned = withSegments(Buffer.from(picture), segmentOf(0xe1, exifOf(6)));
  const buffer = Buffer.concat([turned, Buffer.alloc(2 * 1024 ** 2)]);
  await page.getByLabel('drop it here').setInputFiles({ name: 'phone.jpg', mimeType: 'image/jpeg', buffer });
  await page.waitForFunction(() => {
    const [file] = document.querySelector<HTMLInputElement>('#photo')?.files ?? [];
    return file !== undefined && file.size < 2 * 1024 ** 2;
  });
  await publish(page);
  const name = /photo: "?(photo-[\w-]{16}\.jpg)/.exec(service.text())![1]!;
  const { width, height } = withoutMetadata(readFileSync(join(dirname(service.profile), name)));
  assert.deepEqual([width, height], [1_067, 1_600]);
});

test('on a phone the sections open over a form, the preview is a link away, and a photo is taken', async (t) => {
  const page = await openForm(t, '/desk/profile', { viewport: { width: 320, height: 720 }, hasTouch: true, isMobile: true }); // biome-ignore format: one line
  await page.getByRole('link', { name: 'Dropbox' }).tap();
  const sections = page.getByRole('navigation', { name: 'The profile' });
  assert.equal(await sections.isVisible(), false);
  const button = page.getByRole('button', { name: 'Sections' });
  await button.tap();
  await sections.waitFor();
  assert.deepEqual([await axeFaults(page), await sidewaysScroll(page)], [[], 0]);
  await page.keyboard.press('Escape');
  assert.equal(await sections.isVisible(), false);
  assert.equal(await button.evaluate((element) => element === document.activeElement), true);
  await page.getByRole('link', { name: 'Preview', exact: true }).tap();
  const top = () => page.locator('.preview').evaluate((element) => element.getBoundingClientRect().top);
  await eventually(async () => (await top()) >= 0 && (await top()) < 150);
  await page.getByRole('link', { name: 'Form', exact: true }).tap();
  await button.tap();
  await sections.getByRole('link', { name: 'Photo', exact: true }).tap();
  const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: jpegOf('photo') };
  await page.getByLabel('drop it here').setInputFiles(file);
  await page.getByRole('button', { name: 'Save and publish' }).tap();
  await page.getByText('Published. Visitors get it from now on.').waitFor();
  await page.locator('.preview').frameLocator('iframe').locator('img.photo').waitFor();
  assert.equal(await sidewaysScroll(page), 0);
});

const word = 'Storage'.repeat(40);
const long = stringify({
  owner_email: 'owner@example.net',
  candidate: { id: 'cand', name: 'ليلى الخطيب', title: 'مهندسة برمجيات', location: 'عمّان', summary: 'أبني أنظمة تخزين.', years_experience: 14, domains: ['التخزين الموزع'] }, // biome-ignore format: one line
  experience: [word, 'شركة التخزين'].map((name, index) => ({
    id: `exp_${index}`,
    company: name,
    company_start_date: '2010',
    company_end_date: '2011',
    current: false,
    summary: 'س'.repeat(400),
    roles: [{ title: name, start_date: '2010', end_date: '2011', accomplishments: [name.repeat(3), 'قدت الفريق'] }],
  })),
  projects: [],
  availability: { status: 'متاحة' },
  resume: { skills: [word], publications: Array.from({ length: 40 }, (_, index) => ({ name: `${word} ${index}` })) },
});

test('long names, Arabic and long lists fit each width, and axe finds nothing, in the dark or with a fault', async (t) => {
  const { url, inbox } = await openServed(t, { document: long });
  const page = await openTab(t, url);
  // Printing is not what this is about.
  await page.route(/\/desk\/profile\/preview\//, (route) => route.fulfill({ contentType: 'image/png', body: '' }));
  await signIn(page, inbox);
  const found: Record<string, unknown> = {};
  for (const path of ['', '/edit/experience/0', '/edit/publications', '/edit/look', '/edit/experience/1']) {
    await page.goto(`/desk/profile${path}`);
    if (path.endsWith('/1')) {
      await page.locator('.part-form > .rare > summary').click();
      await page.getByLabel('There to').fill('2001');
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByText('This is before “There from”.').first().waitFor();
    }
    for (const width of [640, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const scroll = await sidewaysScroll(page);
      if (scroll > 0) found[`${path} at ${width} px`] = `scrolls ${scroll} px sideways`;
    }
    const faults = await pageFaults(page);
    if (Object.keys(faults).length > 0) found[path] = faults;
  }
  assert.deepEqual(found, {});
});
