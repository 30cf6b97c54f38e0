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

for (const path of [
  'rendercv-sample.yaml',
  'rendercv-hard.yaml',
  'rendercv-1.yaml',
  'rendercv-es.yaml',
  'rendercv-zh-tw.yaml',
  'rendercv-order.yaml',
  'rendercv-undated-school.yaml',
])
  test(`${path} gives the expected profile and loss report`, () => {
    assertExpected(path, renderCv);
  });

test('each of the nine types of entry is recognised by its fields, whatever the title of its section', () => {
  const { profile, report } = importSections({
    A: [{ company: 'Acme', position: 'Engineer', start_date: 2020 }],
    B: [{ institution: 'MIT', area: 'Mathematics' }],
    C: [{ title: 'On Engines', authors: ['Ada Byron', '***C. Babbage***'] }],
    my_projects: [{ name: 'Loom' }, { bullet: 'Tiny' }, { number: 'Second' }, { reversed_number: 'Third' }, 'Fourth'],
    Skills: [{ label: 'Systems', details: 'Linux' }],
  });
  assert.equal(profile.experience[0].company, 'Acme');
  assert.equal(profile.resume.education[0].institution, 'MIT');
  assert.deepEqual(profile.resume.publications, [{ name: 'On Engines', authors: ['Ada Byron', 'C. Babbage'] }]);
  assert.deepEqual(
    profile.projects.map(({ name }: { name: string }) => name),
    ['Loom', 'Tiny', 'Second', 'Third', 'Fourth'],
  );
  assert.deepEqual(profile.resume.skill_groups, [{ name: 'Systems', skills: ['Linux'] }]);
  assert.deepEqual(report.notCarriedOver, []);
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

test('an entry with a name and no company is never an employer, one with no institution never a school', () => {
  const { profile, report } = importSections({
    work_experience: [
      { name: 'Third Prize, Design', details: 'Out of 100 projects' },
      { label: 'Instructor', details: 'Taught two courses' },
      { name: 'Night shift', start_date: '2012-01', end_date: '2012-12', location: 'Oslo' },
      'Also waited tables',
    ],
    Education: [{ name: 'Evening school', date: 2003 }],
    experience_and_awards: [{ name: 'Lecturer (2003 - 2005)', details: 'Two courses' }],
  });
  assert.deepEqual(profile.experience, []);
  assert.equal(profile.resume.education, undefined);
  assert.equal(profile.resume.awards, undefined);
  assert.deepEqual(profile.resume.sections, [
    {
      title: 'Work Experience',
      entries: [
        { name: 'Third Prize, Design', details: 'Out of 100 projects' },
        { name: 'Instructor', details: 'Taught two courses' },
        { name: 'Night shift', location: 'Oslo', start_date: '2012-01', end_date: '2012-12' },
        { text: 'Also waited tables' },
      ],
    },
    { title: 'Education', entries: [{ name: 'Evening school', date: '2003' }] },
    { title: 'Experience and Awards', entries: [{ name: 'Lecturer (2003 - 2005)', details: 'Two courses' }] },
  ]);
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

test('a summary that ends with an empty line is a sentence of its own', () => {
  const { profile } = importSections({
    projects: [{ name: 'Loom', summary: 'A scheduler\n\n', location: 'Remote' }],
  });
  assert.equal(profile.projects[0].summary, 'A scheduler. Remote');
});

test('academic positions are jobs, though a section of that title could hold schools', () => {
  const { profile } = importSections({
    academic_positions: [{ company: 'ETH Zurich', position: 'Professor', start_date: '2022-09', end_date: 'present' }],
  });
  assert.deepEqual(
    profile.experience.map(({ company }: { company: string }) => company),
    ['ETH Zurich'],
  );
});

test('awards, volunteering, interests and references have their keys, and any other section its own title', () => {
  const { profile, report } = importSections({
    Summary: ['Builds engines.'],
    selected_honors: [{ bullet: '[Prize](https://prize.example)' }, { name: 'Medal', date: 2019, summary: 'In gold' }],
    Volunteering: [{ company: 'Food Bank', position: 'Driver', start_date: 2020, highlights: ['Drove'] }],
    Hobbies: ['Chess, Judo', { label: 'Music', details: 'cello, piano' }],
    References: [{ name: 'C. Babbage', summary: 'She saw further.' }, 'More on request'],
    'Patents & Talks': [
      { title: 'On Looms', authors: ['Ada Byron'], journal: 'Royal Society', date: '1843-09' },
      { company: 'Chess Club', position: 'President', location: 'London', start_date: 2019, end_date: 'present' },
    ],
  });
  assert.deepEqual(profile.resume.awards, [
    { title: 'Prize', url: 'https://prize.example' },
    { title: 'Medal', date: '2019', summary: 'In gold' },
  ]);
  assert.deepEqual(profile.resume.volunteer, [
    { organization: 'Food Bank', role: 'Driver', start_date: '2020', highlights: ['Drove'] },
  ]);
  assert.deepEqual(profile.resume.interests, [
    { name: 'Chess' },
    { name: 'Judo' },
    { name: 'Music', keywords: ['cello', 'piano'] },
  ]);
  assert.deepEqual(profile.resume.references.entries, [
    { name: 'C. Babbage', reference: 'She saw further.' },
    { reference: 'More on request' },
  ]);
  assert.deepEqual(profile.experience, []);
  assert.deepEqual(profile.resume.sections, [
    {
      title: 'Patents & Talks',
      entries: [
        { name: 'On Looms', details: 'Ada Byron', organization: 'Royal Society', date: '1843-09' },
        {
          name: 'President',
          organization: 'Chess Club',
          location: 'London',
          start_date: '2019',
          end_date: null,
        },
      ],
    },
  ]);
  assert.deepEqual(report.notCarriedOver, []);
});

test('what others say is never a section, which could be served, whatever it is called', () => {
  for (const title of ['Recommendations', 'Testimonials', 'Empfehlungen', 'Recomendações', 'Recommandations']) {
    const { resume } = importSections({ [title]: [{ name: 'C. Babbage', summary: 'She saw further.' }] }).profile;
    const entries = [{ name: 'C. Babbage', reference: 'She saw further.' }];
    assert.deepEqual([resume.references.entries, resume.sections], [entries, undefined], title);
  }
});

test('skills are split only if they are a list, and spoken languages among them are languages', () => {
  const { profile, report } = importSections({
    'Skills & Languages': [
      { label: 'Languages', details: 'Go, Python (NumPy, Pandas)' },
      { label: 'Languages', details: 'English (fluent), Türkçe, 中文' },
      { label: 'Programming', details: 'Proficient with C++, and Git; good understanding of Web, and DevOps' },
      { label: 'Interests', details: 'Chess' },
      '**Tools:** Docker、Bazel',
      { bullet: 'Negotiation' },
      'I enjoy teaching, and reading.',
    ],
  });
  assert.deepEqual(profile.resume.skill_groups, [
    { name: 'Languages', skills: ['Go', 'Python (NumPy, Pandas)'] },
    {
      name: 'Programming',
      skills: ['Proficient with C++, and Git; good understanding of Web, and DevOps'],
    },
    { name: 'Tools', skills: ['Docker', 'Bazel'] },
    { skills: ['Negotiation', 'I enjoy teaching, and reading.'] },
  ]);
  assert.deepEqual(profile.resume.languages, [
    { language: 'English', fluency: 'fluent', section: 'Skills & Languages' },
    { language: 'Türkçe', section: 'Skills & Languages' },
    { language: '中文', section: 'Skills & Languages' },
  ]);
  assert.deepEqual(profile.resume.interests, [
    { name: 'Interests', keywords: ['Chess'], section: 'Skills & Languages' },
  ]);
  assert.deepEqual(profile.candidate.domains, []);
  assert.deepEqual(
    report.notCarriedOver.map(({ where }) => where),
    ['cv.sections["Skills & Languages"][1].label'],
  );
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

test('the address of a link is kept: in a field if the profile has one, otherwise in the text', () => {
  const link = '[Loom](https://loom.example)';
  const { profile, report } = importSections({
    projects: [{ name: link }],
    work: [{ date: '2020-01-01', company: link, position: 'Weaver', highlights: [link] }],
  });
  assert.deepEqual(profile.projects[0].links, { live: 'https://loom.example' });
  assert.equal(profile.experience[0].company, 'Loom');
  assert.equal(profile.experience[0].url, 'https://loom.example');
  assert.deepEqual(profile.experience[0].roles[0].accomplishments, [link]);
  assert.deepEqual(
    report.changed.map(({ how }) => how),
    ['Markdown removed; the address of its link used', 'Markdown removed; the address of its link used'],
  );
});

test('a link on a line of its own in a project is its address, and one in a sentence stays there', () => {
  const { profile } = importSections({
    projects: [
      { name: 'P', summary: 'A tool. - [GitHub](https://github.com/ab/p)' },
      {
        name: 'Q',
        summary: 'A [tool](https://q.example) for **towns**',
        highlights: ['[Site](https://site.example)', 'Fast'],
      },
    ],
  });
  assert.deepEqual(
    profile.projects.map(({ summary, highlights, links }: Record<string, unknown>) => ({ summary, highlights, links })),
    [
      { summary: 'A tool.', highlights: undefined, links: { github: 'https://github.com/ab/p' } },
      {
        summary: 'A [tool](https://q.example) for **towns**',
        highlights: ['Fast'],
        links: { live: 'https://site.example' },
      },
    ],
  );
});

test('phone numbers and e-mail addresses in the header are not served as a section', () => {
  const { profile } = importHeader({
    phone: ['tel:+1-234-567-8900', '+44 20 1234 5678'],
    social_networks: [{ network: 'Signal', username: '+49 151 1234567' }],
    custom_connections: [{ placeholder: 'ada@home.example' }, { placeholder: 'Open to relocation' }],
  });
  assert.equal(profile.resume.phone, '+1-234-567-8900, +44 20 1234 5678');
  assert.deepEqual(profile.resume.sections, [
    { title: 'Custom Connections', entries: [{ text: 'Open to relocation' }] },
  ]);
});

test('text full of unclosed Markdown can be imported', () => {
  for (const markup of ['*a ', '[', '[a](', '`', '_a ', '**a', '[a](<', '\\', '*_', '[a]( ', ' - '])
    importSections({ about: [markup.repeat(1000)] });
});

test('a long line among the projects is not the name of a project, and jobs as lines are not the summary', () => {
  const line = `Wove ${'very '.repeat(20)}long cloth`;
  const { profile } = importSections({ Experience: ['Ran a mill'], Projects: ['Loom', line] });
  assert.equal(profile.candidate.summary, '');
  assert.deepEqual(
    profile.projects.map(({ name }: { name: string }) => name),
    ['Loom'],
  );
  assert.deepEqual(profile.resume.sections, [
    { title: 'Experience', entries: [{ text: 'Ran a mill' }] },
    { title: 'Projects', entries: [{ text: line }] },
  ]);
});

test('a user name that is the address of the page leads to that page', () => {
  const linkOf = (network: string, username: string) =>
    importHeader({ social_networks: [{ network, username }] }).profile.resume.links[0].url;
  assert.equal(linkOf('GitHub', 'github.com/ab'), 'https://github.com/ab');
  assert.equal(linkOf('LinkedIn', 'https://de.linkedin.com/in/ab/'), 'https://www.linkedin.com/in/ab');
  assert.equal(linkOf('GitHub', 'ab'), 'https://github.com/ab');
});

test('sections keep their headings and order, and entries of one kind the heading that they are under', () => {
  const job = (company: string) => ({ company, position: 'Dev', start_date: '2020', end_date: 'present' });
  const { profile } = importSections({
    EDUCATION: [{ institution: 'MIT', area: 'Maths' }],
    Appointments: [job('Novus')],
    teaching_experience: [job('MIT')],
    Profile: ['Builds.'],
  });
  const { order, titles } = profile.resume;
  assert.deepEqual(titles, { education: 'EDUCATION', experience: 'Teaching Experience', summary: 'Profile' });
  assert.deepEqual(order, ['education', 'Appointments', 'experience', 'summary']);
  assert.deepEqual(
    profile.experience.map(({ company, section }: { company: string; section?: string }) => [company, section]),
    [
      ['Novus', 'Appointments'],
      ['MIT', undefined],
    ],
  );
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

test('a publication links its DOI; another address that it has is a note', () => {
  const notesOf = (url: string) => {
    const papers = [{ title: 'A', authors: ['B'], doi: '10.1000/182', url }];
    const { resume, notes } = importSections({ Papers: papers }).profile;
    return [resume.publications[0].url, notes];
  };
  assert.deepEqual(notesOf('https://doi.org/10.1000/182'), ['https://doi.org/10.1000/182', undefined]);
  assert.deepEqual(notesOf('https://a.example'), [
    'https://doi.org/10.1000/182',
    ['cv.sections.Papers[0].url: https://a.example'],
  ]);
});
