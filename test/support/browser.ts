import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { BrowserContextOptions, ConsoleMessage, Frame, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import type { Cleanup } from './files.ts';

declare global {
  /** Each layout shift of a page that no input of the user caused: how far it moved it, and when. */
  var layoutShifts: { readonly value: number; readonly at: number }[];
}

interface TabOptions extends BrowserContextOptions {
  /** The statuses of failures that a page expects and shows; Chromium logs them. */
  readonly expectedStatuses?: readonly number[];
  /** Other origins to which a page may send requests. */
  readonly origins?: readonly string[];
}

/** Ends a test of a page that hangs; a busy machine needs much of it. */
const timeoutMs = 300_000;

/** Starts a browser for the tests of a file. */
export async function openBrowser(t: Cleanup, features: readonly string[] = [], args: readonly string[] = []) {
  const browser = await launchChromium(features, args);
  t.after(() => browser.close());

  return {
    /** For pages of several origins. */
    browser,
    /**
     * Opens an empty tab with cookies of its own, for pages of one origin. The test fails if anything in it logs an error, violates
     * the content security policy, refers to what is missing, opens a dialog, or sends a request to another origin.
     */
    async openTab(
      t: Cleanup,
      baseURL: string,
      { expectedStatuses = [], origins = [], ...options }: TabOptions = {},
    ): Promise<Page> {
      const context = await browser.newContext({ baseURL, timezoneId: 'UTC', ...options });
      const faults: string[] = [];
      context.on('console', (message) => {
        if (
          message.type() === 'error' &&
          !isStatusOfPage(message) &&
          !expectedStatuses.some((status) => isStatus(message, status)) &&
          !isServiceStopped(message)
        )
          faults.push(`${message.text()} ${message.location().url}`);
      });
      context.on('weberror', (error) => faults.push(String(error.error())));
      context.on('dialog', async (dialog) => {
        faults.push(`dialog: ${dialog.message()}`);
        await dialog.dismiss();
      });
      context.on('request', (request) => {
        if (![baseURL, ...origins].includes(new URL(request.url()).origin))
          faults.push(`another origin: ${request.url()}`);
      });
      await context.addInitScript(() => {
        // In the frame of a preview no script may run, which Chromium would log for each shift.
        if (window !== window.top) return;
        globalThis.layoutShifts = [];
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) globalThis.layoutShifts.push({ value: entry.value, at: entry.startTime });
        });
        observer.observe({ type: 'layout-shift', buffered: true });
      });
      t.after(async () => {
        await context.close();
        assert.deepEqual(faults, []);
      });
      context.setDefaultTimeout(timeoutMs);
      return context.newPage();
    },
  };
}

/** Chromium logs a page that is itself a failure, such as one with the status 404. */
const isStatusOfPage = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Failed to load resource') && message.location().url === message.page()?.url();

const isStatus = (message: ConsoleMessage, status: number): boolean =>
  message.text().startsWith('Failed to load resource: ') && message.text().includes(` status of ${status} `);

/** The hooks of a test run in their order: its service stops before its tab is closed, and a font that still loads is refused. */
const isServiceStopped = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: net::ERR_(CONNECTION|SOCKET|EMPTY_RESPONSE)/.test(message.text());

/** Returns what axe finds wrong with a page as it is now, as `rule: selector`. Needs JavaScript. */
export async function axeFaults(page: Page | Frame): Promise<string[]> {
  await page.waitForLoadState(); // a text can be seen before the style sheets have arrived
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}

/** Returns what is wrong with a page as it is now: wider than a phone, or found by axe, in the dark or not. Needs JavaScript. */
export async function pageFaults(page: Page): Promise<Record<string, readonly string[]>> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 320, height: size.height });
  const scroll = await sidewaysScroll(page);
  const faults: Record<string, readonly string[]> = scroll > 0 ? { width: [`scrolls ${scroll} px sideways`] } : {};
  await page.setViewportSize(size);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await axeFaults(page);
    if (found.length > 0) faults[colorScheme] = found;
  }
  return faults;
}

/** Returns how many CSS pixels a page can be scrolled sideways, which is 0 unless something is too wide. */
export async function sidewaysScroll(page: Page | Frame): Promise<number> {
  await page.waitForLoadState(); // as above: without its style sheets a page is wider
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
