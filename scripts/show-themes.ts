import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { openResumeRenderer } from '../src/adapters/pdf/resume-pdf.ts';
import { readProfile } from '../src/adapters/profile/profile-file.ts';
import { themes } from '../src/model/profile/resume-theme.ts';
import { resumeJsonOf } from '../src/operations/resume.ts';
import { samplePath } from '../src/service/config/config.ts';
import { launchChromium } from '../test/support/chromium.ts';

// Renders the first page of the sample in each theme to docs/pdf-THEME.png, with pdftoppm of poppler-utils and pngquant, and its
// upper part to the small picture that the desk shows.

const sample = readProfile(samplePath).profile!;
const browser = await launchChromium();
const page = await browser.newPage();
for (const theme of themes) {
  const render = openResumeRenderer({ theme, paper: 'a4', template: undefined, fontDir: undefined });
  const { pdf } = await render(sample, resumeJsonOf(sample));
  execFileSync('pdftoppm', ['-r', '72', '-png', '-singlefile', '-', `docs/pdf-${theme}`], { input: pdf });
  const picture = readFileSync(`docs/pdf-${theme}.png`).toString('base64');
  execFileSync('pngquant', ['--force', '--ext', '.png', '48', `docs/pdf-${theme}.png`]);
  writeFileSync(
    `src/surfaces/web/static/theme-${theme}.webp`,
    Buffer.from(await page.evaluate(toThumbnail, picture), 'base64'),
  );
}
await browser.close();

/** Runs in the browser: returns the upper part of a PNG as WebP, 320 by 240 pixels. Both are in base64. */
async function toThumbnail(png: string): Promise<string> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [320, 240];
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, 320, (320 * image.height) / image.width);
  return canvas.toDataURL('image/webp', 0.25).split(',')[1]!;
}
