import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import type { Imported } from 'resume-import/import-resume';
import { refuseExisting, remedyForce, writeOutput } from '../adapters/output-file.ts';
import { looksLikeAddress } from '../adapters/profile/profile-source.ts';
import {
  type Answers,
  answersIn,
  type FieldQuestion,
  type Question,
  questions,
  toAnsweredProfile,
} from '../model/profile/answers.ts';
import { schemaFrom } from '../profile-schema.ts';
import { toCommandLine } from '../service/program-name.ts';
import { acceptLossesHelp, importFile, refuseUnservable, toImportReport } from './import.ts';
import { type Io, isAttended } from './terminal.ts';

interface InitOptions {
  readonly from?: string;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly acceptLosses?: boolean;
  readonly [question: string]: string | boolean | undefined;
}

export function addInitTo(program: Command, io: Io): void {
  const command = program
    .command('init')
    .description('write a profile document; asks on a terminal for what the options leave out')
    .option('--from <file>', 'a resume to begin with, in any format that import reads')
    .option('--out <file>', 'the document to write', 'profile.yaml');
  for (const { name, text, isYesOrNo } of questions)
    if (isYesOrNo) command.option(`--${name}`, text).option(`--no-${name}`, `answers no to --${name}`);
    else command.option(`--${name} <text>`, text);
  command
    .option('--accept-losses', acceptLossesHelp)
    .option('--force', 'replace the document if it exists')
    .option('--verbose', 'report what became of each value of the resume')
    .option('--json', 'print as JSON the path of the document and the loss report of --from')
    .action((options: InitOptions) => init(io, options, (message) => command.error(`error: ${message}`)));
}

/** Asks, writes the document, then reports and prints the next commands; calls `refuse` for wrong usage. */
async function init(io: Io, options: InitOptions, refuse: (message: string) => never): Promise<void> {
  const { toProfileYaml } = await import('resume-profile/profile-writer');
  const { out } = options;
  const optionAnswers = readAnswers(options, refuse);
  if (!options.force) refuseExisting(out, remedyForce);
  const imported = options.from === undefined ? undefined : await importFile(io, options.from, options);
  const unanswered = unansweredBy(optionAnswers, imported);
  const known = { ...(imported && answersIn(imported.profile)), ...optionAnswers };
  const answers = isAttended(io)
    ? await ask(unanswered, known, { input: io.stdin, output: io.stderr })
    : takeDefaults(unanswered, known, imported !== undefined, refuse);
  for (const { name, isAsked } of questions)
    if (name in optionAnswers && isAsked?.(answers) === false) refuse(`--${name} needs --company`);

  const answered = imported && withoutAnswered(imported, isAttended(io) ? answers : optionAnswers);
  const keepsId = answered && !answered.report.filledIn.some(({ field }) => field === 'candidate.id');
  const profile = toAnsweredProfile(answers, imported?.profile, keepsId);
  const yaml = toProfileYaml(profile, {
    schema: schemaFrom(dirname(resolve(out))),
    checkCommand: toCommandLine('check', out),
    photo: imported?.photo,
  });
  if (options.from !== undefined) await refuseUnservable(options.from, yaml);
  writeOutput(out, yaml, options);
  if (options.json)
    io.console.log(JSON.stringify({ file: out, format: answered?.format, ...answered?.report }, null, 2));
  else if (answered) io.console.error(`${await toImportReport({ ...answered, profile }, yaml, options)}\n`);
  io.console.error(nextSteps(io, out));
}

/** Asks the questions in order, each until its answer is valid. Throws if the input ends early (Ctrl-C, Ctrl-D). */
export async function ask(
  questions: readonly Question[],
  known: Answers,
  { input, output }: { input: Readable; output: Writable },
): Promise<Answers> {
  const terminal = createInterface({ input, output });
  const lines = terminal[Symbol.asyncIterator]();
  let isClosed = false;
  terminal.once('close', () => {
    isClosed = true;
  });
  const answerTo = async ({ text, faultOf }: Question, byDefault: string | undefined): Promise<string> => {
    for (;;) {
      terminal.setPrompt(`${text}${hintOf(byDefault)}: `);
      // Lines typed ahead are read even after the end of the input.
      if (!isClosed) terminal.prompt();
      const { value, done } = await lines.next();
      if (done) throw new Error('\nNothing was written.');
      const answer = value.trim() || (byDefault ?? '');
      if (answer === '' && byDefault === '') return answer;
      const fault = answer === '' ? 'is required' : faultOf(answer);
      if (fault === null) return answer;
      output.write(`  This ${fault}.\n`);
    }
  };
  try {
    const answers: Record<string, string> = { ...known };
    for (const question of questions)
      if (question.isAsked?.(answers) ?? true)
        answers[question.name] = await answerTo(question, question.defaultFor(answers));
    return answers;
  } finally {
    terminal.close();
  }
}

const hintOf = (byDefault: string | undefined) =>
  byDefault === undefined ? '' : byDefault === '' ? ' (optional)' : ` [${byDefault}]`;

function readAnswers(options: InitOptions, refuse: (message: string) => never): Answers {
  const answers = questions.flatMap(({ name, faultOf, isOptional }) => {
    const option = options[name];
    if (option === undefined) return [];
    const answer = typeof option === 'string' ? option.trim() : option ? 'yes' : 'no';
    const fault = answer === '' && isOptional ? null : faultOf(answer);
    return [[name, fault === null ? answer : refuse(`--${name} ${fault}`)]];
  });
  return Object.fromEntries(answers);
}

/** The questions that neither an option nor the resume answers. A value derived by the import is a default. */
function unansweredBy(optionAnswers: Answers, imported: Imported | undefined): FieldQuestion[] {
  const importedAnswers = imported ? answersIn(imported.profile) : {};
  const filledIn = imported?.report.filledIn.map(({ field }) => field) ?? [];
  return questions
    .filter(({ name, field }) => !(name in optionAnswers) && (!(name in importedAnswers) || filledIn.includes(field)))
    .map((question) => ({
      ...question,
      defaultFor: (soFar: Answers) => importedAnswers[question.name] ?? question.defaultFor(soFar),
    }));
}

/** Answers the questions by their defaults, for use without a terminal. Gaps of a resume may stay empty. */
function takeDefaults(
  unanswered: readonly FieldQuestion[],
  known: Answers,
  mayBeEmpty: boolean,
  refuse: (message: string) => never,
): Answers {
  const answers: Record<string, string> = { ...known };
  const missing: string[] = [];
  for (const { name, field, isAsked, defaultFor } of unanswered) {
    if (isAsked?.(answers) === false) continue;
    const answer = defaultFor(answers) ?? (mayBeEmpty && field !== 'experience' ? '' : undefined);
    if (answer === undefined) missing.push(`--${name}`);
    else answers[name] = answer;
  }
  if (missing.length > 0) refuse(`init can only ask on a terminal; without one it needs ${missing.join(', ')}`);
  return answers;
}

/** Removes the owner's answers from the values that the report lists as filled in. */
function withoutAnswered(imported: Imported, answers: Answers): Imported {
  const answered = questions.filter(({ name }) => answers[name]).map(({ field }) => field);
  const { report } = imported;
  const filledIn = report.filledIn.filter(({ field }) => !answered.includes(field));
  return { ...imported, report: { ...report, filledIn } };
}

function nextSteps({ env }: Io, path: string): string {
  const isElsewhere = looksLikeAddress(env.PROFILE ?? '');
  const isServed = path === 'profile.yaml' && !isElsewhere;
  return [
    `${path} is written. What comes next:`,
    `  ${toCommandLine('check', path)}`,
    `  ${toCommandLine('serve', ...(isServed ? [] : ['--profile', path]))}`,
    ...(isElsewhere ? ['PROFILE is an address: put the document there to serve it without --profile.'] : []),
  ].join('\n');
}
