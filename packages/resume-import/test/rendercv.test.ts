import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderCv } from 'resume-import/readers/rendercv';
import { readTree } from 'resume-import/source/tree';
import { parse } from 'yaml';
import { assertAccounted } from './accounting.ts';
import { assertExpected } from './expected.ts';

const importText = (text: string) => assertAccounted(() => readTree(text), renderCv);
const importHeader = (header: object) => {
  const cv = { name: 'Ada Byron', sections: { Summary: ['Builds engines.'] }, ...header };
  const { yaml, report } = importText(JSON.stringify({ cv }));
  return { profile: parse(yaml), report };
};
const importSections = (sections: object) => importHeader({ sections });

const names = ['sample', 'hard', '1', 'es', 'zh-tw', 'order', 'undated-school'].map((name) => `rendercv-${name}`);

for (const path of [...names, 'rules/rendercv-kinds', 'rules/rendercv-links'].map((name) => `${name}.yaml`))
  test(`${path} gives the expected profile and loss report`, () => {
    assertExpected(path, renderCv);
  });

const whole = [
  { company: 'Acme', position: 'Engineer', date: 2020 },
  { institution: 'MIT', area: 'Mathematics' },
  { name: 'Loom', date: '2021-03', summary: 'A scheduler', highlights: ['In Rust'] },
  { label: 'Go', details: 'Channels, Generics' },
  { label: 'Turkish', details: 'C1' },
];

for (const titles of [
  ['perfil', 'experiencia', 'formación', 'proyectos', 'habilidades_tecnicas', 'idiomas'],
  ['Über mich', 'Berufserfahrung', 'Ausbildung', 'Projekte', 'Kenntnisse', 'Sprachkenntnisse'],
  ['Profil', 'Expérience', 'Formation', 'Projets', 'Compétences', 'Langues'],
  ['Özet', 'Deneyim', 'Eğitim', 'Projeler', 'Yetenekler', 'Diller'],
  ['摘要', '工作经历', '教育背景', '项目经历', '技能', '语言'],
  ['自己紹介', '職歴', '学歴', 'プロジェクト', 'スキル', '言語'],
  ['ملخص', 'الخبرة', 'التعليم', 'المشاريع', 'المهارات', 'اللغات'],
  ['Yhteenveto', 'Työkokemus', 'Koulutus', 'projects', 'skills', 'languages'],
])
  test(`the sections ${titles.join(', ')} are read like those of an English resume`, () => {
    const entries = ['Builds engines.', ...whole].map((entry) => [entry]);
    const { profile, report } = importSections(
      Object.fromEntries(titles.map((title, index) => [title, entries[index]])),
    );
    assert.equal(profile.candidate.summary, 'Builds engines.');
    assert.equal(profile.experience[0].company, 'Acme');
    assert.equal(profile.resume.education[0].institution, 'MIT');
    assert.deepEqual(profile.projects[0].highlights, ['In Rust']);
    assert.deepEqual(profile.resume.skill_groups, [{ name: 'Go', skills: ['Channels', 'Generics'] }]);
    assert.deepEqual(profile.resume.languages, [{ language: 'Turkish', fluency: 'C1' }]);
    assert.deepEqual(report.notCarriedOver, []);
  });

for (const [locale, language] of [
  [{ locale: { language: 'spanish' } }, 'es'],
  [{ locale: { language: 'mandarin_chinese' } }, undefined],
  [{ locale_catalog: { language: 'de' } }, 'de'],
  [{ locale: { language: 'english' } }, 'en'],
  [{ locale: { language: 'norwegian_bokmål' } }, 'nb'],
] as const)
  test(`a resume with ${JSON.stringify(locale)} is printed in the language ${language ?? 'en'}`, () => {
    const cv = { name: 'Ada Byron', sections: { Summary: ['Builds engines.'] } };
    const { yaml } = importText(JSON.stringify({ cv, ...locale }));
    assert.equal(parse(yaml).resume.language, language);
  });

test('a RenderCV file without sections is refused', () => {
  for (const [cv, why] of [
    [{ name: 'Ada', experience: [] }, 'is a RenderCV file without sections in cv.sections'],
    [{ name: 'Ada', sections: null }, 'is a RenderCV file without sections in cv.sections'],
    [{ name: 'Ada', sections: [{ title: 'Work' }] }, 'is a RenderCV file whose cv.sections is a list'],
  ] as const)
    assert.throws(() => importText(JSON.stringify({ cv })), {
      message: `${why}; versions from 1.0 on have their content there`,
    });
});

for (const [markdown, plain] of [
  ['**bold**, *italic*, ***both***, __bold__ and _italic_', '**bold**, *italic*, ***both***, **bold** and *italic*'],
  ['*a **b** c* and **a *b* c**', '*a **b** c* and **a *b* c**'],
  ['`code *as* is` and ~~gone~~', '`code *as* is` and gone'],
  ['see [**the** docs](https://docs.example/a_(b) "title")', 'see [**the** docs](https://docs.example/a_(b))'],
  [
    'at <https://a.example/_x_> or [a.example](https://a.example)',
    'at [https://a.example/_x_](https://a.example/_x_) or [a.example](https://a.example)',
  ],
  ['snake_case_name, 2 * 3 * 4, C* and D*, **open', 'snake_case_name, 2 * 3 * 4, C* and D*, **open'],
  ['\\*starred\\* [brackets] (parentheses)', '\\*starred\\* [brackets] (parentheses)'],
  ['a 5\\* hotel, \\# and \\_x\\_, **bold**', 'a 5* hotel, # and _x_, **bold**'],
  ['[here](/x) and ![me](https://a.example/me.png)', 'here and [me](https://a.example/me.png)'],
  ['Moved 40 services - no downtime - on budget', 'Moved 40 services\n- no downtime\n- on budget'],
  ['Two goals:\n- speed\n- safety', 'Two goals:\n- speed\n- safety'],
  ['From 2019 - 2021 a well-known lead', 'From 2019 - 2021 a well-known lead'],
] as const)
  test(`the highlight ${JSON.stringify(markdown)} reads ${JSON.stringify(plain)}`, () => {
    const { profile } = importSections({
      Work: [{ company: 'Acme', position: 'Engineer', date: 2020, highlights: [markdown] }],
    });
    assert.deepEqual(profile.experience[0].roles[0].accomplishments, [plain]);
  });

test('text full of unclosed Markdown can be imported', () => {
  for (const markup of ['*a ', '[', '[a](', '`', '_a ', '**a', '[a](<', '\\', '*_', '[a]( ', ' - '])
    importSections({ about: [markup.repeat(1000)] });
});

test('the language of the headings is that of the resume if it states none', () => {
  const languageOf = (...titles: string[]) =>
    importSections(Object.fromEntries(titles.map((title) => [title, ['x']]))).profile.resume.language;
  assert.equal(languageOf('Berufserfahrung', 'Ausbildung', 'Sprachen'), 'de');
  assert.equal(languageOf('Doświadczenie', 'Wykształcenie', 'Umiejętności'), 'pl');
  assert.equal(languageOf('職務経歴', '学歴', 'スキル'), 'ja');
  assert.equal(languageOf('경력', '학력'), 'ko');
  assert.equal(languageOf('Опыт работы', 'Образование'), 'ru');
  assert.equal(languageOf('Experience', 'Education', 'Projects'), undefined);
  assert.equal(languageOf('Projets', 'Projects'), undefined);
});
