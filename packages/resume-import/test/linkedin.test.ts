import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linkedIn } from 'resume-import/readers/linkedin';
import { readArchive } from 'resume-import/source/archive';
import { toCursor } from 'resume-import/source/input-cursor';
import { readTree } from 'resume-import/source/tree';
import { parse } from 'yaml';
import { linkedInExport } from '../../../test/support/linkedin-export.ts';
import { assertAccounted } from './accounting.ts';
import { toZip, toZipOf } from './zip-writer.ts';

const toLines = (list: readonly { where: string; how: string }[]) => list.map(({ where, how }) => `${where}: ${how}`);

/** Imports an archive of these files, and asserts what every import guarantees. */
async function imported(files: Record<string, string>) {
  const archive = toZipOf(files);
  const inputs = [await readArchive(archive), await readArchive(archive)];
  const { yaml, report } = assertAccounted(() => inputs.pop()!, linkedIn);
  return { profile: parse(yaml), report };
}

suite('A LinkedIn data export', () => {
  test('becomes a profile with everything about the career', async () => {
    const { profile } = await imported(linkedInExport);
    assert.deepEqual(profile, {
      owner_email: 'ada@ada.example',
      candidate: {
        id: 'cand_ada_king',
        name: 'Ada King',
        title: 'Principal Engineer',
        location: 'London, England',
        summary: 'I write programs.\n\nAnd notes on R&D.',
        domains: ['Software Development'],
      },
      experience: [
        {
          id: 'exp_analytical_engines',
          company: 'Analytical Engines',
          company_start_date: '2018',
          company_end_date: null,
          current: true,
          summary: '',
          location: 'London',
          roles: [
            {
              title: 'Principal Engineer',
              start_date: '2021-03',
              summary: 'Leads the engine group.',
              end_date: null,
              accomplishments: ['Cut run time by 40%', 'Wrote "Note G"', 'Team: Core'],
            },
            {
              title: 'Engineer',
              start_date: '2018',
              end_date: '2021-03',
              accomplishments: ['Built the mill.', 'Built the store.'],
            },
          ],
        },
        {
          id: 'exp_babbage_herschel_co',
          company: 'Babbage, Herschel & Co',
          company_start_date: '2016-01',
          company_end_date: '2018-01',
          current: false,
          summary: 'Kept the books.',
          roles: [
            {
              title: 'Clerk',
              start_date: '2016-01',
              end_date: '2018-01',
              accomplishments: [],
            },
          ],
        },
      ],
      projects: [
        {
          id: 'proj_bernoulli',
          name: 'Bernoulli',
          summary: 'First of its kind',
          start_date: '2020-01',
          links: { github: 'https://github.com/ada/bernoulli' },
        },
      ],
      availability: { status: '' },
      resume: {
        skills: ['Analysis', 'Punched cards'],
        email: 'ada@ada.example',
        phone: '+44 20 7946 0000',
        links: [
          { label: 'Portfolio', url: 'https://ada.example/a,b' },
          { url: 'https://github.com/ada' },
          { label: 'X', url: 'https://x.com/adaking' },
        ],
        education: [
          {
            institution: 'University of London',
            degree: 'BSc Mathematics',
            start_date: '2006',
            end_date: '2010-07',
            details: ["Dean's list", 'Chess', 'Rowing'],
          },
        ],
        certifications: [
          {
            name: 'CKA',
            issuer: 'CNCF',
            date: '2023-01',
            url: 'https://cncf.example/cka',
            summary: 'License Number: ABC-123',
          },
        ],
        awards: [{ title: 'Medal', date: '2022-12', summary: 'For notes' }],
        languages: [
          { language: 'English', fluency: 'Native or bilingual proficiency' },
          { language: 'French', fluency: 'Limited working' },
        ],
        publications: [
          {
            name: 'Notes',
            publisher: 'Taylor',
            date: '2013-08-01',
            url: 'https://notes.example',
            summary: 'On the engine',
          },
        ],
      },
      background: true,
      evidence: true,
      public: ['name', 'title', 'location', 'summary', 'availability', 'counts'],
      notes: ['Email Addresses.csv:2: Email Address: old@ada.example', 'Certifications.csv:2: Finished On: Jan 2026'],
    });
  });

  test('has a loss report by file, line and column, without private values and other people’s data', async () => {
    const { report } = await imported(linkedInExport);
    assert.deepEqual(toLines(report.changed.filter(({ where }) => /^(Positions|Profile)/.test(where))), [
      'Profile.csv:2: First Name: first and last name joined',
      'Profile.csv:2: Last Name: first and last name joined',
      'Profile.csv:2: Summary: HTML entities decoded',
      'Profile.csv:4: Twitter Handles: written as the address https://x.com/adaking',
      'Profile.csv:4: Websites: used as the link https://ada.example/a,b; used as the link github.com/ada; https:// added',
      'Positions.csv:6: Started On: written as 2021-03',
      'Positions.csv:6: Description: split into its 3 lines and bullets; the text before the bullets used as the summary',
      'Positions.csv:8: Team: written after the name of its field, “Team”',
      'Positions.csv:9: Finished On: written as 2021-03',
      'Positions.csv:9: Description: split into its 2 lines and bullets',
      'Positions.csv:10: Finished On: written as 2018-01',
    ]);
    const left = Object.groupBy(report.notCarriedOver, ({ why }) => why);
    assert.deepEqual(
      Object.entries(left).flatMap(([why, values]) => [
        `${why}:`,
        ...values!.map(({ where, value }) => `  ${where} “${value}”`),
      ]),
      `It is private:
  Profile.csv:2: Maiden Name “not shown”
  Profile.csv:2: Address “not shown”
  Profile.csv:2: Birth Date “not shown”
  Profile.csv:4: Zip Code “not shown”
  Profile.csv:4: Instant Messengers “not shown”
It is a note before the table:
  Positions.csv:1 “Notes:”
  Positions.csv:2 “Positions that you hid are in here, too.”
The profile has only the primary e-mail address:
  Email Addresses.csv:2: Email Address “old@ada.example”
It is about the account:
  Email Addresses.csv:2: Confirmed “Yes”
  Email Addresses.csv:2: Primary “No”
  Email Addresses.csv:2: Updated On “3/1/21”
  Email Addresses.csv:3: Confirmed “Yes”
  Email Addresses.csv:3: Primary “Yes”
  Email Addresses.csv:3: Updated On “Not Available”
It says what kind of number it is:
  PhoneNumbers.csv:2: Type “Mobile”
A certification has no field for its end:
  Certifications.csv:2: Finished On “Jan 2026”
It is about the account or other people, not about a career:
  Connections.csv “2 rows, 12 values”
  messages.csv “1 row, 2 values”
It is not a table:
  Articles/Articles/*.html “2 files”
  me.jpg “1 file”`.split('\n'),
    );
  });

  test('of 2018 has dates under other names of columns, which are read as dates', async () => {
    const { profile } = await imported({
      'Positions.csv': 'Company Name,Title,Start Date,End Date\nMill,Clerk,2012,Mar 2014\n',
      'Certifications.csv': 'Name,Authority,Start Date,End Date\nCKA,CNCF,Jan 2017,Jan 2020\n',
      'Honors.csv': 'Title,Issuer,Issue Date\nMedal,Guild,2016\n',
    });
    const [job] = profile.experience;
    assert.deepEqual([job.company_start_date, job.company_end_date], ['2012', '2014-03']);
    assert.deepEqual(profile.resume.certifications, [{ name: 'CKA', issuer: 'CNCF', date: '2017-01' }]);
    assert.deepEqual(profile.notes, ['Certifications.csv:2: End Date: Jan 2020']);
    assert.deepEqual(profile.resume.awards, [{ title: 'Medal', awarder: 'Guild', date: '2016' }]);
  });

  test('becomes a profile with everything else that a member has: awards, causes, courses and the like', async () => {
    const { profile, report } = await imported({
      'Honors.csv': 'Title,Description,Issued On\nMedal,,Dec 2022\n',
      'Volunteering.csv':
        'Company Name,Role,Cause,Started On,Finished On,Description\nFlood Watch,Coordinator,DISASTER_RELIEF,Mar 2021,,Reads gauges. • Trained ten • Lent a boat\n',
      'Causes You Care About.csv': 'Supported Cause\nSCIENCE_AND_TECHNOLOGY\n',
      'Recommendations_Received.csv':
        'First Name,Last Name,Company,Job Title,Text,Creation Date,Status\n' +
        'Mary,Somerville,Mill,Owner,Ada counts well.,"07/21/09, 12:11 PM",VISIBLE\nTom,Tam,Mill,Boy,She is slow.,"07/22/09, 12:11 PM",HIDDEN\n',
      'Courses.csv': 'Name,Number\nFluid mechanics,FM-1\n',
      'Organizations.csv':
        'Name,Position,Started On,Finished On,Description\nRoyal Society,Fellow,2019,,\nChoir,,2018,2019,Alto\n',
      'Patents.csv':
        'Title,Description,Url,Patent Office,Number,Issued On\nFloat,For a gauge,https://patents.example/1,SE,SE 9,May 2020\n',
      'TestScores.csv': 'Name,Description,Date,Score\nTOEFL,,Jan 2015,112\n',
    });
    assert.deepEqual(profile.resume, {
      awards: [{ title: 'Medal', date: '2022-12' }],
      volunteer: [
        {
          organization: 'Flood Watch',
          role: 'Coordinator',
          start_date: '2021-03',
          summary: 'Disaster relief. Reads gauges.',
          highlights: ['Trained ten', 'Lent a boat'],
        },
      ],
      interests: [{ name: 'Science and technology' }],
      sections: [
        { title: 'Courses', entries: [{ name: 'Fluid mechanics', details: 'FM-1' }] },
        {
          title: 'Organizations',
          entries: [
            { name: 'Fellow', organization: 'Royal Society', start_date: '2019' },
            { name: 'Choir', start_date: '2018', end_date: '2019', summary: 'Alto' },
          ],
        },
        {
          title: 'Patents',
          entries: [
            {
              name: 'Float',
              details: 'SE 9',
              date: '2020-05',
              url: 'https://patents.example/1',
              summary: 'For a gauge',
              highlights: ['Patent Office: SE'],
            },
          ],
        },
        { title: 'Test scores', entries: [{ name: 'TOEFL', details: '112', date: '2015-01' }] },
      ],
      references: {
        print: false,
        entries: [{ name: 'Mary Somerville, Owner, Mill', reference: 'Ada counts well.' }],
      },
      skills: [],
    });
    assert.deepEqual(
      [...new Set(report.notCarriedOver.map(({ why }) => why))],
      ['It is about the account', 'It is not shown on LinkedIn either'],
    );
  });

  test('can have semicolons or tabs as separators, each file its own', async () => {
    const { profile } = await imported({
      'Positions.csv':
        'Notes:\n"Hidden, too; as they are."\n\n"Company Name";"Title";"Started On";"Description"\n"Mill";"Clerk, second class";"2020";"Kept the books;\nall of them"\n',
      'Languages.csv': 'Name\tProficiency\nEnglish, old\tNative\n',
      'Skills.csv': 'Name\nAnalysis; design\n',
    });
    const [{ company, roles }] = profile.experience;
    assert.deepEqual(
      [company, roles[0].title, roles[0].accomplishments],
      ['Mill', 'Clerk, second class', ['Kept the books;', 'all of them']],
    );
    assert.deepEqual(profile.resume.languages, [{ language: 'English, old', fluency: 'Native' }]);
    assert.deepEqual(profile.resume.skills, ['Analysis; design']);
  });

  test('shows neither private values nor other people’s data, not even in the loss report', async () => {
    const shown = JSON.stringify(await imported(linkedInExport));
    for (const secret of ['Byron', 'St James', 'Dec 10', 'SW1Y', 'GTALK', 'Charles', 'Somerville', 'Hello'])
      assert.ok(!shown.includes(secret), secret);
  });

  test('can be imported without any one of its files', async () => {
    for (const [path, content] of Object.entries(linkedInExport).filter(([, text]) =>
      /^(Notes:|\ufeff|[A-Z][a-z ]+,|Name)/.test(text),
    ))
      if (!/Connections/.test(path)) await imported({ [path]: content });
    const { profile } = await imported({ 'Skills.csv': 'Name\nAnalysis\n' });
    assert.deepEqual(profile.resume, { skills: ['Analysis'] });
  });

  test('is read with columns in any order and file names in any spelling', async () => {
    const { profile } = await imported({
      'a/EMAIL_ADDRESSES.CSV': 'Primary,Email Address\nNo,one@ada.example\nYes,two@ada.example\n',
      'a/Phone Numbers.csv': '\ufeffType,Number\rMobile,+44 20 7946 0000\r',
      'a/b/positions.csv': 'Finished On,Title,Started On,New Column,Company Name\r\n2020,Clerk,2019,new,Mill\r\n',
    });
    assert.equal(profile.resume.email, 'two@ada.example');
    assert.equal(profile.resume.phone, '+44 20 7946 0000');
    assert.equal(profile.experience[0].company, 'Mill');
  });

  test('can have the same file in several folders', async () => {
    const { profile, report } = await imported({
      'a/Skills.csv': 'Name\nAnalysis\n',
      'b/Skills.csv': 'Name\nPunched cards\n',
    });
    assert.deepEqual(profile.resume.skills, ['Analysis', 'Punched cards']);
    assert.deepEqual(report.carriedOver, [{ where: 'a/Skills.csv:2: Name' }, { where: 'b/Skills.csv:2: Name' }]);
  });

  test('can have quotes within a cell and more cells than columns', async () => {
    const { profile, report } = await imported({ 'Skills.csv': 'Name\nThe "mill",,more\n' });
    assert.deepEqual(profile.resume.skills, ['The "mill"']);
    assert.deepEqual(report.notCarriedOver, [
      { where: 'Skills.csv:2: column 3', value: 'more', why: 'The profile has no field for it', isNoted: true },
    ]);
    const beyond = await imported({ 'Projects.csv': 'Title\nLoom,woven\n' });
    assert.equal(beyond.profile.projects[0].highlights, undefined);
  });

  test('gives the summary of Profile.csv, otherwise that of Profile Summary.csv', async () => {
    const own = { 'Profile Summary.csv': 'Profile Summary\nI keep books.\n' };
    const alone = await imported(own);
    assert.equal(alone.profile.candidate.summary, 'I keep books.');
    const both = await imported({ ...own, 'Profile.csv': 'First Name,Summary\nAda,I write programs.\n' });
    assert.equal(both.profile.candidate.summary, 'I write programs.');
    assert.deepEqual(both.report.notCarriedOver, [
      {
        where: 'Profile Summary.csv:2: Profile Summary',
        value: 'I keep books.',
        why: 'The profile has one summary',
        isNoted: true,
      },
    ]);
    assert.deepEqual(both.profile.notes, ['Profile Summary.csv:2: Profile Summary: I keep books.']);
  });

  test('gives the primary e-mail address, otherwise a confirmed one, otherwise the first', async () => {
    const emailOf = async (rows: string) => {
      const { profile } = await imported({ 'Email Addresses.csv': `Email Address,Confirmed,Primary\n${rows}` });
      return profile.resume.email;
    };
    assert.equal(await emailOf('a@ada.example,No,No\nb@ada.example,Yes,No\nc@ada.example,Yes,Yes\n'), 'c@ada.example');
    assert.equal(await emailOf('a@ada.example,No,No\nb@ada.example,Yes,No\n'), 'b@ada.example');
    assert.equal(await emailOf('a@ada.example,No,No\nb@ada.example,No,No\n'), 'a@ada.example');
  });

  test('gives each of its web addresses as a link, with or without a kind', async () => {
    const linksOf = async (websites: string) => {
      const { profile } = await imported({ 'Profile.csv': `First Name,Websites\nAda,"${websites}"\n` });
      return profile.resume.links;
    };
    assert.deepEqual(await linksOf('[https://ada.example]'), [{ url: 'https://ada.example' }]);
    assert.deepEqual(await linksOf('[PERSONAL:https://ada.example],[RSS:https://ada.example/rss]'), [
      { label: 'Personal', url: 'https://ada.example' },
      { label: 'Rss', url: 'https://ada.example/rss' },
    ]);
    assert.deepEqual(await linksOf('ada.example, github.com/ada'), [
      { url: 'https://ada.example' },
      { url: 'https://github.com/ada' },
    ]);
    assert.equal(await linksOf('[OTHER:see\nmy page]'), undefined);
  });

  test('makes the first line of a description the summary, and each bullet or further line an accomplishment', async () => {
    const entryOf = async (description: string) => {
      const { profile } = await imported({
        'Positions.csv': `Company Name,Title,Started On,Description\nMill,Clerk,2020,"${description}"\n`,
      });
      const [{ summary, roles }] = profile.experience;
      return [summary, ...roles[0].accomplishments];
    };
    const preset = '';
    assert.deepEqual(await entryOf('Kept the books - all of them.'), ['Kept the books - all of them.']);
    assert.deepEqual(await entryOf('Kept the books.\nFed the cat.'), [preset, 'Kept the books.', 'Fed the cat.']);
    assert.deepEqual(await entryOf('* Cut costs by 5%\n*  Fed the cat\n\n-5% staff'), [
      preset,
      'Cut costs by 5%',
      'Fed the cat',
      '-5% staff',
    ]);
    assert.deepEqual(await entryOf('Team of 3.\nIn London.\n•Kept the books\n•Fed the cat'), [
      'Team of 3.\nIn London.',
      'Kept the books',
      'Fed the cat',
    ]);
    assert.deepEqual(await entryOf('Ran the mill. - Kept the books; - fed the cat'), [
      'Ran the mill.',
      'Kept the books;',
      'fed the cat',
    ]);
    assert.deepEqual(await entryOf('• Kept the books • Fed the cat'), [preset, 'Kept the books', 'Fed the cat']);
    assert.deepEqual(await entryOf('Ran the mill • Kept the books • Fed the cat'), [
      preset,
      'Ran the mill',
      'Kept the books',
      'Fed the cat',
    ]);
    assert.deepEqual(await entryOf('Tasks: • keeping the books'), ['Tasks:', 'keeping the books']);
    assert.deepEqual(await entryOf('- '), [preset]);
  });

  test('in another language says which part of a date was understood', async () => {
    const { report } = await imported({
      'Positions.csv': 'Company Name,Title,Started On,Finished On\nMühle,Schreiber,Frühling 2019,3/1/21\n',
    });
    assert.deepEqual(toLines(report.changed), [
      'Positions.csv:2: Started On: only 2019 could be read; the whole in notes',
    ]);
    assert.deepEqual(report.notCarriedOver, [
      { where: 'Positions.csv:2: Finished On', value: '3/1/21', why: 'It is not a date', isNoted: true },
    ]);
  });
});

suite('An archive that cannot be imported is refused in one line', () => {
  const refused: Record<string, [string, RegExp]> = {
    'if a quote is never closed': [
      'Name\n"Analysis',
      /^is a ZIP archive whose Skills.csv is not CSV: Quote Not Closed[^\n]+ line 2$/,
    ],
    'if a file is too large': ['Name\n'.repeat(500_000), /^is a ZIP archive whose Skills.csv is larger than 2 MiB$/],
    'if it has too many values': ['Name\n'.repeat(50_003), /^is a ZIP archive of more than 50000 values$/],
  };
  for (const [kind, [content, message]] of Object.entries(refused))
    test(kind, () =>
      assert.rejects(readArchive(toZip([{ path: 'Skills.csv', content, isStored: true }])), { message }),
    );

  test('if the text is not UTF-8', async () => {
    const archive = toZip([{ path: 'Skills.csv', content: Buffer.from('Name\nCaf\xe9', 'latin1') }]);
    await assert.rejects(readArchive(archive), { message: 'is a ZIP archive whose Skills.csv is not UTF-8 text' });
  });

  test('if it has no data', async () => {
    const archive = toZipOf({ 'Skills.csv': 'Name\n', 'messages.csv': '' });
    await assert.rejects(readArchive(archive), { message: 'is a ZIP archive without any data' });
  });

  test('but not for a fault in a file that is not about the career, nor for a table with other columns', async () => {
    const { report } = await imported({
      'Skills.csv': 'Name\nAnalysis\n',
      'Languages.csv': 'Sprache;Niveau\nDeutsch;gut\n',
      'messages.csv': 'FROM\n"Ada',
    });
    assert.deepEqual(report.notCarriedOver, [
      { where: 'Languages.csv', value: '1 row, 1 value', why: 'It has no column “Name”' },
      {
        where: 'messages.csv',
        value: '9 bytes',
        why: 'It is about the account or other people, not about a career',
        isContent: false,
      },
    ]);
  });

  test('nor for a very long row in such a file', async () => {
    const files = [
      { path: 'Skills.csv', content: 'Name\nAnalysis\n' },
      { path: 'messages.csv', content: `FROM\n${'x'.repeat(1_100_000)}`, isStored: true },
    ];
    const { leaves } = await readArchive(toZip(files));
    assert.equal(leaves.find(({ where }) => where === 'messages.csv')?.text, '1100005 bytes');
  });

  test('if it is another kind of archive', async () => {
    const archive = toZipOf({ 'word/document.xml': '<w/>', 'Skills.csv': 'Fertigkeit\nAnalyse\n' });
    const others = [await readArchive(archive), readTree('{"basics": {"name": "Ada"}, "work": [{"name": "Mill"}]}')];
    for (const { tree } of others) assert.equal(linkedIn.recognises(toCursor(tree)), false);
  });
});
