import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLanguageTag, languageCodes, rowOf, wordsOf } from 'resume-profile/resume-language';

const regional = ['zh-TW', 'zh-HK'];

/** A month of 2022 as a language writes it, 1 for January. */
const monthIn = (tag: string, month: number): string => {
  const { months, monthAndYear } = wordsOf(tag);
  return monthAndYear.replace('{month}', months[month - 1]!).replace('{year}', '2022');
};

test('a resume has words in 23 languages, among them those of RenderCV', () => {
  assert.equal(languageCodes.join(' '), 'en de fr es pt it nl tr zh ja ar he da nb nn pl hu id vi ru hi ko fa');
});

test('each language has twelve months, a different heading for each section, and every placeholder', () => {
  for (const tag of [...languageCodes, ...regional]) {
    const { headings, months, monthAndYear, present, comma, page, resume } = wordsOf(tag);
    assert.equal(new Set(months).size, 12, tag);
    assert.equal(new Set(Object.values(headings)).size, 12, tag);
    assert.deepEqual(monthAndYear.match(/\{\w+\}/g)?.sort(), ['{month}', '{year}'], tag);
    assert.deepEqual(page.match(/\{\w+\}/g), ['{page}', '{pages}'], tag);
    assert.match(comma, /^(, |，|、|، )$/, tag);
    for (const text of [...Object.values(headings), ...months, present, page, resume])
      assert.match(text, /^\S(.*\S)?$/, tag);
  }
});

test('months are written as each language writes them beside a year', () => {
  assert.deepEqual(
    languageCodes.map((tag) => monthIn(tag, 9)),
    // biome-ignore format: a table
    [
      'Sep 2022', 'Sept. 2022', 'sept. 2022', 'sept 2022', 'set. 2022', 'set 2022', 'sep 2022', 'Eyl 2022', '2022年9月',
      '2022年9月', 'سبتمبر 2022', 'ספט׳ 2022', 'sep. 2022', 'sep. 2022', 'sep. 2022', 'wrz 2022', '2022. szept.', 'Sep 2022',
      '09/2022', 'сент. 2022', 'सित॰ 2022', '2022년 9월', 'سپتامبر 2022',
    ],
  );
});

test('a region has words of its own if it writes differently, and those of the language otherwise', () => {
  assert.equal(wordsOf('zh').headings.experience, '工作经历');
  assert.equal(wordsOf('zh-TW').headings.experience, '工作經歷');
  assert.equal(wordsOf('zh-HK').headings.experience, '工作經驗');
  assert.equal(wordsOf('de-AT'), wordsOf('de'));
  assert.equal(wordsOf(), wordsOf('en'));
});

test('any language tag is taken, and its words are those of the nearest row', () => {
  const rows = {
    'zh-Hant': 'zh-TW',
    'zh-Hant-HK': 'zh-HK',
    'zh-SG': 'zh',
    'de-at': 'de',
    no: 'nb',
    'pt-BR': 'pt',
    el: null,
    xx: null,
  };
  for (const [tag, row] of Object.entries(rows)) assert.deepEqual([isLanguageTag(tag), rowOf(tag)], [true, row], tag);
  assert.equal(wordsOf('el'), wordsOf('en'));
  for (const text of ['german', 'de_AT', 'd', '', 'de-']) assert.equal(isLanguageTag(text), false, text);
});
