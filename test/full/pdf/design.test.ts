import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import { readProfileText } from 'resume-profile/profile-reader';
import { fonts, type Theme, themes } from 'resume-profile/resume-design';
import { letter, plain, rendererOf, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { openPrints } from '../../../src/adapters/pdf/prints.ts';
import { samplePath } from '../../../src/service/config/config.ts';
import { newFolder } from '../../support/files.ts';
import { runCommand } from '../../support/process.ts';

const withDesign = (resume: Partial<Profile['resume']>, profile = sample): Profile => ({
  ...profile,
  resume: { ...profile.resume, ...resume },
});

const bytesOf = async (profile: Profile, style: Partial<typeof plain> = {}) =>
  Buffer.from((await openResumeRenderer({ ...plain, ...style })(profile, '{}')).pdf);

/** A hash of the printed bytes. Node.js takes minutes and all memory to show how two PDFs differ. */
const hashOf = async (...given: Parameters<typeof bytesOf>) => hash('sha256', await bytesOf(...given));

const text = readFileSync(samplePath, 'utf8');
const textWith = (lines: string) => text.replace('resume:\n', `resume:\n${lines}`);

/** The words on each page of a profile, with their face, their size and their left and lower edge, in points. */
async function pagesOf(profile: Profile, style: Partial<typeof plain> = {}) {
  const { pages } = await rendererOf(style)(profile);
  return Promise.all(
    pages.map(async ({ page }) => {
      // Loads the fonts.
      await page.getOperatorList();
      const { items } = await page.getTextContent();
      return items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return [];
        const face = (page.commonObjs.get(item.fontName) as { name: string }).name.replace(/^[A-Z]{6}\+|-.*$/g, '');
        return [
          {
            text: item.str,
            face,
            size: item.height,
            left: item.transform[4] as number,
            bottom: item.transform[5] as number,
          },
        ];
      });
    }),
  );
}

const wordsOf = async (...given: Parameters<typeof pagesOf>) => (await pagesOf(...given))[0]!;

/** The size of the text of a profile, its left edge, and how far the lower edge of the name is from the top, in points. */
async function measured(profile: Profile) {
  const words = await wordsOf(profile);
  const { size, left } = words.find(({ text }) => text.startsWith('Staff engineer with'))!;
  return { size: Math.round(size * 100) / 100, left: Math.round(left), top: Math.round(842 - words[0]!.bottom) };
}

test('the theme and the paper of a profile take the place of the settings, a template included', async () => {
  const named = withDesign({ theme: 'modern', paper: 'us-letter' });
  const expected = await hashOf(sample, { theme: 'modern', paper: 'us-letter' });
  assert.equal(await hashOf(named, { theme: 'latex' }), expected);
  const template = join(import.meta.dirname, '../../../packages/resume-documents/src/templates/compact.typ');
  assert.equal(await hashOf(named, { template }), expected);
});

test('one renderer prints each profile in its own theme', async () => {
  const render = openResumeRenderer(plain);
  for (const theme of [...themes, 'classic'] as const) {
    const { pdf } = await render(withDesign({ theme }), '{}');
    assert.equal(hash('sha256', pdf), await hashOf(sample, { theme }), theme);
  }
});

test('a size, margins and a font of the profile are those of the text', async () => {
  assert.deepEqual(await measured(sample), { size: 10.5, left: 60, top: 76 });
  assert.deepEqual(await measured(withDesign({ size: 12, margins: 'wide' })), { size: 12, left: 77, top: 89 });
  assert.deepEqual(await measured(withDesign({ size: 9, margins: 'narrow' })), { size: 9, left: 45, top: 50 });
  assert.equal(await hashOf(withDesign({ margins: 'normal' })), await hashOf(sample));
});

test('each font is a pair of faces, which the PDF has, and Latin, Greek and Cyrillic text needs no other', async () => {
  const candidate = { ...sample.candidate, name: 'Łucja Čapek', summary: 'Žluťoučký kůň, Ελένη, Ёлка, ağaç, ő' };
  const profile = { ...sample, candidate };
  for (const [font, families] of Object.entries(fonts) as [keyof typeof fonts, readonly string[]][]) {
    const expected = [...new Set(families.map((family) => family.replaceAll(' ', '')))];
    const words = (await pagesOf(withDesign({ font }, profile))).flat();
    const found = [...new Set(words.map(({ face }) => face))];
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

test('name and headings are in the second face of a pair, code in that of code, all else in the first', async () => {
  const marked = { ...sample, candidate: { ...sample.candidate, summary: 'Runs `code` daily' } };
  const words = await wordsOf(withDesign({ font: 'garamond' }, marked));
  const faceOf = (start: string) => words.find(({ text }) => text.startsWith(start))?.face;
  // biome-ignore format: a table
  assert.deepEqual(['Dr. Lena', 'Staff', 'Runs', 'code', 'Experience'].map(faceOf), [
    'SourceSans3', 'EBGaramond', 'EBGaramond', 'DejaVuSansMono', 'SourceSans3',
  ]);
});

const coloursOf = async (profile: Profile, theme: Theme) => {
  const { pages } = await rendererOf({ theme })(profile);
  const { argsArray } = await pages[0]!.page.getOperatorList();
  return new Set(JSON.stringify(argsArray).match(/#[0-9a-f]{6}/g));
};

test('the accent is the profile’s, else that of its pages, darkened until white text on it can be read', async () => {
  const pagesRed = { ...sample, accent: '#a01020' };
  assert.ok((await coloursOf(sample, 'modern')).has('#0b5c6b'));
  assert.ok((await coloursOf(pagesRed, 'modern')).has('#a01020'));
  const purple = await coloursOf(withDesign({ accent: '#5b2a86' }, pagesRed), 'modern');
  assert.deepEqual([purple.has('#5b2a86'), purple.has('#a01020'), purple.has('#0b5c6b')], [true, false, false]);
  const yellow = await coloursOf(withDesign({ accent: '#ffcc00' }), 'modern');
  assert.ok(!yellow.has('#ffcc00'));
});

test('each theme takes the accent of the profile in place of its own, sidebar for its tint, too', async () => {
  const own = { classic: '#1f3b5c', modern: '#0b5c6b', compact: '#7a2e1d', latex: undefined, sidebar: '#24476b' };
  for (const theme of themes) {
    const [before, after] = [await coloursOf(sample, theme), await coloursOf(withDesign({ accent: '#5b2a86' }), theme)];
    if (own[theme] !== undefined)
      assert.deepEqual([before.has(own[theme]), after.has(own[theme])], [true, false], theme);
    assert.deepEqual([before.has('#5b2a86'), after.has('#5b2a86')], [false, true], theme);
  }
  const tinted = await coloursOf(withDesign({ accent: '#5b2a86' }), 'sidebar');
  assert.deepEqual([tinted.has('#eef2f6'), tinted.has('#f2eef5')], [false, true], [...tinted].join(' '));
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

test('a resume a little too long for its pages is set smaller and tighter, but not below 9 points', async () => {
  const { pages: before } = await rendererOf()(withBullets(24, {}));
  assert.equal(before.length, 2);
  const { pages } = await rendererOf()(withBullets(24, { pages: 1 }));
  assert.equal(pages.length, 1);
  assert.match(pages[0]!.lines.join(' '), /Accomplishment 23/);
  const { size } = await measured(withBullets(24, { pages: 1 }));
  assert.equal(size, 9.25);
  assert.equal((await measured(withBullets(22, { pages: 1 }))).size, 9.5);
  assert.equal(await hashOf(withBullets(10, { pages: 1 })), await hashOf(withBullets(10, {})));
  // It would fit in 8 points.
  assert.equal((await openResumeRenderer(plain)(withBullets(30, { pages: 1 }), '{}')).pages, 2);
  assert.equal((await measured(withBullets(30, { pages: 1, theme: 'compact' }))).size, 8.4);
});

test('a resume that is too long for its pages is printed as without them, and the lines to cut are named', async () => {
  for (const theme of themes) {
    const render = openResumeRenderer({ ...plain, theme });
    const { linesOver, pdf } = await render(withBullets(120, { pages: 1 }), '{}');
    assert.equal(hash('sha256', pdf), await hashOf(withBullets(120, {}), { theme }), theme);
    assert.ok(linesOver! > 10, theme);
    const shorter = await render(withBullets(120 - linesOver! - 2, { pages: 1 }), '{}');
    assert.deepEqual([shorter.linesOver, shorter.pages], [null, 1], theme);
    // The estimate is at most a tenth too high.
    const longer = await render(withBullets(120 - Math.floor(linesOver! * 0.9) + 3, { pages: 1 }), '{}');
    assert.ok(longer.linesOver !== null, `${theme}: ${linesOver}`);
  }
});

test('a letter may have more pages than its resume', async () => {
  const long = { ...letter, blocks: Array.from({ length: 30 }, () => letter.blocks).flat() };
  const printed = async (profile: Profile) => {
    const { pdf, pages, linesOver } = await openResumeRenderer(plain)(profile, '{}', long);
    return [hash('sha256', pdf), pages, linesOver];
  };
  assert.deepEqual(await printed(withDesign({ pages: 1 })), await printed(sample));
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
  const log = { warn: (...args: unknown[]) => void logged.push(args), error: () => {} };
  const profile = readProfileText(tooLong).profile!;
  const pdf = () => openResumeRenderer(plain)(profile, '{}');
  const prints = openPrints({ print: { pdf, docx: assert.fail }, served: () => [{ view: null, profile }], log });
  await prints.get(profile, 'pdf', 300_000);
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
