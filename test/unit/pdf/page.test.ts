import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { html } from 'hono/html';
import { type Outline, toOutline } from 'resume-documents/outline/outline';
import type { Profile } from 'resume-profile/profile-document';
import { textsOf } from 'resume-profile/texts';
import { rendererOf } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { type ProfilePage, profileResponse } from '../../../src/surfaces/web/visitor/profile-page.ts';
import { textOf } from '../../support/pages.ts';

const render = rendererOf({
  fontDir: fileURLToPath(new URL('../..', import.meta.resolve('@embedpdf/fonts-sc'))),
});

const site = {
  baseUrl: 'https://example.org',
  hasOauth: true,
  path: (path: string) => path,
  assets: () => ({ style: '', script: () => '', image: () => '', fonts: { text: [], code: '' } }),
};

/** A visitor who has just opened the page. */
const visitor = {
  visit: { session: { mayWrite: true, token: { subject: byAddress('ada@example.com') } }, formToken: html`` },
  files: { contact: '/files/contact.vcf', photo: null },
  draft: { name: '', email: 'ada@example.com', company: '', message: '' },
  token: null,
  idempotencyKey: '',
  faults: new Map(),
  status: 200,
  isRecorded: true,
} as unknown as ProfilePage;

/** The words of each section, sorted, by its title; of what is above the first section, by an empty title. */
type Words = Record<string, string[]>;

const headOf = '';

/**
 * Splits a text into words, without the signs that separate parts of a line. A Chinese character is a word, because
 * lines end after any.
 */
const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .split(/[\s·•‣–,،、，:()$]+|(\p{Script=Han})/u)
    .filter((word) => word)
    .sort();

const titlesOf = ({ sections }: Outline): string[] =>
  sections.flatMap(({ names }) => names.slice(0, 1)).map(({ text }) => text);

async function wordsOfPage(profile: Profile): Promise<Words> {
  const page = await (await profileResponse({ ...visitor, profile }, site)).text();
  const shown = page
    .replace(/<div class="actions.*?<\/header>/s, '</header>')
    .replace(/<section class="now".*?<\/section>/s, '')
    .replace(/<section class="write.*$/s, '')
    // The page has the domains besides, which no theme prints.
    .replace(/<section aria-labelledby="domains".*?<\/section>/s, '')
    .replace('<main', '<div');
  const [head = '', ...sections] = shown.slice(shown.indexOf('<header class="masthead">')).split('<h2 ');
  const entries = sections.map((section) => {
    const [title = '', content = ''] = `<h2 ${section}`.split('</h2>');
    return [textOf(title), wordsIn(textOf(content))] as const;
  });
  return { [headOf]: wordsIn(textOf(head)), ...Object.fromEntries(entries) };
}

async function wordsOfPdf(profile: Profile): Promise<Words> {
  const outline = toOutline(profile);
  const titles = titlesOf(outline);
  const { pages } = await render(profile);
  const number = new RegExp(outline.words.page.replace('{page}', '\\d+').replace('{pages}', '\\d+'));
  const words: Words = { [headOf]: [] };
  let title = headOf;
  for (const line of pages.flatMap(({ lines }) => lines.filter((line) => !number.test(line)))) {
    const next = titles.find((text) => text === line && words[text] === undefined);
    if (next === undefined) words[title]!.push(...wordsIn(line));
    else words[next] = [];
    title = next ?? title;
  }
  for (const some of Object.values(words)) some.sort();
  return words;
}

/** A part of an outline without texts as they are written, if it has what their marks mean. */
const asRead = (part: unknown): unknown =>
  JSON.parse(JSON.stringify(part), (_key, value) => {
    if (value?.runs)
      return { text: value.runs.map(({ text }: { text: string }) => text).join(''), bullets: value.bullets };
    return value?.paragraphs ? { ...value, text: '' } : value;
  });

const profiles = globSync(
  ['examples/*.yaml', 'test/fixtures/{.,languages}/*.yaml', 'packages/resume-import/corpus/*.expected.yaml'],
  {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  },
).flatMap((path) => {
  const { profile } = readProfile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)));
  return profile === null ? [] : [{ path, profile }];
});

test('there is a profile with every section, one in each script, and one of each imported format', () => {
  assert.ok(profiles.length >= 20, String(profiles.length));
});

// From Arabic in a PDF, a program reads the shapes of the letters, not words.
for (const { path, profile } of profiles.filter(({ profile }) => toOutline(profile).direction === 'ltr'))
  test(`the page has the words of the PDF, section by section: ${path}`, async () => {
    const [page, pdf] = [await wordsOfPage(profile), await wordsOfPdf(profile)];
    assert.deepEqual(page, pdf);
  });

test('the page has every text that a theme sets, also in Arabic', async () => {
  for (const { path, profile } of profiles) {
    const { names, blocks, sections } = toOutline(profile);
    const words = Object.entries(await wordsOfPage(profile)).flatMap(([title, words]) => [...wordsIn(title), ...words]);
    const set = [
      names,
      // Links are set with their handles.
      blocks.filter(({ key }) => key !== 'facts' && key !== 'links'),
      sections.filter(({ key }) => key !== 'domains'),
    ].map(asRead);
    const texts = textsOf(set)
      .filter(({ path }) => !['url', 'key', 'kind', 'date'].includes(String(path.at(-1))))
      .flatMap(({ text }) => (/^https?:/.test(text) ? [] : wordsIn(text)));
    const missing = texts.filter((word) => !words.includes(word));
    assert.deepEqual(missing, [], path);
  }
});
