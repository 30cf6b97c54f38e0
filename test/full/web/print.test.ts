import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { getDocumentProxy } from 'unpdf';
import { openBrowser } from '../../support/browser.ts';
import { type Cleanup, fixture } from '../../support/files.ts';
import { openServed } from '../../web/served.ts';

const { openTab } = await openBrowser({ after });

/** Opens the page of a profile. */
async function openProfile(t: Cleanup, PROFILE: string): Promise<Page> {
  const { url } = await openServed(t, { document: readFileSync(PROFILE, 'utf8') });
  const page = await openTab(t, url);
  await page.goto('/');
  await page.locator('input[type="email"]').first().fill('ada@example.org');
  await page.locator('.access button').first().click();
  await page.locator('.story').waitFor();
  return page;
}

interface Line {
  readonly text: string;
  /** Where it begins and ends, in points from the left edge of the paper. */
  readonly left: number;
  readonly right: number;
}

const margin = { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' };

/** Prints a page, and returns the lines of each sheet from top to bottom. */
async function print(page: Page, format: 'A4' | 'Letter'): Promise<Line[][]> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format, margin })));
  const sheets: Line[][] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    const texts = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? item : []));
    const byHeight = Map.groupBy(texts, ({ transform }) => Math.round(transform[5]));
    sheets.push(
      [...byHeight]
        .toSorted(([one], [other]) => other - one)
        .map(([, line]) => ({
          text: line.map(({ str }) => str).join(''),
          left: Math.min(...line.map(({ transform }) => transform[4])),
          right: Math.max(...line.map(({ transform, width }) => transform[4] + width)),
        })),
    );
  }
  return sheets;
}

const bare = (text: string): string => text.replaceAll(/\s/g, '');

test('a printed page has no heading at its foot, wherever the page breaks', async (t) => {
  const page = await openProfile(t, fixture('../../examples/profile.yaml'));
  // Above something of their own: a job with roles has a heading alone.
  const headings = await page.evaluate(() =>
    [...document.querySelectorAll('.profile :is(h2, h3, h4)')]
      .filter((heading) => (heading.closest('header') ?? heading).nextElementSibling !== null)
      .map((heading) => heading.textContent ?? ''),
  );
  const found: string[] = [];
  let breaks = 0;
  for (let height = 0; height < 1_000; height += 37) {
    await page.evaluate((height) => {
      const above = document.querySelector('.story');
      if (above instanceof HTMLElement) above.style.paddingTop = `${height}px`;
    }, height);
    const sheets = await print(page, 'A4');
    for (const [last] of sheets.slice(0, -1).map((lines) => lines.slice(-1))) {
      breaks += 1;
      if (headings.some((heading) => bare(last?.text ?? '').startsWith(bare(heading)))) found.push(last!.text);
    }
  }
  assert.ok(breaks > 25, `${breaks} breaks`);
  assert.deepEqual(found, []);
});

test('a profile that fits on one page is printed on one, from right to left too, and within its margins', async (t) => {
  for (const name of ['de', 'ar']) {
    const page = await openProfile(t, fixture(`languages/${name}.yaml`));
    for (const [format, width] of [
      ['A4', 595],
      ['Letter', 612],
    ] as const) {
      const sheets = await print(page, format);
      assert.equal(sheets.length, 1, `${name} on ${format}`);
      const lines = sheets[0]!;
      assert.ok(
        lines.every(({ left, right }) => left > 20 && right < width - 20),
        `${name} on ${format}`,
      );
      assert.ok(
        lines.some(({ right }) => right > width - 60),
        `${name} on ${format}`,
      );
    }
  }
});
