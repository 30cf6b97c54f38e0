import { inColour } from './colour.ts';

/** Whether a person is at the terminal who sees questions and can answer them. */
export const isAttended = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Says what a command will end, and asks whether to go on. Throws unless the answer is yes.
 * Returns without asking if nobody is at the terminal, if `yes` is given, or if `consequence` returns null: nothing will end.
 */
export async function confirm(consequence: () => string | null | Promise<string | null>, yes = false): Promise<void> {
  if (yes || !isAttended()) return;
  const text = await consequence();
  if (text === null) return;
  console.error(inColour('warning', text, process.stderr));
  if (!/^y(es)?$/i.test(await ask('Go on? [y/N] '))) throw new Error('Nothing was changed.');
}

/** Returns the line that is typed; an empty one after Ctrl-C or Ctrl-D. */
async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.setPrompt(question);
  terminal.prompt();
  const { value, done } = await terminal[Symbol.asyncIterator]().next();
  terminal.close();
  if (done) process.stderr.write('\n');
  return done ? '' : value.trim();
}
