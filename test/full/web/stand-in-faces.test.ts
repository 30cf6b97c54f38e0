import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { newFolder } from '../../support/files.ts';
import { openServed } from '../../web/served.ts';

const { url } = await openServed({ after });

const text = 'Every call but one needs a bearer token. You get it with an e-mail address, and Word or a PDF with it.';

/** Measures the text on a page in the faces of ours, or in those of the system if ours never arrive, by weights. */
async function measure(browser: Browser, { hasOurs }: { readonly hasOurs: boolean }) {
  const page = await browser.newPage();
  if (!hasOurs) await page.route(/\.woff2$/, (route) => route.abort());
  // A face that comes late would be used from the next page on.
  await page.route(/\/style\.[^/]+\.css$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('font-display: optional', '') });
  });
  await page.goto(url);
  const sizes = await page.evaluate(
    async ([text, isLoaded]) => {
      const measured = [];
      for (const weight of [400, 600]) {
        const line = document.createElement('span');
        line.textContent = text;
        line.style.cssText = `position:absolute;font:${weight} 40px/normal var(--sans);white-space:pre`;
        document.body.append(line);
        if (isLoaded) await document.fonts.load(`${weight} 40px "Source Sans 3 Variable"`, text);
        const { width, height } = line.getBoundingClientRect();
        measured.push({ width, height });
      }
      return measured;
    },
    [text, hasOurs] as const,
  );
  await page.close();
  return sizes;
}

for (const [name, fontPackage] of [
  ['Android', '@expo-google-fonts/roboto'],
  ['many a Linux', '@embedpdf/fonts-latin'],
] as const)
  test(`a text in the face of ${name} is as large as in ours, so that nothing moves once ours are there`, async (t) => {
    const folder = fileURLToPath(new URL(`../../../node_modules/${fontPackage}`, import.meta.url));
    const own = newFolder(t);
    const fonts = join(own, 'fonts.conf');
    writeFileSync(fonts, `<fontconfig><dir>${folder}</dir><cachedir>${own}/cache</cachedir></fontconfig>`);
    const browser = await launchChromium([], [], fonts);
    t.after(() => browser.close());
    const ours = await measure(browser, { hasOurs: true });
    for (const [index, { width, height }] of (await measure(browser, { hasOurs: false })).entries()) {
      const of = ours[index]!;
      assert.ok(Math.abs(width / of.width - 1) < 0.015, `${width} for ${of.width}`);
      assert.ok(Math.abs(height - of.height) <= 1, `${height} for ${of.height}`);
    }
  });
