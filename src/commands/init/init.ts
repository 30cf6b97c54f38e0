import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { refuseExisting, remedyForce, writeOutput } from '../../adapters/output-file.ts';
import { toCommandLine } from '../../service/program-name.ts';
import { importFile } from '../import-file.ts';
import { isAttended } from '../terminal/confirm.ts';
import { type Answers, ask, type Question } from './ask.ts';
import { answersIn, questions, toProfile } from './profile-questions.ts';

interface Options {
  readonly from?: string;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly [question: string]: string | boolean | undefined;
}

/** Adds `init`: writes a profile document from options, from answers on the terminal and, with --from, from a resume. */
export function addInitTo(program: Command): void {
  const command = program
    .command('init')
    .description('write a profile document; asks on a terminal for what the options leave out')
    .option('--from <file>', 'a resume to begin with, in any format that import reads')
    .option('--out <file>', 'the document to write', 'profile.yaml');
  for (const { name, text } of questions) command.option(`--${name} <text>`, text);
  command
    .option('--force', 'replace the document if it exists')
    .option('--json', 'print as JSON the path of the document and the loss report of --from')
    .action((options: Options) => init(options, (message) => command.error(`error: ${message}`)));
}

/** Writes the document and prints the next commands; calls `refuse` for wrong usage. */
async function init(options: Options, refuse: (message: string) => never): Promise<void> {
  const { toLossReportText } = await import('../../formats/import/build/loss-report-text.ts');
  const { toProfileYaml } = await import('../../formats/profile/profile-writer.ts');
  const { out } = options;
  const given = readAnswers(options, refuse);
  if (!options.force) refuseExisting(out, remedyForce);
  const imported = options.from === undefined ? undefined : await importFile(options.from);
  if (imported && !options.json) console.error(`${toLossReportText(imported.format, imported.lossReport)}\n`);
  const found = imported ? answersIn(imported.profile) : {};
  const filledIn = imported?.lossReport.filledIn.map(({ field }) => field) ?? [];
  // A value that the import made up is asked for, and is the default.
  const unanswered = questions
    .filter(({ name, field }) => !(name in given) && (!(name in found) || filledIn.includes(field)))
    .map((question) => ({
      ...question,
      defaultFor: (soFar: Answers) => found[question.name] ?? question.defaultFor(soFar),
    }));

  const known = { ...found, ...given };
  const answers =
    isAttended() && unanswered.length > 0
      ? await ask(unanswered, known, { input: process.stdin, output: process.stderr })
      : takeDefaults(unanswered, known, refuse);
  writeOutput(
    out,
    toProfileYaml(toProfile(answers, imported?.profile), dirname(resolve(out)), toCommandLine('check', out)),
    options,
  );
  if (options.json)
    console.log(JSON.stringify({ file: out, format: imported?.format, ...imported?.lossReport }, null, 2));
  console.error(nextSteps(out));
}

function readAnswers(options: Options, refuse: (message: string) => never): Answers {
  const given = questions.flatMap(({ name, faultOf }) => {
    const answer = options[name];
    if (typeof answer !== 'string') return [];
    const fault = faultOf(answer.trim());
    return [[name, fault === null ? answer.trim() : refuse(`--${name} ${fault}`)]];
  });
  return Object.fromEntries(given);
}

/** Answers the questions by their defaults, because nobody is at the terminal. */
function takeDefaults(unanswered: readonly Question[], known: Answers, refuse: (message: string) => never): Answers {
  const missing = unanswered.filter(({ defaultFor }) => defaultFor(known) === undefined);
  if (missing.length > 0)
    refuse(
      `init can only ask on a terminal; without one it needs ${missing.map(({ name }) => `--${name}`).join(', ')}`,
    );
  const answers: Record<string, string> = { ...known };
  for (const { name, defaultFor } of unanswered) answers[name] = defaultFor(answers)!;
  return answers;
}

const nextSteps = (path: string) =>
  [
    `${path} is written. What comes next:`,
    `  ${toCommandLine('check', path)}`,
    `  ${toCommandLine('serve', ...(path === 'profile.yaml' ? [] : ['--profile', path]))}`,
  ].join('\n');
