import { styleText } from 'node:util';
import type { Command } from 'commander';

const styles = { error: 'red', warning: 'yellow', ok: 'green', heading: 'bold' } as const;

/** Returns a text in the colour of its meaning if the stream shows colours: a terminal, unless NO_COLOR, FORCE_COLOR or TERM says otherwise. */
export const inColour = (meaning: keyof typeof styles, text: string, stream: NodeJS.WriteStream = process.stdout) =>
  styleText(styles[meaning], text, { stream });

/** Adds `--no-color`, which is accepted before and after the name of a command and wins over FORCE_COLOR. */
export const addNoColorTo = (program: Command): Command =>
  program.option('--no-color', 'print without colours').on('option:no-color', () => {
    process.env.NO_COLOR = '1';
    delete process.env.FORCE_COLOR;
  });
