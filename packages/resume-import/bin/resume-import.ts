#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importResume, toSummary } from 'resume-import';
import { toJsonResume, toProfileYaml } from 'resume-profile';

const usage = `usage: resume-import FILE [--to yaml|jsonresume] [--out FILE]

Reads a resume (PDF, Word, JSON Resume, RenderCV, Reactive Resume, data export of LinkedIn), writes it to standard
output or the file, and says on standard error what became of each value.`;

// In a damaged file, pdf.js rejects promises that it does not wait for; the text can be read all the same.
process.on('unhandledRejection', () => {});

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string', default: 'yaml' }, out: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [path, ...others] = positionals;
  if (values.help === true) console.log(usage);
  else if (path === undefined || others.length > 0 || !['yaml', 'jsonresume'].includes(values.to))
    throw new Error(usage);
  else await convert(path, values.to, values.out);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function convert(path: string, format: string, out: string | undefined): Promise<void> {
  const imported = await importResume(readFileSync(path)).catch((error: Error) => {
    throw new Error(`${path} ${error.message}`);
  });
  const text =
    format === 'yaml'
      ? toProfileYaml(imported.profile)
      : `${JSON.stringify(toJsonResume(imported.profile, ''), null, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text);
  console.error(toSummary(imported));
}
