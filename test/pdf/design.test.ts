import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLatestPdf } from '../../src/adapters/pdf/latest-pdf.ts';
import { openResumeRenderer } from '../../src/adapters/pdf/resume-pdf.ts';
import { readProfileText } from '../../src/formats/profile/profile-reader.ts';
import type { Profile } from '../../src/model/profile/profile-document.ts';
import { fonts, themes } from '../../src/model/profile/resume-design.ts';
import { samplePath } from '../../src/service/config/config.ts';
import { newFolder } from '../support/files.ts';
import { runCommand } from '../support/process.ts';
import { plain, rendererOf, sample } from './rendered.ts';

const withDesign = (resume: Partial<Profile['resume']>, profile = sample): Profile => ({
  ...profile,
  resume: { ...profile.resume, ...resume },
});

const bytesOf = async (profile: Profile, style: Partial<typeof plain> = {}) =>
  Buffer.from((await openResumeRenderer({ ...plain, ...style })(profile, '{}')).pdf);

const text = readFileSync(samplePath, 'utf8');
const textWith = (lines: string) => text.replace('resume:\n', `resume:\n${lines}`);

/** The size of the words of a profile, and the left edge of its text, in points. */
async function measured(profile: Profile) {
  const { pages } = await rendererOf()(profile);
  const { items } = await pages[0]!.page.getTextContent();
  const words = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []));
  const summary = words.find(({ str }) => str.startsWith('Staff engineer with'))!;
  return { size: Math.round(summary.height * 100) / 100, left: Math.round(summary.transform[4]) };
}

/** The names of the fonts in a PDF, without the tags of their subsets. */
const fontsIn = (pdf: Buffer): string[] => {
  const names = execFileSync('pdffonts', ['-'], { input: pdf, encoding: 'utf8' }).matchAll(/^[A-Z]{6}\+(\S+)/gm);
  return [...new Set(Array.from(names, ([, name]) => name!.replace(/-.*$/, '')))].sort();
};

test('the theme and the paper of a profile take the place of the settings, a template included', async () => {
  const named = withDesign({ theme: 'modern', paper: 'us-letter' });
  const expected = await bytesOf(sample, { theme: 'modern', paper: 'us-letter' });
  assert.deepEqual(await bytesOf(named, { theme: 'latex' }), expected);
  const template = join(import.meta.dirname, '../../src/adapters/pdf/templates/compact.typ');
  assert.deepEqual(await bytesOf(named, { template }), expected);
});

test('one renderer prints each profile in its own theme', async () => {
  const render = openResumeRenderer(plain);
  for (const theme of [...themes, 'classic'] as const) {
    const { pdf } = await render(withDesign({ theme }), '{}');
    assert.deepEqual(Buffer.from(pdf), await bytesOf(sample, { theme }), theme);
  }
});

test('a size, margins and a font of the profile are those of the text', async () => {
  assert.deepEqual(await measured(sample), { size: 10.5, left: 60 });
  assert.deepEqual(await measured(withDesign({ size: 12, margins: 'wide' })), { size: 12, left: 77 });
  assert.deepEqual(await measured(withDesign({ size: 9, margins: 'narrow' })), { size: 9, left: 45 });
  assert.deepEqual(await bytesOf(withDesign({ margins: 'normal' })), await bytesOf(sample));
});

test('each font is a pair of faces, which the PDF has, and Latin, Greek and Cyrillic text needs no other', async () => {
  const candidate = { ...sample.candidate, name: 'Łucja Čapek', summary: 'Žluťoučký kůň, Ελένη, Ёлка, ağaç, ő' };
  const profile = { ...sample, candidate };
  for (const [font, families] of Object.entries(fonts) as [keyof typeof fonts, readonly string[]][]) {
    const expected = [...new Set(families.map((family) => family.replaceAll(' ', '')))];
    const found = fontsIn(await bytesOf(withDesign({ font }, profile)));
    const own = found.filter((name) =>
      expected.some((family) => name.startsWith(family.replace('NewComputerModern', 'NewCM'))),
    );
    const others = found.filter((name) => !own.includes(name));
    // Plex Serif has no Greek.
    assert.deepEqual(others, font === 'plex' ? ['NotoSans'] : [], font);
    assert.equal(
      new Set(own.map((name) => name.replace(/(?<=NewCM).*/, ''))).size,
      expected.length,
      `${font}: ${found}`,
    );
  }
});

test('the accent is that of the profile, else of its pages, and is darkened until white text on it can be read', async () => {
  const coloursOf = async (profile: Profile) => {
    const { pages } = await rendererOf({ theme: 'modern' })(profile);
    const { argsArray } = await pages[0]!.page.getOperatorList();
    return new Set(JSON.stringify(argsArray).match(/#[0-9a-f]{6}/g));
  };
  const pagesRed = { ...sample, accent: '#a01020' };
  assert.ok((await coloursOf(sample)).has('#0b5c6b'));
  assert.ok((await coloursOf(pagesRed)).has('#a01020'));
  const purple = await coloursOf(withDesign({ accent: '#5b2a86' }, pagesRed));
  assert.deepEqual([purple.has('#5b2a86'), purple.has('#a01020'), purple.has('#0b5c6b')], [true, false, false]);
  const yellow = await coloursOf(withDesign({ accent: '#ffcc00' }));
  assert.ok(!yellow.has('#ffcc00'));
});

test('a design that cannot be printed is a fault at its line', () => {
  const { profile, faults } = readProfileText(
    textWith('  theme: fancy\n  paper: a3\n  font: comic\n  size: 8\n  margins: tiny\n  accent: red\n  pages: 0\n'),
  );
  assert.equal(profile, null);
  const at = text.split('\n').indexOf('resume:') + 2;
  assert.deepEqual(
    faults.map((fault) => fault.replace(/^:?(\d+):\d+/, (_, line) => `${Number(line) - at}`)),
    [
      '0: resume.theme: must be one of classic, modern, compact, latex, sidebar',
      '1: resume.paper: must be one of a4, us-letter',
      '2: resume.font: must be one of noto, libertinus, computer-modern, source-sans, source-serif, plex, garamond, roboto',
      '3: resume.size: must be a number of points from 9 to 12',
      '4: resume.margins: must be one of narrow, normal, wide',
      '5: resume.accent: must be a colour such as "#0b5d6b", in quotes',
      '6: resume.pages: must be a number of pages from 1 to 9',
    ],
  );
});

/** The sample with so many short bullets in its only job. */
const withBullets = (count: number, resume: Partial<Profile['resume']>): Profile => {
  const [job] = sample.experience;
  const accomplishments = Array.from({ length: count }, (_, index) => `Accomplishment ${index}`);
  const experience = [{ ...job!, roles: [{ ...job!.roles[0]!, accomplishments }] }];
  return withDesign(resume, { ...sample, experience, projects: [] });
};

test('a resume that is a little too long for its pages is set smaller and tighter until it fits, but not below 9 points', async () => {
  const { pages: before } = await rendererOf()(withBullets(24, {}));
  assert.equal(before.length, 2);
  const { pages } = await rendererOf()(withBullets(24, { pages: 1 }));
  assert.equal(pages.length, 1);
  assert.match(pages[0]!.lines.join(' '), /Accomplishment 23/);
  const { size } = await measured(withBullets(24, { pages: 1 }));
  assert.ok(size >= 9 && size < 10.5, String(size));
  assert.equal((await measured(withBullets(10, { pages: 1 }))).size, 10.5);
});

test('a resume that is too long for its pages is printed as without them, and the lines to cut are named', async () => {
  for (const theme of themes) {
    const render = openResumeRenderer({ ...plain, theme });
    const { linesOver, pdf } = await render(withBullets(120, { pages: 1 }), '{}');
    assert.deepEqual(Buffer.from(pdf), await bytesOf(withBullets(120, {}), { theme }), theme);
    assert.ok(linesOver! > 10, theme);
    const shorter = await render(withBullets(120 - linesOver! - 2, { pages: 1 }), '{}');
    assert.deepEqual([shorter.linesOver, shorter.pages], [null, 1], theme);
  }
});

const tooLong = textWith(`  pages: 1\n  volunteer:\n${'    - role: Cook\n'.repeat(40)}`);

test('check and the log say by how many lines a resume is too long for its pages', async (t) => {
  const file = join(newFolder(t), 'profile.yaml');
  writeFileSync(file, tooLong);
  const { stdout, code } = await runCommand(t, ['check', file]);
  assert.equal(code, 0);
  const warning =
    /the PDF is about \d+ lines too long for 1 page, in the smallest type and with the least space; shorten it, or allow more pages/;
  assert.match(stdout, new RegExp(`:\\d+:\\d+: warning: resume\\.pages: ${warning.source}`));
  const logged: unknown[][] = [];
  const log = { warn: (...args: unknown[]) => logged.push(args), error: () => {} };
  const latest = openLatestPdf(openResumeRenderer(plain), log as never);
  await latest.render(readProfileText(tooLong).profile!, '{}');
  assert.equal(logged.length, 1);
  assert.match((logged[0]![0] as { warning: string }).warning, warning);
  assert.equal(logged[0]![1], 'resume PDF longer than its pages');
});

test('export --all prints the PDF in every theme to a folder, and replaces nothing unless it is told to', async (t) => {
  const folder = newFolder(t);
  const [file, out] = [join(folder, 'profile.yaml'), join(folder, 'all')];
  writeFileSync(file, textWith('  theme: latex\n'));
  const first = await runCommand(t, ['export', file, '--all', '--out', out]);
  assert.equal(first.code, 0, first.stderr);
  assert.deepEqual(readdirSync(out).sort(), ['classic.pdf', 'compact.pdf', 'latex.pdf', 'modern.pdf', 'sidebar.pdf']);
  assert.equal(first.stdout.split('\n')[0], `${join(out, 'classic.pdf')}: 2 pages`);
  assert.equal(new Set(readdirSync(out).map((name) => readFileSync(join(out, name), 'base64'))).size, 5);
  const second = await runCommand(t, ['export', file, '--all', '--out', out]);
  assert.deepEqual(
    [second.code, second.stderr.includes('classic.pdf: exists already; --force replaces it')],
    [1, true],
  );
  assert.equal((await runCommand(t, ['export', file, '--all', '--out', out, '--force'])).code, 0);
  const without = await runCommand(t, ['export', file, '--all']);
  assert.match(without.stderr, /--all prints PDFs into a folder; name it with --out/);
  const named = await runCommand(t, ['export', file, '--all', '--out', join(folder, 'resume.pdf')]);
  assert.match(named.stderr, /--all prints PDFs into a folder; name it with --out/);
  writeFileSync(join(folder, 'notes'), '');
  const taken = await runCommand(t, ['export', file, '--all', '--out', join(folder, 'notes')]);
  assert.equal(taken.stderr, `${join(folder, 'notes')}: is a file; name a folder\n`);
});
