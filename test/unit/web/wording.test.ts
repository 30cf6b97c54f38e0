import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageCodes } from 'resume-profile/resume-language';
import { pageWordsOf } from '../../../src/model/profile/page-words.ts';
import { wordingOf } from '../../../src/surfaces/web/visitor/wording.ts';

const tags = [...languageCodes, 'zh-TW', 'zh-HK'];

test('each language has the placeholders of English in each text, and no empty one', () => {
  const english = pageWordsOf();
  for (const tag of tags)
    for (const [key, text] of Object.entries(pageWordsOf(tag))) {
      const same = english[key as keyof typeof english];
      if (typeof text !== 'string' || typeof same !== 'string' || key === 'numbers') continue;
      assert.match(text, /^\S(.*\S)?$/, `${tag} ${key}`);
      // Turkish and Arabic speak of a visitor without the name, which would need a case or a gender.
      const isImpersonal = key === 'seenOfYou' && !text.includes('{name}');
      if (!isImpersonal)
        assert.deepEqual(text.match(/\{\w+\}/g)?.sort(), same.match(/\{\w+\}/g)?.sort(), `${tag} ${key}`);
    }
});

test('counts are words up to ten, in the form and gender that the language has for them', () => {
  const behind = (tag: string, jobs: number, projects: number, pages: number) => {
    const { words, inWords, listed } = wordingOf(tag);
    return listed([inWords(words.jobs, jobs), inWords(words.projects, projects), inWords(words.pages, pages)]);
  };
  assert.equal(behind('en', 3, 2, 1), 'three jobs, two projects and a PDF of one page');
  assert.equal(behind('en', 1, 11, 2), 'one job, 11 projects and a PDF of two pages');
  assert.equal(behind('de', 1, 2, 1), 'eine Stelle, zwei Projekte und ein PDF mit einer Seite');
  assert.equal(behind('fr', 3, 1, 2), 'trois postes, un projet et un PDF de deux pages');
  assert.equal(behind('pt', 2, 2, 2), 'dois empregos, dois projetos e um PDF de duas páginas');
  assert.equal(behind('zh', 3, 2, 1), '三份工作、两个项目和一页的 PDF');
  assert.equal(behind('ja', 3, 2, 1), '職歴3件、プロジェクト2件、1ページの PDF');
  assert.equal(behind('ar', 3, 2, 1), 'ثلاث وظائف ومشروعان وملف PDF من صفحة واحدة');
  assert.equal(behind('he', 2, 3, 2), 'שתי משרות, שלושה פרויקטים וקובץ PDF בן שני עמודים');
});

test('durations and years are written in the language', () => {
  const { words, duration, counted } = wordingOf('de');
  assert.equal(duration(90 * 86_400), '90 Tage');
  assert.equal(counted(words.years, 1), '1 Jahr Berufserfahrung');
  assert.equal(wordingOf('en').duration(12 * 3_600), '12 hours');
  assert.equal(wordingOf('ar').counted(wordingOf('ar').words.years, 12), '12 سنة من الخبرة');
});
