import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openResumeRenderer, type PdfStyle } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import { themes } from 'resume-profile/resume-design';
import { readProfile } from '../src/adapters/profile/profile-file.ts';
import { samplePath } from '../src/service/config/config.ts';
import { launchChromium } from '../test/support/chromium.ts';

// Renders resumes of different lengths and languages in each theme, and puts their pages on a sheet for each paper,
// docs/pdf-sheet-PAPER.png, so that they can be looked at side by side. Needs pdftoppm of poppler-utils and pngquant.

const width = 230;
const papers = { a4: 297 / 210, 'us-letter': 11 / 8.5 } satisfies Record<PdfStyle['paper'], number>;

const profileIn = (path: string): Profile => readProfile(path).profile!;
const inLanguage = (language: string) => profileIn(`test/fixtures/languages/${language}.yaml`);
const fontsOf = (script: string) =>
  fileURLToPath(new URL('../fonts', import.meta.resolve(`@embedpdf/fonts-${script}`)));

const sample = profileIn(samplePath);
const withJobs = (jobs: number): Profile => ({
  ...sample,
  experience: Array.from({ length: jobs }, (_, index) => sample.experience[index % sample.experience.length]!),
});

interface Column {
  readonly title: string;
  readonly profile: Profile;
  readonly pages: number;
  readonly fontDir?: string;
}

const columns: readonly Column[] = [
  {
    title: '1 page',
    profile: { ...withJobs(2), projects: [], resume: { ...sample.resume, publications: [] } },
    pages: 1,
  },
  { title: '2 pages', profile: withJobs(5), pages: 2 },
  { title: '40 jobs', profile: withJobs(40), pages: 2 },
  { title: 'German', profile: inLanguage('de'), pages: 1 },
  { title: 'Arabic', profile: inLanguage('ar'), pages: 1, fontDir: fontsOf('arabic') },
  { title: 'Chinese', profile: inLanguage('zh'), pages: 1, fontDir: fontsOf('sc') },
];

const folder = mkdtempSync(join(tmpdir(), 'pdf-sheet-'));

/** The first pages of a profile as PNG, in `data:` URLs. */
async function picturesOf(
  { profile, pages, fontDir }: Column,
  style: Pick<PdfStyle, 'theme' | 'paper'>,
): Promise<string[]> {
  const render = openResumeRenderer({ ...style, template: undefined, fontDir });
  const { pdf } = await render(profile, '{}');
  const scale = ['-scale-to-x', String(width), '-scale-to-y', '-1'];
  execFileSync('pdftoppm', ['-png', ...scale, '-l', String(pages), '-', join(folder, 'page')], { input: pdf });
  const names = readdirSync(folder).sort();
  const pictures = names.map((name) => readFileSync(join(folder, name)).toString('base64'));
  for (const name of names) rmSync(join(folder, name));
  return pictures.map((picture) => `data:image/png;base64,${picture}`);
}

const toCell = (pictures: readonly string[]) => `<td>${pictures.map((url) => `<img src="${url}">`).join('')}</td>`;

const browser = await launchChromium();
for (const paper of Object.keys(papers) as PdfStyle['paper'][]) {
  const height = Math.round(width * papers[paper]);
  const rows: string[] = [];
  for (const theme of themes) {
    const cells: string[] = [];
    for (const column of columns) cells.push(toCell(await picturesOf(column, { theme, paper })));
    rows.push(`<tr><th>${theme}</th>${cells.join('')}</tr>`);
  }
  const page = await browser.newPage();
  await page.setContent(`<style>
    body { display: inline-block; margin: 0; padding: 8px; background: #d8d8d8; font: 13px sans-serif; }
    td { white-space: nowrap; padding: 3px 6px; } img { width: ${width}px; height: ${height}px; background: white; margin: 0 2px; }
    th { font-weight: 600; padding: 4px; }
  </style>
  <table><tr><th></th>${columns.map(({ title }) => `<th>${title}</th>`).join('')}</tr>${rows.join('')}</table>`);
  const path = `docs/pdf-sheet-${paper}.png`;
  writeFileSync(path, await page.locator('body').screenshot());
  execFileSync('pngquant', ['--force', '--ext', '.png', '--speed', '1', '32', path]);
}
await browser.close();
rmSync(folder, { recursive: true });
