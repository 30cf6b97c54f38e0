import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Answers so far, by the names of their questions. */
export type Answers = Readonly<Record<string, string>>;

export interface Question {
  readonly name: string;
  readonly text: string;
  /** What an empty answer stands for; undefined where there has to be one. */
  readonly preset: (answers: Answers) => string | undefined;
  /** What is wrong with an answer, as the rest of a sentence; null where nothing is. */
  readonly faultOf: (answer: string) => string | null;
}

/** Asks one question after the other, each until its answer is good, and adds to the answers. Throws where the person leaves (Ctrl-C, Ctrl-D). */
export async function ask(
  questions: readonly Question[],
  given: Answers,
  { input, output }: { input: Readable; output: Writable },
): Promise<Answers> {
  const terminal = createInterface({ input, output });
  const lines = terminal[Symbol.asyncIterator]();
  let hasLeft = false;
  terminal.once('close', () => {
    hasLeft = true;
  });
  const answerTo = async ({ text, faultOf }: Question, preset: string | undefined): Promise<string> => {
    for (;;) {
      terminal.setPrompt(preset === undefined ? `${text}: ` : `${text} [${preset}]: `);
      // Lines may have been typed ahead.
      if (!hasLeft) terminal.prompt();
      const { value, done } = await lines.next();
      if (done) throw new Error('\nNothing was written.');
      const answer = value.trim() || (preset ?? '');
      const fault = answer === '' ? 'is needed' : faultOf(answer);
      if (fault === null) return answer;
      output.write(`  This ${fault}.\n`);
    }
  };
  try {
    const answers: Record<string, string> = { ...given };
    for (const question of questions) answers[question.name] = await answerTo(question, question.preset(answers));
    return answers;
  } finally {
    terminal.close();
  }
}
