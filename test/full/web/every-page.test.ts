import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page, Request, Response, Route } from 'playwright-core';
import { axeFaults, openBrowser, sidewaysScroll } from '../../support/browser.ts';
import { scaled } from '../../support/figures.ts';
import {
  deskStates,
  emptyDeskStates,
  limitedStates,
  publicStates,
  type State,
  sampleStates,
  setupStates,
} from '../../web/states.ts';
import { signIn } from '../../web/steps.ts';
import { openOwnService, openSampleService, openUnpublishedService, openVisitedService } from '../../web/visits.ts';

const { openTab } = await openBrowser({ after });
const visited = await openVisitedService({ after });
const unvisited = await openOwnService({ after });
const limited = await openOwnService({ after }, { env: { LIMITS: '1' } });

const unpublished = await openUnpublishedService({ after });
const sample = await openSampleService({ after });

const groups = [
  { states: publicStates, service: visited, options: {} },
  { states: limitedStates, service: limited, options: {} },
  { states: setupStates, service: unpublished, options: {} },
  { states: sampleStates, service: sample, options: await signedIn(sample) },
  { states: deskStates, service: visited, options: await signedIn(visited) },
  { states: emptyDeskStates, service: unvisited, options: await signedIn(unvisited) },
];

async function signedIn({ url, inbox }: typeof unvisited) {
  const page = await openTab({ after }, url);
  await signIn(page, inbox);
  return { storageState: await page.context().storageState() };
}

const kilobytes = 1024;

/** At 640 px, 1280 px are zoomed to 200 %. */
const widths = [320, 640, 768, 1440];

const looks = [
  { look: 'phone', width: 320, media: {} },
  { look: 'desktop', width: 1440, media: {} },
  { look: 'dark', width: 1440, media: { colorScheme: 'dark' } },
  { look: 'printed from the dark scheme', width: 720, media: { media: 'print', colorScheme: 'dark' } },
] as const;

let described = 0;
/** All looks, or in the short form one of them, in turn. */
const looksOfNext = () => scaled<readonly (typeof looks)[number][]>(looks, [looks[described++ % looks.length]!]);

/** All states, or in the short form every third. */
const inBrief = (states: readonly State[]) =>
  scaled(
    states,
    states.filter((_, index) => index % 3 === 0),
  );

for (const { states, service, options } of groups)
  for (const { name, open } of inBrief(states)) {
    const seen = looksOfNext();
    describe(name, () => {
      const closing: (() => void | Promise<void>)[] = [];
      let page: Page;
      let sizes: ReturnType<typeof measure>;
      before(async () => {
        page = await openTab({ after: (close) => closing.push(close) }, service.url, options);
        sizes = measure(page);
        await page.route(/\.woff2$|\/profile\/session$/, holdUntilPainted);
        await open(page, service);
      });
      after(async () => {
        for (const close of closing) await close();
      });

      test('nothing moves when the fonts, or the session that a page asks for, come late', async () => {
        // The editor is drawn by its script, and what becomes of the resume comes later.
        if ((await page.locator('.ed').count()) > 0) return;
        const shifts = await page.evaluate(async () => {
          await document.fonts.ready;
          // What has moved is reported after the frame in which it did.
          for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
          const [released] = performance.getEntriesByName('released');
          return globalThis.layoutShifts.filter(({ at }) => released !== undefined && at >= released.startTime);
        });
        assert.deepEqual(shifts, []);
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      });

      test('compressed, the HTML is at most 20 KB, all else but fonts 60 KB, or 300 KB in an editor', async () => {
        const { html, others } = await sizes();
        assert.ok(html > 0 && html <= 20 * kilobytes, `HTML: ${html}`);
        // Here its scripts are not minified, and it has a preview.
        const limit = (await page.locator('.ed, .source').count()) > 0 ? 300 : 60;
        assert.ok(others <= limit * kilobytes, `all but fonts: ${others}`);
      });

      test('nothing is too wide, on a phone or zoomed, and axe finds nothing, in the dark or printed', async () => {
        const faults: Record<string, readonly string[]> = {};
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          const scroll = await sidewaysScroll(page);
          if (scroll > 0) faults[`${width} px`] = [`scrolls ${scroll} px sideways`];
        }
        for (const { look, width, media } of seen) {
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ media: null, colorScheme: null, ...media });
          const found = await axeFaults(page);
          if (found.length > 0) faults[look] = found;
        }
        assert.deepEqual(faults, {});
      });
    });
  }

/** Holds a response until its page is painted as it is without it, however long that takes, and marks when it is let through. */
async function holdUntilPainted(route: Route): Promise<void> {
  const frame = route.request().frame();
  // In the frame of a preview no script may run.
  if (frame.parentFrame() !== null) return route.continue();
  try {
    await frame.waitForFunction(() => {
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const isPainted = performance.getEntriesByName('first-contentful-paint').length > 0;
      // Scripts have run by then.
      return isPainted && navigation!.domContentLoadedEventEnd > 0;
    });
    await frame.evaluate(async () => {
      for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
      if (performance.getEntriesByName('released').length === 0) performance.mark('released');
    });
    await route.continue();
  } catch {
    // The page was left meanwhile.
  }
}

/** Adds up the bytes of the last page that a tab opens, compressed as they are or could be sent. */
function measure(page: Page) {
  let html: Response | undefined;
  const others = new Map<string, Request>();
  page.on('response', (response) => {
    const request = response.request();
    if (!request.isNavigationRequest()) {
      if (request.resourceType() !== 'font') others.set(response.url(), request);
    } else if (response.status() !== 303) {
      others.clear();
      html = response;
    }
  });
  // Asked for at the end: the size of what arrives while the tab is closed would never be known.
  return async () => {
    await page.waitForLoadState('load');
    const sizes = await Promise.all(Array.from(others.values(), (request) => request.sizes()));
    return {
      html: html === undefined ? 0 : gzipSync(await html.body()).byteLength,
      others: sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0),
    };
  };
}
