import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Profile } from 'resume-profile/profile-document';
import { themes } from 'resume-profile/resume-design';
import { rendererOf, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { runCommand } from '../../support/process.ts';

test('check and export warn alike of a script without a font, once', async (t) => {
  const folder = newFolder(t);
  const PROFILE = join(folder, 'profile.yaml');
  const text = readFileSync(fixture('profile.yaml'), 'utf8');
  writeFileSync(PROFILE, text.replace(/^( {2}name: ).*/m, '$1ܟܬܒܐ').replace(/^( {2}summary: ).*/m, '$1ܟܬܒܐ.'));
  const exportPdf = ['export', '--format', 'pdf', '--force', '--out', join(folder, 'resume.pdf')];
  const [checked, exported] = [await runCommand(t, ['check', PROFILE]), await runCommand(t, exportPdf, { PROFILE })];
  const warning =
    'candidate.name: the PDF leaves out 4 Syriac characters, which no font has; set FONT_DIR to a folder of fonts that do, such as Debian’s fonts-noto-core in /usr/share/fonts/truetype/noto';
  assert.deepEqual(
    checked.stdout.match(/.*no font has.*/g)?.map((line) => line.replace(/^.*?: warning: /, '')),
    [warning],
  );
  assert.deepEqual(exported.stderr.match(/.*no font has.*/g), checked.stdout.match(/.*no font has.*/g));
  assert.equal(exported.code, 0);
});

/** The sample with a name, summary and resume language. */
const written = (name: string, summary: string, language?: string): Profile => ({
  ...sample,
  candidate: { ...sample.candidate, name, summary },
  resume: { ...sample.resume, ...(language !== undefined && { language }) },
});

type Rendered = Awaited<ReturnType<ReturnType<typeof rendererOf>>>;

/** Where texts stand on the first page, in points from its left edge. */
async function edgesOf({ pages }: Rendered, ...texts: string[]) {
  const { items } = await pages[0]!.page.getTextContent();
  return texts.map((text) => {
    const item = items.find((one) => 'str' in one && one.str.includes(text));
    assert.ok(item !== undefined && 'str' in item, text);
    return { left: Math.round(item.transform[4]), right: Math.round(item.transform[4] + item.width) };
  });
}

const margin = 60;
const hebrew = ['נועה לוי', 'בונה מערכות ב-C++.'] as const;

test('a resume in Hebrew is set from right to left in each theme: headings at the right, dates at the left', async () => {
  for (const theme of themes) {
    const rendered = await rendererOf({ theme })(written(...hebrew, 'he'));
    assert.deepEqual(rendered.missingGlyphs, []);
    const [heading, date] = await edgesOf(rendered, 'כישורים', 'היום');
    assert.ok(heading!.right > 595 - margin - 20, `${theme}: ${heading!.right}`);
    assert.ok(date!.left < margin + 1, `${theme}: ${date!.left}`);
  }
});

test('a resume without a language is set in the direction of its summary', async () => {
  const heading = async (summary: string) => {
    const [{ left } = assert.fail()] = await edgesOf(await rendererOf()(written('Noa Levi', summary)), 'Experience');
    return left < 300 ? 'left' : 'right';
  };
  assert.equal(await heading(hebrew[1]), 'right');
  assert.equal(await heading('Builds systems.'), 'left');
});

test('from right to left, numbers, addresses and names such as C++ are as they are written', async () => {
  const profile = written(...hebrew, 'he');
  const rendered = await rendererOf({ theme: 'modern' })({
    ...profile,
    resume: { ...profile.resume, phone: '+972 3 123 45 67', skills: ['F#', '.NET', 'Zig'] },
  });
  const [email, phone, first, second, last] = await edgesOf(rendered, '@', '+972 3 123 45 67', 'F#', '.NET', 'Zig');
  assert.ok(phone!.right < email!.left);
  assert.ok(last!.right < second!.left && second!.right < first!.left);
  await edgesOf(rendered, 'C++');
});

test('from right to left, dates with English months keep their order', async () => {
  const education = [{ institution: 'School', start_date: '2009', end_date: '2014-06' }];
  const profile: Profile = { ...written(...hebrew), resume: { skills: [], education }, experience: [], projects: [] };
  await edgesOf(await rendererOf()(profile), '2009 – Jun 2014');
});

test('the language of the resume is that of the PDF, of its headings, dates and page numbers', async () => {
  const languageOf = async (profile: Profile) => {
    const { pdf, text } = await rendererOf()(profile);
    return [((await pdf.getMetadata()).info as { Language: string }).Language, text] as const;
  };
  const [german, text] = await languageOf(written('Lena Vasquez', sample.candidate.summary, 'de-AT'));
  assert.equal(german, 'de-AT');
  for (const words of ['Berufserfahrung', 'Apr. 2022 – heute', 'Seite 2 von 2']) assert.ok(text.includes(words), words);
  const [chinese, chineseText] = await languageOf(written('李明', '工程师。', 'zh'));
  assert.equal(chinese, 'zh');
  for (const words of ['工作经历', '2022 年 4 月 – 至今', '，']) assert.ok(chineseText.includes(words), words);
});

test('a resume in German, Arabic or Chinese fits one page in each theme, with a glyph for each character', async () => {
  for (const language of ['de', 'ar', 'zh']) {
    const profile = readProfile(fixture(`languages/${language}.yaml`)).profile!;
    for (const theme of themes) {
      const { pages, missingGlyphs } = await rendererOf({ theme })(profile);
      assert.deepEqual([pages.length, missingGlyphs], [1, []], `${language}, ${theme}`);
    }
  }
});

// Typst refuses a text in which show rules find more than 512 matches.
test('a paragraph of a thousand words is printed to its end in each theme, in any script and mixed [TRUST-71]', async () => {
  const paragraphs = {
    ar: 'تقود فريقًا من ستة مهندسين '.repeat(200),
    he: 'נועה בונה מערכות מבוזרות '.repeat(250),
    en: 'נועה Noa לוי Levi C++ '.repeat(200),
    de: 'Ende-zu-Ende '.repeat(520),
  };
  for (const [language, paragraph] of Object.entries(paragraphs))
    for (const theme of language === 'ar' ? themes : (['classic'] as const)) {
      const render = rendererOf({ theme });
      const { missingGlyphs, text } = await render(written('Noa', `${paragraph}12345 end.`, language));
      assert.deepEqual(missingGlyphs, [], `${language}, ${theme}`);
      assert.match(text, /12345/, `${language}, ${theme}`);
    }
});

test('a paragraph of five hundred words without a font is printed to its end without them [TRUST-71]', async () => {
  for (const word of ['ܟܬܒܐ', 'ބަސް', '한국，']) {
    const { missingGlyphs, text } = await rendererOf()(written('Noa', `${`${word} `.repeat(500)}12345`));
    assert.ok(missingGlyphs.length > 0, word);
    assert.match(text, /12345/, word);
  }
});
