import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { check } from '../../src/commands/check.ts';
import type { Exit } from '../../src/commands/terminal.ts';
import { samplePath } from '../../src/service/config/config.ts';
import { makeFolder } from '../support/files.ts';

const sample = readFileSync(samplePath, 'utf8')
  .replace('https://lenavasquez.example.com', 'https://lena.example-site.com')
  .replace('owner@example.org', 'owner@example-site.com');

/** Runs `check` on a text, and returns its exit code and output, in which FILE stands for the path. */
async function checked(text: string, isJson = false, template?: string, view?: string) {
  const path = join(makeFolder(), 'profile.yaml');
  writeFileSync(path, text);
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line.replaceAll(path, 'FILE'));
  const io = { stdout: new PassThrough(), console: { log: print, error: print } };
  const pdf = { theme: 'classic', paper: 'a4', template, fontDir: undefined } as const;
  const options = { today: new Date('2026-11-21'), view };
  const code = await check(io, { path }, isJson, { pdf, ownerEmail: undefined }, options).then(
    () => 0,
    (error: Exit) => error.code,
  );
  return { code, lines };
}

/** The lines on what the sample shows without an address. */
const shown = [
  [
    'Without an address, a stranger sees:',
    '  name: Dr. Lena Vasquez',
    '  title: Staff Software Engineer, Distributed Systems',
    '  location: San Francisco, California',
    '  summary: Staff engineer with 14 years building large-scale distributed storage and streaming systems.',
    '  availability: open to opportunities',
    '  counts: 3 jobs, 2 projects',
  ].join('\n'),
];

test('check prints what a stranger sees, or that it is nothing', async (_t) => {
  assert.deepEqual((await checked(sample)).lines, ['FILE is valid', ...shown]);
  assert.deepEqual((await checked(sample.replace(/^public: .*/m, 'public: []'))).lines, [
    'FILE is valid',
    'Without an address, a stranger sees nothing of it.',
  ]);
});

test('check names the texts in which marks are read, ten at most', async () => {
  const { lines } = await checked(
    sample.replace('- Led a six-engineer', '- Led **a six-engineer**').replace('- Go\n', '- "**Go**"\n'),
  );
  assert.deepEqual(lines, [
    'FILE is valid',
    'Read as marks, and set as what they mean:',
    '  FILE:41:13: experience[0].roles[0].accomplishments[0]: strong “a six-engineer”',
    ...shown,
  ]);
  const many = sample.replace(/ +- Led a six.*\n/, '          - "*a* b"\n'.repeat(12));
  const printed = (await checked(many)).lines;
  assert.equal(printed.filter((line) => line.endsWith('emphasis “a”')).length, 10);
  assert.ok(printed.includes('  and those of 2 more texts'), printed.join('\n'));
});

test('check warns of a profile without the address of its owner', async (_t) => {
  const { lines } = await checked(sample.replace(/^owner_email: .*\n/m, ''));
  assert.deepEqual(lines, [
    'FILE:11:1: warning: owner_email: is missing; serve refuses to start without it or OWNER_EMAIL',
    'FILE is valid (1 warning)',
    ...shown,
  ]);
});

test('check exits with 0 if there are only warnings, with 1 if there are faults', async (_t) => {
  assert.deepEqual(await checked(sample), { code: 0, lines: ['FILE is valid', ...shown] });
  assert.deepEqual(
    await checked(sample.replace('company: Dropbox', 'company: Dropbox 𓀀').replace('- Go\n', '- "\\u200bGo"\n')),
    {
      code: 0,
      lines: [
        'FILE:51:14: warning: experience[1].company: the PDF leaves out “𓀀” (U+13000), which no font has',
        'FILE:105:7: warning: resume.skills[4]: has invisible characters or characters that change the text direction: U+200B at the beginning',
        'FILE is valid (2 warnings)',
        ...shown,
      ],
    },
  );
  assert.deepEqual(await checked(sample.replace('location:', 'place:')), {
    code: 1,
    lines: ['FILE:13:3: candidate.location: is required', 'FILE:16:3: candidate.place: is not a known key'],
  });
});

test('check --json prints faults and warnings in separate lists', async (_t) => {
  const { code, lines } = await checked(sample.replace('date: 2019-03', 'date: "2999"'), true);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(lines[0]!), {
    faults: [],
    warnings: ['FILE:149:13: warning: resume.certifications[0].date: 2999 is in the future'],
  });
  const faulty = await checked(sample.replace('location:', 'place:'), true);
  assert.equal(faulty.code, 1);
  assert.deepEqual(JSON.parse(faulty.lines[0]!), {
    faults: ['FILE:13:3: candidate.location: is required', 'FILE:16:3: candidate.place: is not a known key'],
    warnings: [],
  });
});

test('a template that cannot be rendered is a warning, not a fault', async (_t) => {
  const template = join(makeFolder(), 'template.typ');
  writeFileSync(template, '#oops');
  assert.deepEqual(await checked(sample, false, template), {
    code: 0,
    lines: [
      'FILE:10:1: warning: the PDF cannot be rendered: template.typ:1:2: unknown variable: oops',
      'FILE is valid (1 warning)',
      ...shown,
    ],
  });
});
