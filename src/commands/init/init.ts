import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { refuseExisting, remedyForce, writeOutput } from '../../adapters/output-file.ts';
import { toCommandLine } from '../../service/program-name.ts';
import { importFile } from '../import-file.ts';
import { type Answers, ask, type Question } from './ask.ts';
import { answersIn, questions, toProfile } from './profile-questions.ts';

interface Options {
  readonly from?: string;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly [flag: string]: string | boolean | undefined;
}

/** Adds `init`: writes a profile document from flags, from answers given on the terminal and, with --from, from another resume. */
export function addInitTo(program: Command): void {
  const command = program
    .command('init')
    .description('write a profile document; on a terminal, what no flag says is asked for')
    .option('--from <file>', 'a resume to begin with, in any format that import reads')
    .option('--out <file>', 'the document to write', 'profile.yaml');
  for (const { name, text } of questions) command.option(`--${name} <text>`, text);
  command
    .option('--force', 'replace the document if it exists')
    .option('--json', 'print as JSON where it was written and what became of the resume it began with')
    .action((options: Options) => init(options, (message) => command.error(`error: ${message}`)));
}

/** Writes the document and says what comes next; `refuse` ends a wrong usage. */
async function init(options: Options, refuse: (message: string) => never): Promise<void> {
  const { toLossReportText } = await import('../../formats/import/build/loss-report-text.ts');
  const { toProfileYaml } = await import('../../formats/profile/profile-writer.ts');
  const { out } = options;
  const given = readFlags(options, refuse);
  if (!options.force) refuseExisting(out, remedyForce);
  const imported = options.from === undefined ? undefined : await importFile(options.from);
  if (imported && !options.json) console.error(`${toLossReportText(imported.format, imported.lossReport)}\n`);
  const found = imported ? answersIn(imported.profile) : {};
  const filledIn = imported?.lossReport.filledIn.map(({ field }) => field) ?? [];
  // What an import had to fill in is asked for, with what it filled in as the answer at hand.
  const open = questions
    .filter(({ name, field }) => !(name in given) && (!(name in found) || filledIn.includes(field)))
    .map((question) => ({ ...question, preset: (soFar: Answers) => found[question.name] ?? question.preset(soFar) }));

  const known = { ...found, ...given };
  const isAttended = process.stdin.isTTY && process.stderr.isTTY;
  const answers =
    isAttended && open.length > 0
      ? await ask(open, known, { input: process.stdin, output: process.stderr })
      : presume(open, known, refuse);
  writeOutput(
    out,
    toProfileYaml(toProfile(answers, imported?.profile), dirname(resolve(out)), toCommandLine('check', out)),
    options,
  );
  if (options.json)
    console.log(JSON.stringify({ file: out, format: imported?.format, ...imported?.lossReport }, null, 2));
  console.error(nextSteps(out));
}

function readFlags(options: Options, refuse: (message: string) => never): Answers {
  const given = questions.flatMap(({ name, faultOf }) => {
    const answer = options[name];
    if (typeof answer !== 'string') return [];
    const fault = faultOf(answer.trim());
    return [[name, fault === null ? answer.trim() : refuse(`--${name} ${fault}`)]];
  });
  return Object.fromEntries(given);
}

/** The answers where nobody can be asked: what stands for an empty one. */
function presume(open: readonly Question[], known: Answers, refuse: (message: string) => never): Answers {
  const missing = open.filter(({ preset }) => preset(known) === undefined);
  if (missing.length > 0)
    refuse(`init asks on a terminal only; here it needs ${missing.map(({ name }) => `--${name}`).join(', ')}`);
  const answers: Record<string, string> = { ...known };
  for (const { name, preset } of open) answers[name] = preset(answers)!;
  return answers;
}

const nextSteps = (path: string) =>
  [
    `${path} is written. What comes next:`,
    `  ${toCommandLine('check', path)}`,
    `  ${toCommandLine('serve', ...(path === 'profile.yaml' ? [] : ['--profile', path]))}`,
  ].join('\n');
