import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { axeFaults, openBrowser, sidewaysScroll } from '../support/browser.ts';
import { startProcess } from '../support/process.ts';
import { publicStates } from './states.ts';

const service = await startProcess({ after });
const { openTab } = await openBrowser({ after });

const kilobytes = 1024;

/**
 * Words are as wide as in the face to come on average only, so some move within their line: a tenth of what Web Vitals counts as good.
 */
const unnoticedShift = 0.01;

/** How a page can be shown. At 640 px, 1280 px are zoomed to 200 %. */
const views = [
  { view: '320 px', size: 320 },
  { view: '640 px', size: 640 },
  { view: '768 px', size: 768 },
  { view: '1440 px', size: 1440 },
  { view: 'dark', size: 1280, media: { colorScheme: 'dark' } },
  { view: 'printed from the dark scheme', size: 720, media: { media: 'print', colorScheme: 'dark' } },
] as const;

const asItIs = { media: null, colorScheme: null } as const;

for (const { name, open } of publicStates)
  describe(name, () => {
    test('axe finds nothing, and nothing is too wide, at any width, in any scheme, and printed', async (t) => {
      const page = await openTab(t, service.url);
      await open(page);
      const faults: Record<string, readonly string[]> = {};
      for (const { view, size, ...rest } of views) {
        await page.setViewportSize({ width: size, height: 800 });
        await page.emulateMedia({ ...asItIs, ...('media' in rest ? rest.media : {}) });
        const scroll = await sidewaysScroll(page);
        const found = [...(scroll > 0 ? [`scrolls ${scroll} px sideways`] : []), ...(await axeFaults(page))];
        if (found.length > 0) faults[view] = found;
      }
      assert.deepEqual(faults, {});
    });

    test('it is small', async (t) => {
      const page = await openTab(t, service.url);
      const sizes = measure(page);
      await open(page);
      const { html, others } = await sizes();
      assert.ok(html <= 20 * kilobytes, `HTML: ${html}`);
      assert.ok(others <= 60 * kilobytes, `all but fonts: ${others}`);
    });

    test('nothing moves when the fonts come late', async (t) => {
      const page = await openTab(t, service.url);
      await page.route('**/*.woff2', async (route) => {
        await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
        await route.continue();
      });
      await open(page);
      await page.evaluate(async () => {
        await document.fonts.ready;
        // What has moved is reported after the frame in which it did.
        for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
      });
      const shift = await page.evaluate(() => globalThis.layoutShifts.reduce((sum, one) => sum + one, 0));
      assert.ok(shift < unnoticedShift, `moved by ${shift}`);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });

/** Adds up the bytes of the last page that a tab opens, compressed as they are or could be sent. */
function measure(page: Page) {
  let html = 0;
  const others = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const request = response.request();
    if (request.isNavigationRequest()) {
      others.clear();
      response.body().then(
        (body) => (html = gzipSync(body).byteLength),
        () => {},
      );
    } else if (request.resourceType() !== 'font')
      others.set(
        response.url(),
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      );
  });
  return async () => {
    await page.waitForLoadState('networkidle');
    return { html, others: (await Promise.all(others.values())).reduce((sum, size) => sum + size, 0) };
  };
}
