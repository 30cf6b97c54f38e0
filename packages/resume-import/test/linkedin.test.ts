import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { suite, test } from 'node:test';
import { linkedIn } from 'resume-import/readers/linkedin';
import { readArchive } from 'resume-import/source/archive';
import { toCursor } from 'resume-import/source/input-cursor';
import { readTree } from 'resume-import/source/tree';
import { parse } from 'yaml';
import { assertAccounted } from './accounting.ts';
import { readExport } from './corpus.ts';
import { assertGives } from './expected.ts';
import { toZip, toZipOf } from './zip-writer.ts';

/** Imports an archive of these files, and asserts what every import guarantees. */
async function imported(files: Record<string, string>) {
  const archive = toZipOf(files);
  const inputs = [await readArchive(archive), await readArchive(archive)];
  const { yaml, report } = assertAccounted(() => inputs.pop()!, linkedIn);
  return { profile: parse(yaml), report };
}

const linkedInExport = readExport('linkedin');

suite('A LinkedIn data export', () => {
  for (const path of ['linkedin', 'rules/linkedin-spellings'])
    test(`${path} gives the expected profile and loss report, by file, line and column`, async () => {
      const archive = toZipOf(readExport(basename(path)));
      const inputs = [await readArchive(archive), await readArchive(archive)];
      assertGives(path, () => inputs.pop()!, linkedIn);
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
