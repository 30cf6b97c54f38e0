import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Profile } from 'resume-profile/profile-document';
import { everySectionPath, readProfile } from '../../../resume-profile/test/documents.ts';
import { rendererOf, sample } from './rendered.ts';

const render = rendererOf();
const whole = readProfile(everySectionPath).profile!;

/** The lines of the PDF of a profile, without page numbers. */
async function linesOf(profile: Profile): Promise<string[]> {
  const { pages } = await render(profile);
  return pages.flatMap(({ lines }) => lines.filter((line) => line !== '' && !line.includes('· page ')));
}

/** The lines of a profile that has nothing but a name and what the resume has under some keys. */
async function linesUnder(resume: Partial<Profile['resume']>): Promise<string[]> {
  const candidate = { ...sample.candidate, title: '', location: '', summary: '' };
  const [, ...lines] = await linesOf({
    ...sample,
    candidate,
    experience: [],
    projects: [],
    resume: { skills: [], ...resume },
  });
  return lines;
}

test('every key that a profile can have is printed, an entry’s title, company, place and dates on one line', async () => {
  assert.deepEqual(await linesOf(whole), [
    'Nora Lindqvist',
    'Hydrologist',
    'Uppsala, Sweden · nora@nora.example · +46 18 000 000 · linkedin.com/in/nora-example · nora.example',
    'Models how rivers flood, and tells towns in time.',
    'Experience',
    'Watergauge · Uppsala Apr 2019 – present',
    'Forecasts for forty towns.',
    'Lead Hydrologist Jan 2022 – present',
    '• Halved the error of the two-day forecast',
    'Hydrologist · Stockholm Apr 2019 – Dec 2021',
    'Research Assistant, River Institute · Delft, Netherlands Sep 2014 – Mar 2019',
    '• Measured sediment in nine rivers',
    'Talks',
    'When the river comes, Nordic Water Days · Oslo Sep 2023',
    'Keynote.',
    '• Two hundred listeners',
    'Education',
    'Uppsala University, MSc, Hydrology · Uppsala 2009 – Jun 2014',
    'passed with distinction · Fluid mechanics · Statistics',
    'Delft Summer School 2024 – present',
    'Projects',
    'Floodmap, Maintainer May 2020 – present',
    'Maps of which streets flood first.',
    '• Used by six towns',
    '• Runs on a laptop',
    'Python, GDAL · github.com/example/floodmap · floodmap.example',
    'Skills',
    'Modelling (Expert): HEC-RAS, Python',
    'Field work: Gauging, Surveying',
    'Certifications',
    'Diver, class B, Swedish Transport Agency May 2016',
    'Work under water to 50 metres.',
    'Languages',
    'Swedish (native), Dutch',
    'Publications',
    'Sediment after the dam 2018',
    'J. de Vries, Nora Lindqvist, P. Holm · Journal of Rivers',
    'Why the river below the dam digs deeper.',
    'Awards',
    'Young Hydrologist of the Year, Nordic Water Association Nov 2017',
    'For the measurements below the dam.',
    'Volunteering',
    'Coordinator, Flood Watch · Uppsala Mar 2021 – present',
    'Thirty people who read gauges at night.',
    '• Trained the volunteers',
    'Patents',
    'Float for a gauge: SE 999 999',
    '• A second one is pending',
    'Both with the River Institute.',
    'Interests',
    'Canoeing (white water, building boats), Choir',
    'References',
    'Prof. Anna Bos',
    'Nora notices what others measure past.',
  ]);
});

test('texts that are empty leave neither a heading nor a separator behind', async () => {
  const [job, , single] = sample.experience;
  const nameless: Profile = {
    ...sample,
    candidate: { ...sample.candidate, name: '', title: '', location: '', summary: '' },
    experience: [
      {
        ...job!,
        company: '',
        summary: '',
        roles: job!.roles.map((role) => ({ ...role, title: '', accomplishments: [] })),
      },
      { ...single!, company: '', summary: '', roles: [{ ...single!.roles[0]!, accomplishments: [] }] },
      { ...single!, summary: '', roles: [{ ...single!.roles[0]!, title: '', accomplishments: [] }] },
    ],
    projects: [
      { id: 'p', name: '', summary: '', links: {} },
      { id: 'q', name: '', summary: 'What it is.', links: {} },
    ],
    resume: { skills: [] },
  };
  assert.deepEqual(await linesOf(nameless), [
    'Resume',
    'Experience',
    'Feb 2020 – present',
    'Apr 2022 – present',
    'Feb 2020 – Mar 2022',
    'Software Engineer Aug 2011 – May 2015',
    'Rackspace Aug 2011 – May 2015',
    'Projects',
    'What it is.',
  ]);
  const { pdf } = await render(nameless);
  assert.equal(((await pdf.getMetadata()).info as Record<string, unknown>).Title, 'Resume');
  const titled = await linesOf({ ...nameless, candidate: { ...nameless.candidate, title: 'Hydrologist' } });
  assert.deepEqual(titled.slice(0, 2), ['Hydrologist', 'Experience']);
});

test('references are printed only if the profile says so', async () => {
  const entries = [{ name: 'Prof. Anna Bos', reference: 'She notices.' }];
  assert.deepEqual(await linesUnder({ references: { print: false, entries } }), []);
  assert.deepEqual(await linesUnder({ references: { print: true, entries } }), [
    'References',
    'Prof. Anna Bos',
    'She notices.',
  ]);
});

test('what the owner hides from the PDF is not in it, and what Word hides is', async () => {
  const resume = { phone: '555 0100', interests: [{ name: 'Choir' }], languages: [{ language: 'Dutch' }] };
  const lines = await linesUnder({ ...resume, hides: { pdf: ['phone', 'interests'], word: ['languages'] } });
  assert.deepEqual(lines, ['Languages', 'Dutch']);
});

test('the candidate’s own name is set bold among the authors, however it is abbreviated', async () => {
  const written = ['Nora Lindqvist', 'N. Lindqvist', 'Lindqvist, N.', 'Lindqvist N', 'Nora B. Lindqvist'];
  const others = ['Nils Lindqvist', 'N. Lind', 'Nora Holm', 'J. N. Lindqvist', 'Lindqvist'];
  const publications = [...written, ...others].map((author) => ({ name: 'On rivers', authors: [author] }));
  const { pages } = await render({ ...whole, experience: [], projects: [], resume: { skills: [], publications } });
  const { items } = await pages[0]!.page.getTextContent();
  const fontOf = (text: string) =>
    items.flatMap((item) => ('str' in item && item.str === text ? [item.fontName] : []))[0];
  const bold = fontOf('On rivers');
  assert.deepEqual(
    [...written, ...others].filter((author) => fontOf(author) === bold),
    written,
  );
});

test('the contact lines show addresses, but the label of one that is long or percent-encoded', async () => {
  const links = [
    { label: 'LinkedIn', url: 'https://www.linkedin.com/in/ada/' },
    { label: 'Talks', url: 'https://example.org/a/very/long/path/to/the/talks?of=ada&since=2001' },
    { label: 'Wiki', url: 'https://example.org/%C3%A4da' },
  ];
  assert.deepEqual(await linesUnder({ links }), ['linkedin.com/in/ada · Talks · Wiki']);
});

test('a project on GitHub shows its repository; the address of GitHub itself is only linked', async () => {
  const links = { github: 'https://github.com/', live: 'https://loom.example' };
  const projects = [
    { id: 'a', name: 'Loom', summary: 'Weaves.', links },
    { id: 'b', name: 'Spool', summary: 'Winds.', links: { github: 'https://github.com/ada/spool' } },
  ];
  const { text, pages } = await render({ ...sample, experience: [], projects, resume: { skills: [] } });
  assert.match(text, /Projects Loom Weaves\. loom\.example Spool Winds\. github\.com\/ada\/spool$/);
  assert.deepEqual(pages[0]!.links, ['https://github.com/', 'https://loom.example/', 'https://github.com/ada/spool']);
});

test('several details of a few words are on one line, as are one-word bullets; sentences are a list', async () => {
  const education = [
    { institution: 'School', details: ['Fluid mechanics', 'Statistics'] },
    { institution: 'Academy', score: '3.9', details: ['A thesis on what rivers carry past the towns'] },
  ];
  const volunteer = [
    { role: 'Cook', highlights: ['Soup', 'Bread'] },
    { role: 'Guide', highlights: ['Led tours', 'Wrote maps'] },
  ];
  assert.deepEqual(await linesUnder({ education, volunteer }), [
    ...['Education', 'School', 'Fluid mechanics · Statistics'],
    ...['Academy', '• Grade: 3.9', '• A thesis on what rivers carry past the towns'],
    ...['Volunteering', 'Cook', 'Soup · Bread', 'Guide', '• Led tours', '• Wrote maps'],
  ]);
});

test('groups that are a skill and a level only share a line', async () => {
  const skill_groups = [
    { name: 'Go', level: 'expert', skills: [] },
    { name: 'Data', skills: ['SQL', 'R'] },
    { name: 'Rust', skills: [] },
  ];
  assert.deepEqual(await linesUnder({ skill_groups }), ['Skills', 'Data: SQL, R', 'Go (expert), Rust']);
});

test('a section of the profile’s own titled like another continues that one', async () => {
  const entries = [{ name: 'Clerk', organization: 'Shop' }];
  const profile = { ...whole, projects: [], resume: { skills: [], sections: [{ title: 'Experience', entries }] } };
  assert.deepEqual((await linesOf(profile)).slice(-2), ['• Measured sediment in nine rivers', 'Clerk, Shop']);
  assert.deepEqual((await linesOf({ ...profile, experience: [] })).slice(-2), ['Experience', 'Clerk, Shop']);
});

test('dates are as coarse as written, and a period within one month or year is that alone', async () => {
  const education = [
    { institution: 'A', start_date: '2018', end_date: '2018' },
    { institution: 'B', start_date: '2018-03', end_date: '2018-03' },
    { institution: 'C', start_date: '2018-03-05', end_date: null },
    { institution: 'D', end_date: '2018' },
  ];
  assert.deepEqual(await linesUnder({ education }), [
    ...['Education', 'A 2018', 'B Mar 2018', 'C Mar 2018 – present', 'D 2018'],
  ]);
});

test('the summary comes first unless the order names it; a section named twice is at its first place', async () => {
  const [summary, skill] = ['Builds things.', 'Go'];
  const inOrder = async (...order: string[]) => {
    const candidate = { ...sample.candidate, title: '', location: '', summary };
    const lines = await linesOf({
      ...sample,
      candidate,
      experience: [],
      projects: [],
      resume: { skills: [skill], order },
    });
    return lines.filter((line) => line === summary || line === skill);
  };
  assert.deepEqual(await inOrder('skills', 'education'), [summary, skill]);
  assert.deepEqual(await inOrder('skills', 'summary', 'skills'), [skill, summary]);
});
