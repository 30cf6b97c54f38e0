import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { parse } from 'yaml';
import { backgroundProfile } from '../../support/background-profile.ts';
import { axeFaults, openBrowser, sidewaysScroll } from '../../support/browser.ts';
import { isFull } from '../../support/figures.ts';
import { fixture } from '../../support/files.ts';
import { getAccess } from '../../web/steps.ts';
import { openOwnService } from '../../web/visits.ts';

const { openTab } = await openBrowser({ after });

const job = (index: number) => ({
  id: `exp_${index}`,
  company: `Company ${index}`,
  company_start_date: '2010-01-01',
  company_end_date: '2011-01-01',
  current: false,
  summary: 'Storage.',
  roles: [
    { title: 'Engineer', start_date: '2010-01-01', end_date: '2010-06-30', accomplishments: ['Wrote it', 'Ran it'] },
    { title: 'Senior engineer', start_date: '2010-07-01', end_date: '2011-01-01', accomplishments: ['Led it'] },
  ],
});

const arabic = {
  name: 'ليلى الخطيب',
  title: 'مهندسة برمجيات',
  location: 'عمّان، الأردن',
  summary: 'أبني أنظمة تخزين موزعة منذ أربعة عشر عامًا.',
  domains: ['التخزين الموزع', 'بث الأحداث'],
};

// The longest that are valid.
const heading = 'x'.repeat(300);
const word = 'x'.repeat(1_000);

const one = {
  owner_email: 'owner@example.net',
  candidate: {
    id: 'cand',
    name: 'A',
    title: 'B',
    location: 'C',
    summary: 'D',
    years_experience: 0,
    domains: [] as string[],
  },
  experience: [] as ReturnType<typeof job>[],
  projects: [] as object[],
  availability: { status: 'E' },
  resume: { skills: [] as string[] },
};

const profiles = {
  'a profile of one line': one,
  'a profile in which no text is written': {
    ...one,
    candidate: { ...one.candidate, name: '', title: '', location: '', summary: '' },
    experience: [{ ...job(1), company: '', summary: '' }],
    availability: { status: '' },
  },
  'a profile with its background': parse(backgroundProfile),
  'a profile with marks in every text': {
    ...parse(readFileSync(fixture('marks.yaml'), 'utf8')),
    owner_email: 'owner@example.net',
  },
  'a profile of forty jobs': { ...one, experience: Array.from({ length: 40 }, (_, index) => job(index)) },
  'a profile in Arabic': {
    ...one,
    candidate: { ...one.candidate, ...arabic },
    experience: [{ ...job(1), company: 'شركة التخزين', summary: 'فريق من ستة مهندسين.' }],
    resume: { skills: arabic.domains },
  },
  'a profile of the longest text without a space in each field': {
    ...one,
    candidate: { ...one.candidate, name: heading, title: heading, location: heading, summary: word, domains: [word] },
    experience: [{ ...job(1), company: heading, summary: word, roles: [{ ...job(1).roles[0], title: heading }] }],
    projects: [
      {
        id: 'p',
        name: heading,
        summary: word,
        links: { live: `https://${'x'.repeat(60)}.example/`.padEnd(1_000, 'x') },
      },
    ],
    availability: { status: word },
    resume: { skills: [word] },
  },
};

for (const [name, profile] of Object.entries(profiles))
  describe(name, () => {
    test('fits a phone and a desktop before and after access, and axe finds nothing', async (t) => {
      const service = await openOwnService(t, { document: JSON.stringify(profile) });
      const page = await openTab(t, service.url);
      const faults: Record<string, readonly string[]> = {};
      for (const [state, open] of Object.entries({ before: () => page.goto('/'), after: () => getAccess(page) })) {
        await open();
        for (const width of [320, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          const scroll = await sidewaysScroll(page);
          const isSeen = isFull || width === (state === 'before' ? 1440 : 320);
          const found = [
            ...(scroll > 0 ? [`scrolls ${scroll} px sideways`] : []),
            ...(isSeen ? await axeFaults(page) : []),
          ];
          if (found.length > 0) faults[`${state} access, ${width} px`] = found;
        }
      }
      assert.deepEqual(faults, {});
    });
  });

test('an Arabic name is set from right to left, and its dates from left to right', async (t) => {
  const service = await openOwnService(t, { document: JSON.stringify(profiles['a profile in Arabic']) });
  const page = await openTab(t, service.url);
  await getAccess(page);
  const directionOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).direction);
  assert.deepEqual(
    [await directionOf('h1'), await directionOf('.summary'), await directionOf('.dates')],
    ['rtl', 'rtl', 'ltr'],
  );
});

test('on an English page, an Arabic name runs from right to left and begins at the left', async (t) => {
  const document = { ...profiles['a profile in Arabic'], resume: { language: 'en', skills: [] } };
  const service = await openOwnService(t, { document: JSON.stringify(document) });
  const page = await openTab(t, service.url);
  await getAccess(page);
  const setting = await page.locator('h1').evaluate((element) => {
    const { direction, textAlign } = getComputedStyle(element);
    return { direction, textAlign };
  });
  assert.deepEqual(setting, { direction: 'rtl', textAlign: 'left' });
});

test('the form stays in sight beside forty jobs if it fits, and the focus brings its parts into sight', async (t) => {
  const service = await openOwnService(t, { document: JSON.stringify(profiles['a profile of forty jobs']) });
  const page = await openTab(t, service.url, { viewport: { width: 1280, height: 800 } });
  await getAccess(page);
  const button = page.getByRole('button', { name: 'Send message' });
  const isInSight = () =>
    button.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  const goTo = (y: number) => page.evaluate((to) => scrollTo(0, to), y);
  await goTo(5_000);
  assert.equal(await isInSight(), true);

  // As somebody draws it who writes much.
  await page.getByLabel('Message').evaluate((element) => {
    element.style.height = '2000px';
  });
  assert.equal(await isInSight(), false);
  await button.focus();
  assert.equal(await isInSight(), true);

  await page.reload();
  await page.setViewportSize({ width: 1280, height: 500 });
  await goTo(5_000);
  assert.equal(await isInSight(), false);
  await button.focus();
  assert.equal(await isInSight(), true);
});
