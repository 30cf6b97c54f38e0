import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { linkedIn } from '../../../src/formats/import/readers/linkedin.ts';
import { readArchive } from '../../../src/formats/import/source/archive.ts';
import { toCursor } from '../../../src/formats/import/source/input-cursor.ts';
import { readTree } from '../../../src/formats/import/source/tree.ts';
import { assertAccounted } from './accounting.ts';
import { toZip, toZipOf } from './zip-writer.ts';

const toLines = (list: readonly { where: string; how: string }[]) => list.map(({ where, how }) => `${where}: ${how}`);

/** Imports an archive of these files, and asserts what every import guarantees. */
async function imported(files: Record<string, string>) {
  const archive = toZipOf(files);
  const inputs = [await readArchive(archive), await readArchive(archive)];
  const { yaml, lossReport } = assertAccounted(() => inputs.pop()!, linkedIn);
  return { profile: parse(yaml), lossReport };
}

const wholeExport = {
  'Basic_Export/Profile.csv':
    '\ufeffFirst Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Zip Code,Geo Location,Twitter Handles,Websites,Instant Messengers\r\n' +
    'Ada,King,Byron,"12 St James Square, London","Dec 10, 1985",Principal Engineer,"I write programs.\r\n\r\nAnd notes on R&amp;D.",' +
    'Software Development,SW1Y,"London, England",[adaking],"[PORTFOLIO:https://ada.example/a,b,OTHER:github.com/ada]",[GTALK:ada]\r\n',
  'Basic_Export/Positions.csv':
    'Notes:\n"Positions that you hid\nare in here, too."\n\n' +
    'Title,Company Name,Started On,Finished On,Location,Description,Team\n' +
    'Principal Engineer,Analytical Engines,Mar 2021,,London,"Leads the engine group.\n• Cut run time by 40%\n- Wrote ""Note G""",Core\n' +
    'Engineer,Analytical Engines,2018,March 2021,London,• Built the mill. • Built the store.,\n' +
    'Clerk,"Babbage, Herschel & Co",2016-01,Jan 2018,,Kept the books.,\n',
  'Basic_Export/Projects.csv':
    'Title,Description,Url,Started On,Finished On\nBernoulli,First of its kind,https://github.com/ada/bernoulli,Jan 2020,\n',
  'Basic_Export/Skills.csv': 'Name\nAnalysis\nPunched cards\nAnalysis\n',
  'Basic_Export/Education.csv':
    'School Name,Start Date,End Date,Notes,Degree Name,Activities\nUniversity of London,2006,Jul 2010,Dean&#39;s list,BSc Mathematics,"Chess\nRowing"\n',
  'Basic_Export/Languages.csv': 'Name,Proficiency\nEnglish,Native or bilingual proficiency\nFrench,LIMITED_WORKING\n',
  'Basic_Export/Email Addresses.csv':
    'Email Address,Confirmed,Primary,Updated On\nold@ada.example,Yes,No,3/1/21\nada@ada.example,Yes,Yes,Not Available\n',
  'Basic_Export/PhoneNumbers.csv': 'Extension,Number,Type\n,+44 20 7946 0000,Mobile\n',
  'Basic_Export/Certifications.csv':
    'Name,Url,Authority,Started On,Finished On,License Number\nCKA,https://cncf.example/cka,CNCF,Jan 2023,Jan 2026,ABC-123\n',
  'Basic_Export/Publications.csv':
    'Name,Published On,Description,Publisher,Url\nNotes,"Aug 1, 2013",On the engine,Taylor,notes.example\n',
  'Basic_Export/Honors.csv': 'Title,Description,Issued On\nMedal,For notes,Dec 2022\n',
  'Basic_Export/Connections.csv':
    'Notes:\n"Some of the addresses are missing."\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\n' +
    'Charles,Babbage,https://www.linkedin.com/in/cb,,Mill,Inventor,01 Jan 2020\nMary,Somerville,https://www.linkedin.com/in/ms,,,,02 Jan 2020\n,,,,,,\n',
  'Basic_Export/messages.csv': '"CONVERSATION ID","CONTENT"\n1,"Hello,\nAda"\n',
  'Basic_Export/guide_messages.csv': 'CONVERSATION ID,CONTENT\n',
  'Basic_Export/Articles/Articles/one.html': '<html>',
  'Basic_Export/Articles/Articles/two.html': '<html>',
  'Basic_Export/me.jpg': 'JFIF',
  '__MACOSX/Basic_Export/._Profile.csv': 'Mac OS X',
};

suite('A LinkedIn data export', () => {
  test('becomes a profile with everything about the career', async () => {
    const { profile } = await imported(wholeExport);
    assert.deepEqual(profile, {
      owner_email: 'ada@ada.example',
      candidate: {
        id: 'cand_ada_king',
        name: 'Ada King',
        title: 'Principal Engineer',
        location: 'London, England',
        summary: 'I write programs.\n\nAnd notes on R&D.',
        years_experience: 10,
        domains: ['Software Development'],
      },
      experience: [
        {
          id: 'exp_analytical_engines',
          company: 'Analytical Engines',
          company_start_date: '2018-01-01',
          company_end_date: null,
          current: true,
          summary: 'Leads the engine group.',
          roles: [
            {
              title: 'Principal Engineer',
              start_date: '2021-03-01',
              end_date: null,
              accomplishments: ['Cut run time by 40%', 'Wrote "Note G"'],
            },
            {
              title: 'Engineer',
              start_date: '2018-01-01',
              end_date: '2021-03-01',
              accomplishments: ['Built the mill.', 'Built the store.'],
            },
          ],
        },
        {
          id: 'exp_babbage_herschel_co',
          company: 'Babbage, Herschel & Co',
          company_start_date: '2016-01-01',
          company_end_date: '2018-01-01',
          current: false,
          summary: 'Clerk at Babbage, Herschel & Co.',
          roles: [
            {
              title: 'Clerk',
              start_date: '2016-01-01',
              end_date: '2018-01-01',
              accomplishments: ['Kept the books.'],
            },
          ],
        },
      ],
      projects: [
        {
          id: 'proj_bernoulli',
          name: 'Bernoulli',
          summary: 'First of its kind',
          links: { github: 'https://github.com/ada/bernoulli' },
        },
      ],
      availability: { status: 'not stated' },
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
        certifications: [{ name: 'CKA', issuer: 'CNCF', date: '2023-01', url: 'https://cncf.example/cka' }],
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
      public: ['name', 'title'],
    });
  });

  test('has a loss report by file, line and column, without private values and other people’s data', async () => {
    const { lossReport } = await imported(wholeExport);
    assert.deepEqual(toLines(lossReport.changed.filter(({ where }) => /^(Positions|Profile)/.test(where))), [
      'Profile.csv:2: First Name: first and last name joined',
      'Profile.csv:2: Last Name: first and last name joined',
      'Profile.csv:2: Summary: HTML entities decoded',
      'Profile.csv:4: Twitter Handles: written as the address https://x.com/adaking',
      'Profile.csv:4: Websites: used as the link https://ada.example/a,b; used as the link github.com/ada; https:// added',
      'Positions.csv:6: Started On: completed to 2021-03-01',
      'Positions.csv:6: Description: split into its 3 lines and bullets; the text before the bullets used as the summary',
      'Positions.csv:9: Started On: completed to 2018-01-01',
      'Positions.csv:9: Finished On: completed to 2021-03-01',
      'Positions.csv:9: Description: split into its 2 lines and bullets',
      'Positions.csv:10: Started On: completed to 2016-01-01',
      'Positions.csv:10: Finished On: completed to 2018-01-01',
    ]);
    const left = Object.groupBy(lossReport.notCarriedOver, ({ why }) => why);
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
A company has no location or link in the profile:
  Positions.csv:6: Location “London”
  Positions.csv:9: Location “London”
The profile has no field for it:
  Positions.csv:8: Team “Core”
A project has no dates, roles or kind in the profile:
  Projects.csv:2: Started On “Jan 2020”
The profile has only the primary e-mail address:
  Email Addresses.csv:2: Email Address “old@ada.example”
  Email Addresses.csv:2: Confirmed “Yes”
  Email Addresses.csv:2: Primary “No”
  Email Addresses.csv:2: Updated On “3/1/21”
  Email Addresses.csv:3: Confirmed “Yes”
  Email Addresses.csv:3: Primary “Yes”
  Email Addresses.csv:3: Updated On “Not Available”
The profile has only one phone number:
  PhoneNumbers.csv:2: Type “Mobile”
A certification has no end date or number in the profile:
  Certifications.csv:2: Finished On “Jan 2026”
  Certifications.csv:2: License Number “ABC-123”
The profile has no volunteer work, awards, interests or references:
  Honors.csv:2: Title “Medal”
  Honors.csv:2: Description “For notes”
  Honors.csv:2: Issued On “Dec 2022”
It is about the account or other people, not about a career:
  Connections.csv “2 rows, 12 values”
  messages.csv “1 row, 2 values”
It is not a table:
  Articles/Articles/*.html “2 files”
  me.jpg “1 file”`.split('\n'),
    );
  });

  test('shows neither private values nor other people’s data, not even in the loss report', async () => {
    const shown = JSON.stringify(await imported(wholeExport));
    for (const secret of ['Byron', 'St James', 'Dec 10', 'SW1Y', 'GTALK', 'Charles', 'Somerville', 'Hello'])
      assert.ok(!shown.includes(secret), secret);
  });

  test('can be imported without any one of its files', async () => {
    for (const [path, content] of Object.entries(wholeExport).filter(([, text]) =>
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
    const { profile, lossReport } = await imported({
      'a/Skills.csv': 'Name\nAnalysis\n',
      'b/Skills.csv': 'Name\nPunched cards\n',
    });
    assert.deepEqual(profile.resume.skills, ['Analysis', 'Punched cards']);
    assert.deepEqual(lossReport.carriedOver, [{ where: 'a/Skills.csv:2: Name' }, { where: 'b/Skills.csv:2: Name' }]);
  });

  test('can have quotes within a cell and more cells than columns', async () => {
    const { profile, lossReport } = await imported({ 'Skills.csv': 'Name\nThe "mill",,more\n' });
    assert.deepEqual(profile.resume.skills, ['The "mill"']);
    assert.deepEqual(lossReport.notCarriedOver, [
      { where: 'Skills.csv:2: column 3', value: 'more', why: 'The profile has no field for it' },
    ]);
  });

  test('gives the summary of Profile.csv, otherwise that of Profile Summary.csv', async () => {
    const own = { 'Profile Summary.csv': 'Profile Summary\nI keep books.\n' };
    const alone = await imported(own);
    assert.equal(alone.profile.candidate.summary, 'I keep books.');
    const both = await imported({ ...own, 'Profile.csv': 'First Name,Summary\nAda,I write programs.\n' });
    assert.equal(both.profile.candidate.summary, 'I write programs.');
    assert.deepEqual(both.lossReport.notCarriedOver, [
      { where: 'Profile Summary.csv:2: Profile Summary', value: 'I keep books.', why: 'The profile has one summary' },
    ]);
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

  test('gives an accomplishment for each line or bullet of a description, and the text before the bullets as the summary', async () => {
    const entryOf = async (description: string) => {
      const { profile } = await imported({
        'Positions.csv': `Company Name,Title,Started On,Description\nMill,Clerk,2020,"${description}"\n`,
      });
      const [{ summary, roles }] = profile.experience;
      return [summary, ...roles[0].accomplishments];
    };
    const preset = 'Clerk at Mill.';
    assert.deepEqual(await entryOf('Kept the books - all of them.'), [preset, 'Kept the books - all of them.']);
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
    assert.deepEqual(await entryOf('- '), [preset]);
  });

  test('in another language says which part of a date was understood', async () => {
    const { lossReport } = await imported({
      'Positions.csv': 'Company Name,Title,Started On,Finished On\nMühle,Schreiber,März 2019,3/1/21\n',
    });
    assert.deepEqual(toLines(lossReport.changed), [
      'Positions.csv:2: Started On: only 2019 could be read; written as 2019-01-01',
    ]);
    assert.deepEqual(lossReport.notCarriedOver, [
      { where: 'Positions.csv:2: Finished On', value: '3/1/21', why: 'It is not a date' },
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
    const { lossReport } = await imported({
      'Skills.csv': 'Name\nAnalysis\n',
      'Languages.csv': 'Sprache;Niveau\nDeutsch;gut\n',
      'messages.csv': 'FROM\n"Ada',
    });
    assert.deepEqual(lossReport.notCarriedOver, [
      { where: 'Languages.csv', value: '1 row, 1 value', why: 'It has no column “Name”' },
      { where: 'messages.csv', value: '9 bytes', why: 'It is about the account or other people, not about a career' },
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
