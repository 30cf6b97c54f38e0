import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linkedIn } from 'resume-import/readers/linkedin';
import { readArchive } from 'resume-import/source/archive';
import { toCursor } from 'resume-import/source/input-cursor';
import { readTree } from 'resume-import/source/tree';
import { parse } from 'yaml';
import { assertAccounted } from './accounting.ts';
import { assertGives } from './expected.ts';
import { linkedInExport } from './linkedin-export.ts';
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
  test('gives the expected profile and loss report, by file, line and column', async () => {
    const archive = toZipOf(linkedInExport);
    const inputs = [await readArchive(archive), await readArchive(archive)];
    assertGives('linkedin', () => inputs.pop()!, linkedIn);
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

  test('becomes a profile with recommendations, unless the member hides them', async () => {
    const { profile, report } = await imported({
      'Recommendations_Received.csv':
        'First Name,Last Name,Company,Job Title,Text,Creation Date,Status\n' +
        'Mary,Somerville,Mill,Owner,Ada counts well.,"07/21/09, 12:11 PM",VISIBLE\nTom,Tam,Mill,Boy,She is slow.,"07/22/09, 12:11 PM",HIDDEN\n',
    });
    assert.deepEqual(profile.resume.references, {
      print: false,
      entries: [{ name: 'Mary Somerville, Owner, Mill', reference: 'Ada counts well.' }],
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

  test('gives the summary of Profile.csv or else of Profile Summary.csv, which is a note otherwise', async () => {
    const own = { 'Profile Summary.csv': 'Profile Summary\nI keep books.\n' };
    assert.equal((await imported(own)).profile.candidate.summary, 'I keep books.');
    const both = await imported({ ...own, 'Profile.csv': 'First Name,Summary\nAda,I write programs.\n' });
    assert.equal(both.profile.candidate.summary, 'I write programs.');
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
    for (const [description, ...lines] of [
      ['Kept the books - all of them.', 'Kept the books - all of them.'],
      ['Kept the books.\nFed the cat.', '', 'Kept the books.', 'Fed the cat.'],
      ['* Cut costs by 5%\n*  Fed the cat\n\n-5% staff', '', 'Cut costs by 5%', 'Fed the cat', '-5% staff'],
      ['Team of 3.\nIn London.\n•Kept books\n•Fed the cat', 'Team of 3.\nIn London.', 'Kept books', 'Fed the cat'],
      ['Ran the mill. - Kept the books; - fed the cat', 'Ran the mill.', 'Kept the books;', 'fed the cat'],
      ['• Kept the books • Fed the cat', '', 'Kept the books', 'Fed the cat'],
      ['Ran the mill • Kept the books • Fed the cat', '', 'Ran the mill', 'Kept the books', 'Fed the cat'],
      ['Tasks: • keeping the books', 'Tasks:', 'keeping the books'],
      ['- ', ''],
    ] as const)
      assert.deepEqual(await entryOf(description), lines);
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
      { where: 'Languages.csv', value: '27 bytes', why: 'It has no column “Name”' },
      {
        where: 'messages.csv',
        value: '9 bytes',
        why: 'It is about the account or other people, not about a career',
        isContent: false,
      },
    ]);
  });

  test('if it is another kind of archive', async () => {
    const archive = toZipOf({ 'word/document.xml': '<w/>', 'Skills.csv': 'Fertigkeit\nAnalyse\n' });
    const others = [await readArchive(archive), readTree('{"basics": {"name": "Ada"}, "work": [{"name": "Mill"}]}')];
    for (const { tree } of others) assert.equal(linkedIn.recognises(toCursor(tree)), false);
  });
});
