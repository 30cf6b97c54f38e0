import { styleText } from 'node:util';
import { toVisible } from '../../model/visible-text.ts';

const levelStyles: Record<string, Parameters<typeof styleText>[0]> = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: ['red', 'bold'],
};

/**
 * Returns a JSON line of the log as text for a person: time, level, message, fields, and under it the stack of an error.
 * Coloured if stderr shows colours. Control characters are escaped: a field may hold what a stranger sent.
 */
export function toLogText(line: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const { type, message, stack = message, ...details } = (err ?? {}) as Record<string, unknown>;
  const shownFields = Object.entries({ ...fields, ...details }).map(
    ([name, value]) => `${colour('gray', `${name}=`)}${toVisible(toValue(value))}`,
  );
  const label = String(level);
  const head = [colour('gray', String(time)), colour(levelStyles[label] ?? [], label.toUpperCase().padEnd(5))];
  const text = [...head, indent(msg), ...shownFields].join(' ');
  return `${text}${stack === undefined ? '' : `\n    ${indent(stack)}`}\n`;
}

const colour = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stderr });

/** Text of one word stands as it is, all else as JSON. */
const toValue = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"'=\\]+$/.test(value) ? value : JSON.stringify(value);

const indent = (text: unknown): string => toVisible(String(text)).replaceAll('\n', '\n    ');
