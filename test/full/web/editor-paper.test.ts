import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { everySectionPath } from '../../../packages/resume-profile/test/documents.ts';
import { axeFaults, openBrowser, sidewaysScroll } from '../../support/browser.ts';
import { openServed } from '../../web/served.ts';
import { signIn } from '../../web/steps.ts';

const { openTab } = await openBrowser({ after });

/** The paper of a profile file of its own. */
async function open(
  t: TestContext,
  options: Parameters<typeof openTab>[2] = {},
  document = readFileSync(everySectionPath, 'utf8'),
) {
  const served = await openServed(t, { document });
  const page = await openTab(t, served.url, { viewport: { width: 1440, height: 1000 }, ...options });
  await signIn(page, served.inbox);
  await page.goto('/desk/profile');
  return {
    page,
    textbox: (name: string | RegExp) => page.getByRole('textbox', { name, exact: true }),
    button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
    lines: () => page.getByRole('list', { name: 'Lines of Lead Hydrologist' }).getByRole('textbox').allTextContents(),
    said: (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor(),
    saved: () => page.getByText(/^Saved \d+ s ago$/).waitFor(),
    /** Undoes everything, and waits until nothing is left to be published. */
    async undoAll() {
      for (let count = 0; count < 40; count += 1) await page.keyboard.press('Control+z');
      await page.getByText(/^Saved \d+ s ago$/).waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    },
  };
}

const jobs = (page: Page) => page.getByRole('region', { name: 'Experience' }).locator('.entry-title').allTextContents();

/** Drags by the grip of an element to the upper edge of another. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover();
  const grip = (await from.locator(':scope > .grip, :scope > .rail-grip').boundingBox())!;
  const target = (await to.boundingBox())!;
  const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 12; step += 1) await page.mouse.move(x, y + ((target.y + 3 - y) * step) / 12);
  await page.mouse.up();
}

test('by the keyboard a line is written, split, joined, moved, and undone', async (t) => {
  const { page, textbox, lines, said, undoAll } = await open(t);
  await textbox('Line 1 of Lead Hydrologist').focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' in **two** years');
  await page.keyboard.press('Enter');
  await page.keyboard.type('- Wrote it down');
  await page.keyboard.press('Enter');
  await page.keyboard.type('• Told towns');
  const three = ['Halved the error of the two-day forecast in **two** years', 'Wrote it down', 'Told towns', ''];
  assert.deepEqual(await lines(), three);
  assert.equal(await textbox('Line 1 of Lead Hydrologist').locator('strong').innerText(), 'two');
  await page.keyboard.press('Home');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('. ');
  assert.deepEqual((await lines()).slice(1), ['Wrote it down. Told towns', '']);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await said('Told towns, 2 of 3');
  assert.deepEqual((await lines()).slice(1), ['Told towns', 'Wrote it down. ', '']);
  await page.keyboard.type('We ');
  assert.equal((await lines())[1], 'We Told towns');
  await undoAll();
  assert.deepEqual(await lines(), ['Halved the error of the two-day forecast', '']);
});

test('Ctrl+B begins and ends what is bold', async (t) => {
  const { page, textbox, lines, undoAll } = await open(t);
  await textbox('Line 1 of Lead Hydrologist').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+b');
  assert.deepEqual((await lines())[0], '**Halved the error of the two-day forecast**');
  await page.keyboard.press('End');
  await page.keyboard.type(' ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('bold');
  await page.keyboard.press('Control+b');
  await page.keyboard.type(' plain');
  assert.deepEqual((await lines())[0], '**Halved the error of the two-day forecast** **bold** plain');
  await undoAll();
});

test('five pasted lines make five, without their bullets', async (t) => {
  const { page, textbox, lines } = await open(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('• one\n- two\n\n* three\nfour\nfive'));
  await textbox('Line 1 of Lead Hydrologist').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
  await page.keyboard.type('!');
  assert.deepEqual(await lines(), ['one', 'two', 'three', 'four', 'five!', '']);
});

test('a job is added, its date typed as people write it, and the old one ended', async (t) => {
  const { page, textbox, button, saved } = await open(t);
  await button('+ Add a job').click();
  await page.keyboard.type('Casco Bay Medical Center');
  await textbox('Job title of the new role').click();
  await page.keyboard.type('Charge Nurse');
  await button('From of Charge Nurse: add').click();
  await page.keyboard.type('März 2026');
  await page.keyboard.press('Enter');
  await button('From of Charge Nurse: Mar 2026').waitFor();
  await page.getByText('Has Lead Hydrologist, Watergauge (since Jan 2022) ended?').waitFor();
  await button('End of Lead Hydrologist, Watergauge: add').click();
  await button('Feb 2026').click();
  await saved();
  assert.match((await jobs(page)).join(), /^Casco Bay Medical Center,Charge Nurse,Watergauge,/);
  assert.equal(await page.getByText('ended?').count(), 0);
  assert.doesNotMatch((await page.locator('.date').allTextContents()).join(), /\d{4}-\d\d/);
});

test('a job in which nothing is typed is gone when it is left', async (t) => {
  const { page, textbox, button } = await open(t);
  const before = await jobs(page);
  await button('+ Add a job').click();
  assert.equal((await jobs(page)).length, before.length + 2);
  await textbox('Job title of Research Assistant').click();
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  assert.deepEqual(await jobs(page), before.with(-1, 'Research Assistant!'));
});

test('a role goes to another company, is removed, and comes back', async (t) => {
  const { page, textbox, button, said, undoAll } = await open(t);
  const before = await jobs(page);
  await textbox('Job title of Hydrologist').click();
  await button('Move to …: Hydrologist').click();
  await button('To River Institute').click();
  await said('Hydrologist, now at River Institute');
  const moved = ['Watergauge', 'Lead Hydrologist', 'River Institute', 'Hydrologist', 'Research Assistant'];
  assert.deepEqual(await jobs(page), moved);
  await button('Remove').click();
  await said('Hydrologist removed. Undo brings it back.');
  await page.keyboard.press('Control+z');
  await textbox('Job title of Hydrologist').waitFor();
  assert.deepEqual(await jobs(page), moved);
  await page.keyboard.press('Control+z');
  await button('Publish').waitFor();
  assert.deepEqual(await jobs(page), before);
  await textbox('Job title of Research Assistant').click();
  await button('Move to …: River Institute').click();
  await button('The role to Watergauge').click();
  await said('Research Assistant, now at Watergauge');
  assert.deepEqual(await jobs(page), ['Watergauge', 'Research Assistant', 'Lead Hydrologist', 'Hydrologist']);
  await undoAll();
  assert.deepEqual(await jobs(page), before);
});

test('sections are dragged, moved by the keyboard and renamed where they stand', async (t) => {
  const { page, textbox, said, undoAll } = await open(t);
  const rail = page.getByRole('navigation', { name: 'Resume' });
  const item = (name: string) => rail.getByRole('listitem').filter({ hasText: name });
  const names = async () => (await rail.getByRole('link').allTextContents()).slice(1, 6);
  assert.deepEqual(await names(), ['Summary', 'Experience', 'Talks', 'Education', 'Projects']);
  await drag(page, item('Projects'), item('Talks'));
  await said('Projects, 3 of 14');
  await textbox('Heading of Talks').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' and papers');
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await said('Talks and papers, 5 of 14');
  await page.keyboard.type('!');
  assert.deepEqual(await names(), ['Summary', 'Experience', 'Projects', 'Education', 'Talks and papers!']);
  await undoAll();
  assert.deepEqual(await names(), ['Summary', 'Experience', 'Talks', 'Education', 'Projects']);
});

test('jobs are dragged, and stay in the order that the owner gives them', async (t) => {
  const { page, said, saved } = await open(t);
  const entry = (name: string) => page.getByRole('article', { name, exact: true });
  await entry('River Institute').scrollIntoViewIfNeeded();
  await drag(page, entry('River Institute'), entry('Watergauge'));
  await said('River Institute, 1 of 2');
  assert.equal((await jobs(page))[0], 'River Institute');
  await saved();
});

test('a line is dragged straight up by its grip', async (t) => {
  const { page, textbox, lines, said, saved } = await open(t);
  await textbox('Line 1 of Lead Hydrologist').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Told towns');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Wrote it down');
  const item = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await drag(page, item('Wrote it down'), item('Told towns'));
  await said('Wrote it down, 2 of 3');
  assert.deepEqual(await lines(), ['Halved the error of the two-day forecast', 'Wrote it down', 'Told towns', '']);
  await saved();
});

test('an input method composes a word while nothing changes below it', async (t) => {
  const { page, textbox, lines } = await open(t);
  const session = await page.context().newCDPSession(page);
  const line = textbox('Line 1 of Lead Hydrologist');
  await line.focus();
  await page.keyboard.press('End');
  const text = await line.evaluateHandle((element) => element.firstChild);
  for (const composed of ['に', 'にほ', 'にほん', '日本'])
    await session.send('Input.imeSetComposition', { text: composed, selectionStart: 2, selectionEnd: 2 });
  assert.ok(await line.evaluate((element, node) => element.firstChild === node, text));
  await session.send('Input.insertText', { text: '日本' });
  await page.keyboard.press('Enter');
  await session.send('Input.imeSetComposition', { text: 'とう', selectionStart: 2, selectionEnd: 2 });
  await session.send('Input.insertText', { text: '東' });
  assert.deepEqual(await lines(), ['Halved the error of the two-day forecast日本', '東', '']);
});

test('by touch at 375 px a line, a skill and a date are changed', async (t) => {
  const { page, textbox, button, lines, saved } = await open(t, {
    viewport: { width: 375, height: 740 },
    hasTouch: true,
  });
  await textbox('Line 1 of Lead Hydrologist').tap();
  await page.keyboard.press('End');
  await page.keyboard.type(', twice');
  assert.deepEqual(await lines(), ['Halved the error of the two-day forecast, twice', '']);
  await button('To of Lead Hydrologist: present').tap();
  await page.getByRole('button', { name: 'The year alone: 2022', exact: true }).tap();
  await button('To of Lead Hydrologist: 2022').waitFor();
  await textbox(/^Skill 1 of/)
    .first()
    .tap();
  await page.keyboard.press('End');
  await page.keyboard.type(', Triage, Wound care');
  await textbox(/^Skill 3 of/)
    .first()
    .waitFor();
  await saved();
  assert.equal(await sidewaysScroll(page), 0);
  assert.deepEqual(await axeFaults(page), []);
});

test('a line that is left empty is gone, and the caret is in the line that was clicked', async (t) => {
  const { page, textbox, lines } = await open(t);
  await textbox('Line 1 of Lead Hydrologist').focus();
  await page.keyboard.press('End');
  for (const line of ['Told towns', 'Wrote it down']) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(line);
  }
  await textbox('Line 1 of Lead Hydrologist').press('End');
  await page.keyboard.press('Enter');
  await textbox('Line 3 of Lead Hydrologist').click({ position: { x: 1, y: 10 } });
  await page.keyboard.type('I ');
  assert.deepEqual((await lines()).slice(1), ['I Told towns', 'Wrote it down', '']);
});

test('a pasted word keeps the spaces around it, and a pasted line brings no line break', async (t) => {
  const { page, textbox, lines } = await open(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press('Control+v');
  };
  await textbox('Your title').press('Home');
  await paste('Senior ');
  assert.equal(await textbox('Your title').textContent(), 'Senior Hydrologist');
  await textbox('Line 1 of Lead Hydrologist').press('End');
  await paste(' in two years\n');
  assert.deepEqual(await lines(), ['Halved the error of the two-day forecast in two years', '']);
});

test('an input method writes nothing while a button has the focus, and a comma that it composes stays', async (t) => {
  const { page, textbox, button, lines } = await open(t);
  const session = await page.context().newCDPSession(page);
  await textbox('Line 1 of Lead Hydrologist').press('End');
  await button('From of Lead Hydrologist: Jan 2022').press('Enter');
  await page.getByRole('dialog').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await session.send('Input.imeSetComposition', { text: 'さん', selectionStart: 2, selectionEnd: 2 });
  await session.send('Input.insertText', { text: '三月' });
  assert.deepEqual(await lines(), ['Halved the error of the two-day forecast', '']);
  await textbox('Skill 2 of Modelling').press('End');
  await session.send('Input.imeSetComposition', { text: ',ka', selectionStart: 3, selectionEnd: 3 });
  const skills = () => page.getByRole('list', { name: 'Skills of Modelling' }).getByRole('textbox').allTextContents();
  assert.deepEqual(await skills(), ['HEC-RAS', 'Python,ka', '']);
  await session.send('Input.insertText', { text: ', QGIS' });
  assert.deepEqual(await skills(), ['HEC-RAS', 'Python', 'QGIS', '']);
});

test('lines of an own section are split, joined and pasted, too', async (t) => {
  const { page, textbox } = await open(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('one\n• two'));
  const texts = () => page.getByRole('region', { name: 'Patents' }).locator('.bullet .text').allTextContents();
  await textbox('Line 2').press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+v');
  assert.deepEqual(await texts(), ['A second one is pending', 'one', 'two']);
  await page.keyboard.press('Home');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(', ');
  assert.deepEqual(await texts(), ['A second one is pending', 'one, two']);
});

test('the focus stays near what is removed, and goes to what comes back', async (t) => {
  const { page, textbox, button } = await open(t);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  const hasFocus = (name: string) =>
    page.waitForFunction((label) => document.activeElement?.getAttribute('aria-label') === label, name);
  await textbox('What was certified of Diver, class B').focus();
  await button('Remove').click();
  await page.waitForFunction(() => document.activeElement?.textContent === '+ Add a certificate');
  await page.keyboard.press('Control+z');
  await hasFocus('What was certified of Diver, class B');
  await textbox('Job title of Hydrologist').focus();
  await button('Move to …: Hydrologist').click();
  await button('To River Institute').click();
  await hasFocus('Job title of Hydrologist');
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-at') === '/experience/0/roles/1/title');
  assert.equal(await focused(), 'Job title of Hydrologist');
});

test('the first stops of the Tab key after the link that skips are on the paper', async (t) => {
  const { page } = await open(t);
  const names: (string | null)[] = [];
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  for (let stop = 0; stop < 4; stop += 1) {
    await page.keyboard.press('Tab');
    names.push(await page.evaluate(() => document.activeElement!.getAttribute('aria-label')));
  }
  assert.deepEqual(names, ['Add a photo', 'Your name', 'Your title', 'Where you live']);
});

test('words without a space do not reach out of the paper, and references that are not printed say so', async (t) => {
  const company = 'Donaudampfschifffahrts'.repeat(6);
  const document = readFileSync(everySectionPath, 'utf8')
    .replace('company: River Institute', `company: ${company}`)
    .replace('print: true', 'print: false');
  const { page, textbox } = await open(t, { viewport: { width: 375, height: 740 } }, document);
  const [paper, text] = [
    await page.locator('.paper').boundingBox(),
    await textbox(`Company of ${company.slice(0, 80)}`).boundingBox(),
  ];
  assert.ok(text!.x + text!.width <= paper!.x + paper!.width);
  assert.equal(await page.getByRole('checkbox', { name: 'Print them' }).isChecked(), false);
});
