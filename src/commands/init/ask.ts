import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Answers by the names of their questions. */
export type Answers = Readonly<Record<string, string>>;

export interface Question {
  readonly name: string;
  readonly text: string;
  /** Returns the answer that an empty line stands for, empty if the question is optional; undefined if it must be answered. */
  readonly defaultFor: (answers: Answers) => string | undefined;
  /** Whether earlier answers raise the question; absent if it is always asked. */
  readonly isAsked?: (answers: Answers) => boolean;
  /** Returns what is wrong with an answer, as a predicate such as `must be a number`; null if it is valid. */
  readonly faultOf: (answer: string) => string | null;
}

/** Asks the questions in order, each until its answer is valid, and returns all answers. Throws if the input ends before (Ctrl-C, Ctrl-D). */
export async function ask(
  questions: readonly Question[],
  given: Answers,
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
      // Lines that were typed ahead are read even after the end of the input.
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
    const answers: Record<string, string> = { ...given };
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
