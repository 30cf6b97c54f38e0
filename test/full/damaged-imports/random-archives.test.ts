import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkedIn } from 'resume-import/readers/linkedin';
import { readArchive } from 'resume-import/source/archive';
import { assertAccounted } from '../../../packages/resume-import/test/accounting.ts';
import { toZipOf } from '../../../packages/resume-import/test/zip-writer.ts';
import { randomOf } from '../../support/random.ts';

// biome-ignore format: a table
const columns: Record<string, string[]> = {
  'Profile.csv': [
    'First Name', 'Last Name', 'Maiden Name', 'Address', 'Birth Date', 'Headline', 'Summary', 'Industry', 'Zip Code',
    'Geo Location', 'Twitter Handles', 'Websites', 'Instant Messengers',
  ],
  'Profile Summary.csv': ['Profile Summary'],
  'Positions.csv': 'Company Name,Title,Description,Location,Started On,Finished On'.split(','),
  'Projects.csv': 'Title,Description,Url,Started On,Finished On'.split(','),
  'Skills.csv': ['Name'],
  'Education.csv': 'School Name,Start Date,End Date,Notes,Degree Name,Activities'.split(','),
  'Languages.csv': 'Name,Proficiency'.split(','),
  'Email Addresses.csv': 'Email Address,Confirmed,Primary,Updated On'.split(','),
  'PhoneNumbers.csv': 'Extension,Number,Type'.split(','),
  'Certifications.csv': 'Name,Url,Authority,Started On,Finished On,License Number'.split(','),
  'Publications.csv': 'Name,Published On,Description,Publisher,Url'.split(','),
  'Honors.csv': 'Title,Description,Issued On'.split(','),
  'Volunteering.csv': 'Company Name,Role,Cause,Started On,Finished On,Description'.split(','),
};

// biome-ignore format: a table
const texts = [
  '', '', ' ', 'Analytical Engines', 'Babbage & Co, Ltd', 'She said "no"', 'two\nlines\n', '\n\nlate', 'ünï 日本 🎉',
  'Mar 2021', '2019', '2018-07', '3/1/21', 'März 2019', 'Present', 'Dec 2099', '0', '__proto__', 'constructor',
  '• one\n• two', 'Lead:\n- one\n* two', '•', '-', '• a • b', '&amp;&lt;', '<b>bold</b>', '\u202e\u200b\u0007', '=1+1',
  'https://ada.example', 'ada.example', 'javascript:alert(1)', '[BLOG:ada.example,OTHER:x]', '[,]', 'ada@ada.example', 'Yes',
];

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A file with random cells, and the location of each that is not blank, by the line of its first character. */
function toFile(name: string, roll: (bound: number) => number): { content: string; locations: string[] } {
  const header = [...columns[name]!, ...['Extra', 'Team'].slice(roll(3))].sort(() => roll(3) - 1);
  const locations: string[] = [];
  let content = '';
  const write = (text: string) => {
    content += text;
  };
  const here = () => `${name}:${content.split('\n').length}`;
  if (roll(3) === 0) {
    locations.push(here(), `${name}:2`);
    write('Notes:\n"It is\nlike this."\n\n');
  }
  write(`${header.join(',')}\n`);
  for (let rows = roll(6); rows > 0; rows--) {
    for (const [index, column] of header.entries()) {
      const text = texts[roll(texts.length)]!;
      if (/\S/.test(text)) locations.push(`${here()}: ${column}`);
      write(`${index > 0 ? ',' : ''}${quoted(text)}`);
    }
    write('\n');
  }
  const ending = ['\n', '\r\n', '\r'][roll(3)]!;
  return { content: (roll(2) ? '\ufeff' : '') + content.replaceAll('\n', ending), locations };
}

test('the report accounts for each cell of a random career file by location, and for other files by size', async () => {
  for (let seed = 1; seed <= 15; seed++) {
    const { below: roll } = randomOf(seed);
    const names = Object.keys(columns).filter(() => roll(4) > 0);
    const files = names.map((name) => ({ name, ...toFile(name, roll) }));
    const connections = `First Name,Last Name,URL\n${'Charles,,"a\nb"\n'.repeat(roll(50))}`;
    const archive = toZipOf({
      ...Object.fromEntries(files.map(({ name, content }) => [name, content])),
      'Connections.csv': connections,
    });
    const inputs = [await readArchive(archive), await readArchive(archive)];
    const { report } = assertAccounted(() => inputs.pop()!, linkedIn);
    const reported = [report.carriedOver, report.changed, report.notCarriedOver].flat();
    assert.deepEqual(
      reported.map(({ where }) => where).sort(),
      [...files.flatMap(({ locations }) => locations), 'Connections.csv'].sort(),
      `seed ${seed}`,
    );
    assert.equal(
      report.notCarriedOver.find(({ where }) => where === 'Connections.csv')?.value,
      `${connections.length} bytes`,
    );
  }
});
