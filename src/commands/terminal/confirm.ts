import { inColour } from './colour.ts';

/** Whether a person is at the terminal who sees what is written to standard error and can answer it. */
export const isAttended = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Says what a command will end, and asks whether to go on. Throws unless the answer is yes.
 * Returns without asking if nobody is at the terminal, if `yes` is given, or if `consequence` returns null: nothing will end.
 */
export async function confirm(consequence: () => string | null | Promise<string | null>, yes = false): Promise<void> {
  // Standard error may be redirected, as in `2>log`.
  const output = [process.stderr, process.stdout].find(({ isTTY }) => isTTY);
  if (yes || !process.stdin.isTTY || output === undefined) return;
  const text = await consequence();
  if (text === null) return;
  output.write(`${inColour('warning', text, output)}\n`);
  if (!/^y(es)?$/i.test(await ask('Go on? [y/N] ', output))) throw new Error('Nothing was changed.');
}

/** Returns the line that is typed; an empty one after Ctrl-C or Ctrl-D. */
async function ask(question: string, output: NodeJS.WriteStream): Promise<string> {
  const { createInterface } = await import('node:readline');
  const terminal = createInterface({ input: process.stdin, output });
  terminal.setPrompt(question);
  terminal.prompt();
  const { value, done } = await terminal[Symbol.asyncIterator]().next();
  terminal.close();
  if (done) output.write('\n');
  return done ? '' : value.trim();
}
