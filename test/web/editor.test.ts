import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { axeFaults, openBrowser, sidewaysScroll } from '../support/browser.ts';
import { eventually } from '../support/process.ts';
import { signIn } from './steps.ts';
import { openOwnService } from './visits.ts';

const service = await openOwnService({ after });
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

test('the preview follows what is typed: pictures, the page of visitors, and the answers of tools', async (t) => {
  const page = await openForm(t);
  await page.getByText('As it is saved. 2 pages, A4.').waitFor();
  const before = await page.getByAltText('Page 1 of the resume').getAttribute('src');
  await about(page).fill('Typed just now.');
  await page.getByText('With the change that is not saved yet. 2 pages, A4.').waitFor();
  const picture = page.getByAltText('Page 1 of the resume');
  assert.notEqual(await picture.getAttribute('src'), before);
  assert.equal(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), 720);
  assert.deepEqual(await axeFaults(page), []);

  await page.getByRole('link', { name: 'Page', exact: true }).click();
  const framed = page.frameLocator('.preview iframe');
  await framed.getByText('Typed just now.').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  assert.equal(await about(page).inputValue(), 'Typed just now.');

  await page.getByRole('link', { name: 'As an assistant reads it' }).click();
  await page.locator('.preview pre').filter({ hasText: '"summary": "Typed just now."' }).waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await publish(page);
  // The tab that was chosen stays.
  await page.locator('.preview pre').filter({ hasText: '"summary": "Typed just now."' }).waitFor();
  await page.getByText('As it is saved. What the first three tools answer.').waitFor();
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
  await framed.getByRole('heading', { name: 'Experience' }).waitFor();
});

test('a fault is said, what was shown stays, and the next good state is shown', async (t) => {
  const page = await openForm(t);
  await page.getByText('As it is saved. 2 pages, A4.').waitFor();
  const start = page.getByLabel('From', { exact: true }).first();
  const written = await start.inputValue();
  await start.fill('soon');
  await page.getByText('This text is not shown while “From” has a fault.').waitFor();
  await page.getByAltText('Page 1 of the resume').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await start.fill(written);
  await page.getByText('This text is not shown').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await page.getByText('Nothing was changed').waitFor();
});

test('entries are added, moved and removed in place: the focus follows, and nothing that is typed is lost', async (t) => {
  const page = await openForm(t);
  await about(page).fill('Kept while lines move.');
  const lines = page.locator('.line textarea');
  const texts = () => lines.evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value.slice(0, 8)));
  const [first = '', second = ''] = await texts();
  await page.getByRole('button', { name: 'Down: line 1' }).first().click();
  await eventually(async () => (await texts())[0] === second && (await texts())[1] === first);
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('value') ?? document.activeElement?.id);
  assert.equal(await focused(), 'up experience.0.roles.0.accomplishments.1');
  await page.getByRole('button', { name: 'Add a line' }).first().click();
  await eventually(async () => (await focused()) === 'experience.0.roles.0.accomplishments.2');
  await page.keyboard.type('A new line.');
  await page.getByRole('button', { name: 'Remove: line 3' }).click();
  await eventually(async () => (await texts())[2] !== 'A new li');
  assert.equal(await focused(), 'experience.0.roles.0.accomplishments.1');
  assert.equal(await about(page).inputValue(), 'Kept while lines move.');
  await publish(page);
  assert.match(readFileSync(service.profile, 'utf8'), /Kept while lines move\./);
});

test('in the form of all companies, those that are open stay open when a line or one of them is moved', async (t) => {
  const page = await openForm(t, '/desk/profile/edit/experience');
  const names = ['Confluent', 'Dropbox'];
  for (const name of names) await page.locator('summary', { hasText: name }).click();
  const opened = () => page.locator('.folded > details[open] > summary').allTextContents();
  await page.getByRole('button', { name: 'Down: line 1' }).first().click();
  await page.getByText('Not saved yet.', { exact: true }).waitFor();
  assert.deepEqual(await opened(), names);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('value'));
  assert.equal(await focused(), 'up experience.0.roles.0.accomplishments.1');
  await page.getByRole('button', { name: 'Down: Dropbox' }).click();
  await eventually(async () => (await focused()) === 'up experience.2');
  assert.deepEqual(await opened(), names);
  await page.getByRole('button', { name: 'Up: Dropbox' }).click();
  await publish(page);
});

test('what the button Back brings to a form again is marked as not saved, and shown in the preview', async (t) => {
  const page = await openForm(t);
  const mark = page.getByText('Not saved yet.', { exact: true });
  assert.equal(await mark.isVisible(), false);
  // As a browser does that keeps what was typed: without an event of the field, before the page is shown.
  await about(page).evaluate((field: HTMLTextAreaElement) => {
    field.value = 'Typed before Back.';
    dispatchEvent(new PageTransitionEvent('pageshow'));
  });
  await mark.waitFor();
  await page.getByText('With the change that is not saved yet.').waitFor();
  await publish(page);
  assert.match(readFileSync(service.profile, 'utf8'), /Typed before Back\./);
});

test('an entry that is open stays open when its form is saved', async (t) => {
  const page = await openForm(t);
  const entry = page.locator('.entry.folded > details').first();
  await page.goto('/desk/profile/edit/experience');
  await entry.locator('> summary').click();
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByText('Saved as a draft').waitFor();
  assert.equal(await entry.getAttribute('open'), '');
});

test('a link to a line of the YAML puts the cursor there', async (t) => {
  const page = await openForm(t);
  await page.goto('/desk/profile/yaml');
  const area = page.getByLabel('The whole text');
  const text = await area.inputValue();
  await area.fill(text.replace('years_experience: 14', 'years_experience: many'));
  await page.getByRole('button', { name: 'Publish' }).click();
  const line = text.slice(0, text.indexOf('years_experience')).split('\n').length;
  await page.getByRole('link', { name: `Line ${line}` }).click();
  await eventually(() =>
    area.evaluate(
      (one: HTMLTextAreaElement) =>
        document.activeElement === one && one.value.slice(one.selectionStart).startsWith('  years_experience: many'),
    ),
  );
  await area.fill(text);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published.').waitFor();
});

test('what is typed while an entry is being added stays', async (t) => {
  const page = await openForm(t);
  const typed = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await typed.promise;
    await route.continue();
  };
  await page.route('**/save', hold, { times: 1 });
  await page.getByRole('button', { name: 'Add a role' }).click();
  await about(page).fill('Typed meanwhile.');
  typed.resolve();
  await page.getByText('Not saved yet.', { exact: true }).waitFor();
  assert.equal(await about(page).inputValue(), 'Typed meanwhile.');
  await publish(page);
});

test('if the service cannot be reached when a button is pressed, the page says so, and what was typed stays', async (t) => {
  const page = await openForm(t);
  const said = page.getByText(
    'Not saved: the service cannot be reached. What you typed is still here: try again in a while.',
  );
  // From a page that answers a form, the button Back would not lead to what was typed in it.
  const years = page.getByLabel('From', { exact: true }).first();
  const from = await years.inputValue();
  await years.fill('soon');
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await page.getByText('This is not a date.').waitFor();
  await years.fill(from);
  await about(page).fill('Typed before.');
  for (const name of ['Add a role', 'Save and publish', 'Save as draft']) {
    await page.route('**/*', (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name }).click();
    await said.waitFor();
    assert.equal(await about(page).inputValue(), 'Typed before.');
    assert.deepEqual(await axeFaults(page), []);
    await page.unroute('**/*');
    await about(page).press('End');
    await about(page).press('Space');
    await about(page).press('Backspace');
    await said.waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'Add a role' }).click();
  await page.getByLabel('Job title').nth(2).waitFor();
  await publish(page);
  assert.match(readFileSync(service.profile, 'utf8'), /Typed before\./);
});

test('texts are as high as their lines in a browser that does not see to this itself, also after an entry was added', async (t) => {
  const page = await openForm(t);
  await page.addInitScript(() => {
    CSS.supports = () => false;
  });
  await page.goto(company);
  const rows = () => about(page).getAttribute('rows');
  await about(page).fill('One.\nTwo.\nThree.\nFour.');
  assert.equal(await rows(), '4');
  await page.getByRole('button', { name: 'Add a role' }).click();
  await page.getByText('Not saved yet.', { exact: true }).waitFor();
  assert.equal(await rows(), '4');
  await publish(page);
});

test('Ctrl+S publishes, and a page with unsaved changes asks before it is left', async (t) => {
  const page = await openForm(t);
  await about(page).fill('Saved by a key.');
  await page.keyboard.press('Control+s');
  await page.getByText('Published. Visitors get it from now on.').waitFor();
  assert.match(readFileSync(service.profile, 'utf8'), /Saved by a key\./);
  // Without a reload: the script has asked.
  await page.getByText('Published. Visitors get it from now on. The PDF of it is printed.').waitFor();

  const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.equal(await asks(), false);
  await about(page).fill('Not saved.');
  assert.equal(await asks(), true);
  await publish(page);
});

for (const javaScriptEnabled of [true, false])
  test(`after publishing, ${javaScriptEnabled ? 'the form is where it was' : 'the form is at its end without JavaScript'}, and says so there`, async (t) => {
    const page = await openForm(t, company, { viewport: { width: 360, height: 720 }, javaScriptEnabled });
    const field = page.getByLabel('Line 1', { exact: true }).last();
    await field.scrollIntoViewIfNeeded();
    await field.fill(`Built it ${javaScriptEnabled}`);
    const [top, end] = [field, page.locator('.save')].map(
      (one) => () => one.evaluate((element) => Math.round(element.getBoundingClientRect().top)),
    ) as [() => Promise<number>, () => Promise<number>];
    const before = await top();
    // A click of Playwright may scroll.
    if (javaScriptEnabled) await page.keyboard.press('Control+s');
    else await page.getByRole('button', { name: 'Save and publish' }).click();
    const said = page.getByText('Published. Visitors get it from now on.');
    await said.waitFor();
    if (javaScriptEnabled) await eventually(async () => Math.abs((await top()) - before) < 2);
    else await eventually(async () => (await page.evaluate(() => scrollY)) > 720 && (await end()) < 720);
    const { y, height } = (await said.boundingBox())!;
    assert.ok(y > 0 && y + height < 720, `${y}`);
    await eventually(async () => {
      const again = page.getByRole('link', { name: 'Check again' });
      if (!javaScriptEnabled && (await again.count()) > 0) await again.click();
      return (await page.getByText('The PDF of it is printed.').count()) === 1;
    });
  });

for (const width of [320, 768, 1100, 1440])
  test(`nothing is wider than a screen of ${width} pixels, light or dark, without JavaScript or with it`, async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await openForm(t, `${company}?preview=pdf`, { viewport: { width, height: 800 }, javaScriptEnabled });
      await page.getByText('As it is saved. 2 pages, A4.').waitFor();
      if (!javaScriptEnabled) continue;
      assert.equal(await sidewaysScroll(page), 0);
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await axeFaults(page), []);
    }
  });

test('the actions of a draft stand on one line', async (t) => {
  const page = await openForm(t, '/desk/profile/edit/summary');
  await page.getByLabel('Years of experience').fill('15');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByRole('link', { name: 'All drafts' }).click();
  const tops = await page
    .locator('.row-end')
    .first()
    .locator(':is(a, button.plain, summary):visible')
    .evaluateAll((all) =>
      all.map((one) => {
        const text = document.createRange();
        text.selectNodeContents(one);
        return Math.round(text.getBoundingClientRect().top);
      }),
    );
  assert.equal(tops.length, 3);
  assert.equal(new Set(tops).size, 1, String(tops));
});
