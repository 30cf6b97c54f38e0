import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importResume } from 'resume-import/import-resume';
import { toProfileYaml } from 'resume-profile/profile-writer';
import { readProfileAt } from './corpus.ts';

const importBytes = (bytes: string | Uint8Array) => importResume(Buffer.from(bytes));

/** The error of a file that cannot be imported. */
async function refusalOf(bytes: string | Uint8Array): Promise<string> {
  const refused = await importBytes(bytes).then(
    () => assert.fail('was imported'),
    (error: Error) => error.message,
  );
  return refused.replace(/; what can be imported is .*JSON Resume \(.*\).*$/, '; KNOWN');
}

test('the format is detected by content, with or without a byte-order mark', async () => {
  const { format, profile } = await importBytes('\ufeff{"basics": {"name": "Ada"}}');
  assert.deepEqual([format, profile.candidate.name], ['JSON Resume', 'Ada']);
  assert.equal((await importBytes('basics:\n  name: Ada\n')).format, 'JSON Resume');
  assert.equal((await importBytes('{"education": [], "skills": ["Go"]}')).format, 'JSON Resume');
});

test('a file of unknown format is refused in one line that says what it is and what can be imported', async () => {
  const latin = Buffer.from('{"basics": {"name": "Zo\xeb"}}', 'latin1');
  const refusals: [string | Uint8Array, string][] = [
    ['', 'is empty'],
    [' \n', 'is empty'],
    ['# only a comment\n', 'is empty; KNOWN'],
    ['Dear Sir or Madam', 'is plain text; KNOWN'],
    ['[{"basics": {}}]', 'is a list; KNOWN'],
    ['{}', 'is an empty object; KNOWN'],
    ['{"name": "package", "version": "1"}', 'is an object with the members name, version; KNOWN'],
    [toProfileYaml(readProfileAt('examples/profile.yaml')), 'is a profile already'],
    [Buffer.from('\ufeff{}', 'utf16le'), 'is UTF-16 text; save it as UTF-8'],
    [latin, 'is not UTF-8 text'],
    ['{"basics": {"name": "Ada"}', 'is neither JSON nor YAML: line 1: Flow map must end with a }'],
    [
      'basics:\n  name: *Ada\n',
      'is neither JSON nor YAML: line 2: *Ada is an alias without an anchor; put text that begins with * in quotes',
    ],
    [
      'basics: {}\n---\nbasics: {}\n',
      'is neither JSON nor YAML: line 2: Source contains multiple documents; please use YAML.parseAllDocuments()',
    ],
    ['['.repeat(100_000), 'is nested too deeply'],
    [`${'{"basics":'.repeat(5000)}1${'}'.repeat(5000)}`, 'is nested too deeply'],
    ['basics: &again\n  name: *again\n', 'is nested too deeply'],
    [multiplyingAliases(), 'holds more than 50000 values'],
    [`basics: {name: "${'x'.repeat(4 * 1024 * 1024)}"}`, 'is larger than 4 MiB, and not a PDF, Word or ZIP file'],
  ];
  for (const [content, refusal] of refusals) assert.equal(await refusalOf(content), refusal);
});

/** Each list holds the one before it nine times. */
function multiplyingAliases(): string {
  const lists = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`);
  return ['l0: &l0 [x]', ...lists, 'basics: *l9'].join('\n');
}

test('a text in which nothing can be seen is none', async () => {
  const basics = { name: '\u200b\u3164', label: ' \u2800', summary: 'Builds engines.' };
  const { profile, report } = await importResume(Buffer.from(JSON.stringify({ basics })));
  assert.deepEqual([profile.candidate.name, profile.candidate.title], ['', '']);
  assert.deepEqual(
    report.notCarriedOver.map(({ where, why }) => `${where}: ${why}`),
    ['basics.name: It has no visible characters', 'basics.label: It has no visible characters'],
  );
});

test('a name too long for a line, or a word too long for a page, is left out, and the report says so [TRUST-66]', async () => {
  const word = 'x'.repeat(1_001);
  const resume = {
    basics: { name: 'Ada '.repeat(76), label: `Engineer,\n${'and so on '.repeat(28)}`, summary: `Builds ${word}.` },
    work: [
      { name: 'Acme', position: word, startDate: '2020', highlights: [word, 'Led it'], url: `https://x.org/${word}` },
    ],
    skills: [{ name: 'Go', keywords: ['SQL', word] }],
    awards: [{ title: 'Best '.repeat(61), awarder: 'Acme' }],
  };
  const { profile, report } = await importResume(Buffer.from(JSON.stringify(resume)));
  assert.deepEqual([profile.candidate.name, profile.candidate.summary, profile.resume.awards], ['', '', undefined]);
  assert.equal(profile.candidate.title.length, 289);
  assert.deepEqual(profile.experience[0]!.roles[0]!.accomplishments, ['Led it']);
  assert.deepEqual(
    report.notCarriedOver.map(({ where, why }) => [where, why]),
    [
      ['basics.name', 'It has 303 characters; at most 300 are allowed'],
      ['basics.summary', 'It has a word of more than 1000 characters'],
      ['work[0].position', 'It has a word of more than 1000 characters'],
      ['work[0].highlights[0]', 'It has a word of more than 1000 characters'],
      ['work[0].url', 'It has a word of more than 1000 characters'],
      ['skills[0].keywords[1]', 'It has a word of more than 1000 characters'],
      ['awards[0].title', 'It has 304 characters; at most 300 are allowed'],
      ['awards[0].awarder', 'It belongs to an entry without title'],
    ],
  );
});

test('there are at most 5,000 notes of 200,000 characters; the report says what had no room', async () => {
  const keptOf = async (...awards: object[]) => {
    const { profile, report } = await importResume(Buffer.from(JSON.stringify({ basics: { name: 'Ada' }, awards })));
    return [profile.notes!.length, report.sections.map(({ values, kept, noted }) => [values, kept, noted])];
  };
  const many = Array.from({ length: 5_001 }, () => ({ awarder: 'A' }));
  const ofName = [1, 1, 0];
  assert.deepEqual(await keptOf(...many), [5_000, [ofName, [5_001, 5_000, 5_000]]]);
  const long = Array.from({ length: 3 }, () => ({ awarder: 'long '.repeat(15_000) }));
  assert.deepEqual(await keptOf(...long), [2, [ofName, [3, 2, 2]]]);
});
