import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { stringify } from 'yaml';
import { axeFaults, openBrowser, sidewaysScroll } from '../support/browser.ts';
import { eventually } from '../support/process.ts';
import { signIn } from './steps.ts';
import { openOwnService } from './visits.ts';

const { openTab } = await openBrowser({ after });

for (const javaScriptEnabled of [true, false])
  describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test('from the desk the owner adds a job, moves a line, mends a wrong date and publishes; the file has exactly that change', async (t) => {
      const { url, inbox, profile } = await openOwnService(t);
      const before = readFileSync(profile, 'utf8');
      const page = await openTab(t, url, { javaScriptEnabled });
      await signIn(page, inbox);
      await page.getByRole('link', { name: 'Profile', exact: true }).click();
      await page.getByRole('link', { name: '+ Add a company' }).click();
      await page.getByLabel('Company', { exact: true }).fill('Acme');
      await page.getByLabel('What the company does').fill('Rockets.');
      await page.getByLabel('Job title').fill('Engineer');
      await page.getByLabel('From', { exact: true }).fill('March 2009');
      await page.getByLabel('To', { exact: true }).fill('2008');
      for (const [index, line] of ['Flew it', 'Built it'].entries()) {
        if (index > 0) await page.getByRole('button', { name: 'Add a line' }).click();
        await page.getByLabel(`Line ${index + 1}`, { exact: true }).fill(line);
      }
      await page.getByRole('button', { name: 'Down: line 1' }).click();
      await page.locator('button[value^="up "]:focus').waitFor();
      await page.getByRole('button', { name: 'Save and publish' }).click();
      const wrong = page.getByLabel('To', { exact: true });
      await page.getByText('This is before “From”. Enter a later date.', { exact: true }).waitFor();
      assert.equal(await wrong.inputValue(), '2008');
      assert.equal(readFileSync(profile, 'utf8'), before);
      await wrong.fill('2011');
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByText('Published. Visitors get it from now on.').waitFor();
      const job = `
  - id: exp_acme
    company: Acme
    company_start_date: 2009-03
    company_end_date: 2011
    summary: Rockets.
    roles:
      - title: Engineer
        start_date: 2009-03
        end_date: 2011
        accomplishments:
          - Built it
          - Flew it
    current: false
`;
      assert.equal(readFileSync(profile, 'utf8').replace(`\n${job}`, '\n'), before);
    });

    test('a theme is chosen by the keyboard, and unset again, which leaves the file as it was', async (t) => {
      const { url, inbox, profile } = await openOwnService(t);
      const before = readFileSync(profile, 'utf8');
      const page = await openTab(t, url, { javaScriptEnabled });
      await signIn(page, inbox);
      await page.goto('/desk/profile');
      await page.getByRole('link', { name: 'Look', exact: true }).click();
      const none = page.getByRole('radio', { name: 'As the service is set: Classic' });
      await none.focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByText('Published. Visitors get it from now on.').waitFor();
      assert.deepEqual(readFileSync(profile, 'utf8').match(/^ {2}theme: .*$/gm), ['  theme: modern']);
      assert.equal(await page.getByRole('radio', { name: 'Modern', exact: true }).isChecked(), true);
      await none.check();
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await eventually(() => readFileSync(profile, 'utf8') === before);
    });

    test('the pictures of a choice that is folded are loaded when they are asked for', async (t) => {
      const { url, inbox } = await openOwnService(t);
      const page = await openTab(t, url, { javaScriptEnabled });
      await signIn(page, inbox);
      const loaded: string[] = [];
      await page.route('**/preview/*/design/**', (route) => {
        loaded.push(/\/design\/(\w+)/.exec(route.request().url())![1]!);
        return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
      });
      const count = (field: string) => loaded.filter((one) => one === field).length;
      await page.goto('/desk/profile/edit/look', { waitUntil: 'load' });
      // Pictures in sight may be asked for after the page has loaded.
      await eventually(async () => count('theme') === 5);
      assert.deepEqual([count('font'), count('paper'), count('margins')], [0, 0, 0]);
      const fonts = page.getByRole('group', { name: 'Typefaces' });
      await fonts.getByText('Choose by pictures').click();
      if (!javaScriptEnabled) await fonts.getByRole('link', { name: 'Load the pictures' }).click();
      await eventually(async () => count('font') === 8);
      assert.equal(count('margins'), 0);
    });
  });

test('with JavaScript a colour can be picked, is explained at once, and is unset when its field is emptied', async (t) => {
  const { url, inbox, profile } = await openOwnService(t);
  const page = await openTab(t, url);
  await signIn(page, inbox);
  await page.goto('/desk/profile/edit/look');
  const [field, picker] = [page.getByLabel('Colour', { exact: true }), page.getByLabel('Pick: Colour')];
  assert.deepEqual([await field.inputValue(), await picker.inputValue()], ['', '#0b5d6b']);
  await picker.fill('#ffa500');
  await page.getByText('darkened to #996300', { exact: false }).waitFor();
  assert.equal(await field.inputValue(), '#ffa500');
  await field.fill('#b3261e');
  assert.equal(await picker.inputValue(), '#b3261e');
  await field.fill('');
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await page.getByText('Nothing was changed, so there is nothing to publish.').waitFor();
  assert.doesNotMatch(readFileSync(profile, 'utf8'), /accent/);
});

test('a press of Enter in a field publishes nothing and moves nothing', async (t) => {
  const { url, inbox, profile } = await openOwnService(t);
  const before = readFileSync(profile, 'utf8');
  const page = await openTab(t, url);
  await signIn(page, inbox);
  await page.goto('/desk/profile/edit/experience/0');
  await page.getByLabel('Company', { exact: true }).fill('Acme');
  await page.getByLabel('Company', { exact: true }).press('Enter');
  await page.getByText('Not saved yet.', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Company', { exact: true }).inputValue(), 'Acme');
  assert.equal(readFileSync(profile, 'utf8'), before);
});

test('by the keyboard alone, a line is moved twice: the focus stays on its button', async (t) => {
  const { url, inbox } = await openOwnService(t);
  const page = await openTab(t, url);
  await signIn(page, inbox);
  await page.goto('/desk/profile/edit/experience');
  await page.getByRole('button', { name: 'Down: Confluent' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('button[value="down experience.1"]:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('button[value="up experience.2"]:focus').waitFor();
  assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Up: Confluent');
});

const company = 'Storage'.repeat(40);
const long = stringify({
  owner_email: 'owner@example.net',
  candidate: { id: 'cand', name: 'ليلى الخطيب', title: 'مهندسة برمجيات', location: 'عمّان', summary: 'أبني أنظمة تخزين.', years_experience: 14, domains: ['التخزين الموزع'] }, // biome-ignore format: one line
  experience: [company, 'شركة التخزين'].map((name, index) => ({
    id: `exp_${index}`,
    company: name,
    company_start_date: '2010',
    company_end_date: '2011',
    current: false,
    summary: 'س'.repeat(400),
    roles: Array.from({ length: 6 }, (_, role) => ({
      title: `${name} ${role}`,
      start_date: '2010',
      end_date: '2011',
      accomplishments: [name.repeat(3), 'قدت الفريق'],
    })),
  })),
  projects: [],
  availability: { status: 'متاحة' },
  resume: { skills: [company], publications: Array.from({ length: 40 }, (_, index) => ({ name: `${company} ${index}` })) }, // biome-ignore format: one line
});

test('long names, Arabic and long lists fit at each width, and axe finds nothing, in the dark or with a fault', async (t) => {
  const { url, inbox } = await openOwnService(t, { document: long });
  const page = await openTab(t, url);
  // On a busy machine this resume takes longer to print than it may; `editor.test.ts` asks for the pictures.
  await page.route(/\/desk\/profile\/preview\//, (route) => route.fulfill({ contentType: 'image/png', body: '' }));
  await signIn(page, inbox);
  const found: Record<string, readonly string[]> = {};
  for (const path of [
    '',
    '/edit/experience/0',
    '/edit/publications',
    '/edit/contact',
    '/edit/look',
    '/edit/experience/1',
  ]) {
    await page.goto(`/desk/profile${path}`);
    if (path.endsWith('/1')) {
      await page.locator('.part-form > .rare > summary').click();
      await page.getByLabel('There to').fill('2001');
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.getByText('This is before “There from”.').first().waitFor();
    }
    for (const width of [320, 640, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const scroll = await sidewaysScroll(page);
      if (scroll > 0) found[`${path} at ${width} px`] = [`scrolls ${scroll} px sideways`];
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const faults = await axeFaults(page);
      if (faults.length > 0) found[`${path}, ${colorScheme}`] = faults;
    }
  }
  assert.deepEqual(found, {});
});
