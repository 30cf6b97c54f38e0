#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import type { Profile } from 'resume-profile';
import { fromJsonResume, readProfileText, toJsonResume } from 'resume-profile';
import { papers, type Theme, themes } from 'resume-profile/resume-design';

const formats = ['pdf', 'docx', 'html', 'md', 'txt', 'vcf'];
const usage = `usage: resume-documents FILE [--theme THEME] [--paper PAPER] [--format FORMAT] [--out FILE]

Prints a resume, a JSON Resume or a profile in YAML, as ${formats.join(', ')} (default: pdf, to resume.pdf).
Themes: ${themes.join(', ')}. Papers: ${papers.join(', ')}.`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      theme: { type: 'string', default: 'classic' },
      paper: { type: 'string', default: 'a4' },
      format: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const format = values.format ?? (extname(values.out ?? '').slice(1) || 'pdf');
  const theme = themes.find((each) => each === values.theme);
  const paper = papers.find((each) => each === values.paper);
  const [path, ...others] = positionals;
  if (values.help === true) console.log(usage);
  else if (path === undefined || others.length > 0 || !theme || !paper || !formats.includes(format))
    throw new Error(usage);
  else {
    const out = values.out ?? `resume.${format}`;
    writeFileSync(out, await print(readProfile(path), format, theme, paper));
    console.error(`${out} is written.`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Reads a profile document or a JSON Resume. Throws a line for each fault. */
function readProfile(path: string): Profile {
  const text = readFileSync(path, 'utf8');
  const json = /^\s*\{/.test(text) ? JSON.parse(text) : null;
  if (json !== null && !('candidate' in json)) return readJsonResume(path, fromJsonResume(json));
  const { profile, faults } = readProfileText(text, path);
  if (profile === null) throw new Error(faults.join('\n'));
  return profile;
}

type Members = Record<string | number, unknown>;

/** Leaves out members that JSON Resume does not define, and says which. */
function readJsonResume(path: string, document: object): Profile {
  const { profile, locatedFaults } = readProfileText(JSON.stringify(document));
  if (profile !== null) return profile;
  const unknown = locatedFaults.filter(({ message }) => message === 'is not a known key');
  if (unknown.length === 0)
    throw new Error(locatedFaults.map((fault) => `${path}: ${fault.path.join('.')}: ${fault.message}`).join('\n'));
  for (const { path: steps } of unknown) {
    console.error(`left out: ${steps.join('.')}`);
    const parent = steps.slice(0, -1).reduce((value, step) => value[step] as Members, document as Members);
    delete parent[steps.at(-1)!];
  }
  return readJsonResume(path, document);
}

async function print(profile: Profile, format: string, theme: Theme, paper: (typeof papers)[number]) {
  // Loaded only on request: Typst and the library for Word are large.
  if (format === 'pdf') {
    const { openResumeRenderer } = await import('resume-documents/pdf/resume-pdf');
    const render = openResumeRenderer({ theme, paper, template: undefined, fontDir: undefined });
    return (await render(profile, JSON.stringify(toJsonResume(profile, '')))).pdf;
  }
  if (format === 'docx') return (await import('resume-documents/docx/resume')).toDocx(profile, { paper, photo: null });
  if (format === 'html') return (await import('resume-documents/html')).toHtml(profile);
  if (format === 'md') return (await import('resume-documents/markdown')).toMarkdown(profile);
  if (format === 'txt') return (await import('resume-documents/plain-text')).toPlainText(profile);
  return (await import('resume-documents/vcard')).toVcard(profile, null);
}
