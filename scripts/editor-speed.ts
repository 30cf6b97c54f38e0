import { stringify } from 'yaml';
import { launchChromium } from '../test/support/chromium.ts';
import { printLink } from '../test/support/desk.ts';
import { openServed } from '../test/web/served.ts';

// Prints how fast the editor is on a resume with 40 jobs of 10 lines, in Chromium at a quarter of the speed of this machine:
// `node scripts/editor-speed.ts`. The goals: open in 1 s, and 50 ms from a key to the painted character for 95 % of the keys.

const jobs = Array.from({ length: 40 }, (_, job) => {
  const year = 2024 - Math.floor(job / 2);
  const dates = { start_date: `${year}-01`, end_date: `${year}-06` };
  const accomplishments = Array.from(
    { length: 10 },
    (_, line) => `Line ${line} of job ${job}, in some more words than it needs`,
  );
  return {
    ...{ id: `exp_${job}`, company: `Hospital ${job}`, summary: 'A hospital.', current: false },
    ...{ company_start_date: dates.start_date, company_end_date: dates.end_date },
    roles: [{ title: `Nurse ${job}`, ...dates, accomplishments }],
  };
});
const candidate = {
  id: 'cand_maria',
  name: 'Maria Oyelaran',
  title: 'Nurse',
  location: 'Portland',
  summary: 'A nurse.',
  domains: [],
};
const document = stringify({
  ...{ candidate, experience: jobs, projects: [], availability: { status: 'open' }, resume: { skills: ['Nursing'] } },
});

const closing: (() => unknown)[] = [];
const t = { after: (close: () => unknown) => void closing.push(close) };
const served = await openServed(t, { document });
const browser = await launchChromium([], []);
const context = await browser.newContext({ baseURL: served.url, viewport: { width: 1440, height: 1000 } });
const page = await context.newPage();
await page.goto((await printLink(served.opened, '/desk/profile')).url);
await page.getByRole('button', { name: 'Sign in' }).click();
const line = page.locator('[data-at="/experience/20/roles/0/accomplishments/5"]');
await line.waitFor();

await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 4 });
await page.goto('/desk/profile', { waitUntil: 'commit' });
await page.locator('[data-at="/experience/39/roles/0/accomplishments/9"]').waitFor();
console.log(`Opened after ${Math.round(await page.evaluate(() => performance.now()))} ms`);

await page.evaluate(() => {
  const durations: number[] = [];
  Object.assign(globalThis, { durations });
  const observer = new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') durations.push(duration);
  });
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
});
await line.press('End');
const count = 200;
for (let key = 0; key < count; key++) await page.keyboard.type('abcde fgh'[key % 9]!, { delay: 60 });
await page.waitForTimeout(1_000);
const slow = await page.evaluate(() => (globalThis as unknown as { durations: number[] }).durations);
// Chromium reports only those of at least 16 ms.
const all = [...Array<number>(Math.max(0, count - slow.length)).fill(8), ...slow].sort((one, other) => one - other);
const at = (part: number) => all[Math.floor(part * (all.length - 1))];
console.log(`From a key to the painted character: ${at(0.5)} ms (median), ${at(0.95)} ms (95 %)`);
await browser.close();
for (const close of closing.reverse()) await close();
process.exit(0);
