import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { BrowserContextOptions } from 'playwright-core';
import { openPrinter } from '../src/adapters/pdf/printer.ts';
import { launchChromium } from '../test/support/chromium.ts';

// As `npm run` starts the service, so that the pages name its commands without a path of this machine.
process.env.npm_package_name = 'candidate-profile';
const { signIn } = await import('../test/web/steps.ts');
const { cardStates } = await import('../test/web/card-states.ts');
const states = await import('../test/web/states.ts');
const services = await import('../test/web/visits.ts');
const { deskStates, emptyDeskStates, limitedStates, publicStates, sampleStates, setupStates } = states;
const { openOwnService, openSampleService, openUnpublishedService, openVisitedService } = services;

// Takes a picture of each page in each of its states, to docs/pages, and writes docs/pages.md, with pngquant of the package of that name.
// All of them, because a state shows what was done in those before it.

await using cleanup = new AsyncDisposableStack();
const t = { after: (clean: () => void | Promise<void>) => cleanup.defer(clean) };
const browser = cleanup.adopt(await launchChromium(), (one) => one.close());
const visited = await openVisitedService(t, { openPrinter, port: 3_000 });
const unvisited = await openOwnService(t, { openPrinter, port: 3_001 });
const unpublished = await openUnpublishedService(t, { openPrinter, port: 3_003 });
const limited = await openOwnService(t, { openPrinter, env: { LIMITS: '1' }, port: 3_002 });
const sample = await openSampleService(t, { openPrinter, port: 3_004 });

const desktop = { viewport: { width: 1280, height: 800 } };
const looks: Record<string, BrowserContextOptions> = {
  dark: { ...desktop, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 } },
};
/** The states of which there are pictures in each look. */
const main = ['landing', 'profile', 'card', 'docs', 'desk-today', 'desk-message', 'desk-profile'];
/** The states that docs/pages.md shows. */
const tour = new Set(
  `landing profile profile-token-shown record connect connect-consent link link-opened docs docs-tried docs-mcp
   card card-experience setup-sign-in first-profile first-profile-found desk-today desk-readers desk-reader desk-inbox
   desk-message desk-message-replied desk-share desk-share-link desk-profile desk-profile-job desk-profile-look desk-profile-readers desk-profile-version desk-history desk-mail`.split(
    /\s+/,
  ),
);
/** The height at which the picture of a long page ends; in the reference, what sticks to the window is as tall as that alone. */
const maxHeight = ({ name }: { name: string }) => (name.startsWith('docs') ? 800 : 1_400);

async function signedIn({ url, inbox }: typeof unvisited): Promise<BrowserContextOptions> {
  const page = await browser.newPage({ baseURL: url });
  await signIn(page, inbox);
  return { storageState: await page.context().storageState() };
}

const groups = [
  { title: 'For visitors and integrators', states: publicStates, service: visited, options: {} },
  { title: 'In an assistant', states: cardStates, service: visited, options: {} },
  { title: 'Over a limit', states: limitedStates, service: limited, options: {} },
  { title: 'Before there is a profile', states: setupStates, service: unpublished, options: {} },
  { title: 'While the sample is served', states: sampleStates, service: sample, options: await signedIn(sample) },
  { title: 'The desk', states: deskStates, service: visited, options: await signedIn(visited) },
  {
    title: 'The desk of a new service',
    states: emptyDeskStates,
    service: unvisited,
    options: await signedIn(unvisited),
  },
];

const folder = 'docs/pages';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const lines = [
  '# The pages',
  '',
  'For those who want to see it first: the main pages, as Chromium shows them with the sample profile.',
  '`node scripts/show-pages.ts` takes these pictures, and one of every other state of `test/web/states.ts` and `card-states.ts`, to `docs/pages`.',
];
for (const { title, states, service, options } of groups) {
  if (states.some(({ name }) => tour.has(name))) lines.push('', `## ${title}`);
  for (const state of states) {
    if (tour.has(state.name)) lines.push('', state.shows, '');
    for (const [look, lookOptions] of [
      ['', desktop] as const,
      ...(main.includes(state.name) ? Object.entries(looks) : []),
    ]) {
      const name = `${state.name}${look && `-${look}`}.png`;
      if (tour.has(state.name)) lines.push(`![${state.name}${look && `, ${look}`}](pages/${name})`);
      const context = await browser.newContext({ baseURL: service.url, timezoneId: 'UTC', ...options, ...lookOptions });
      const page = await context.newPage();
      await state.open(page, service);
      await page.waitForLoadState('networkidle');
      const { width, height } = await page.evaluate(() => document.documentElement.getBoundingClientRect());
      await page.evaluate(() => scrollTo(0, 0)); // what sticks to the window is drawn there
      // Entries of the editor that are out of sight are not laid out.
      if (state.name.startsWith('desk-profile')) {
        await page.setViewportSize({ width, height: maxHeight(state) });
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      }
      const y = state.from === undefined ? 0 : ((await page.locator(state.from).boundingBox())?.y ?? 0);
      const clip = { x: 0, y, width, height: Math.min(height - y, maxHeight(state)) };
      const png = await page.screenshot({ fullPage: true, clip, animations: 'disabled', caret: 'hide' });
      writeFileSync(
        `${folder}/${name}`,
        execFileSync('pngquant', ['--quality=60-90', '--speed=1', '--strip', '-'], { input: png }),
      );
      await context.close();
    }
  }
}
writeFileSync('docs/pages.md', `${lines.join('\n')}\n`);
