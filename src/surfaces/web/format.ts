import { accentsOf, contrastOnLight } from 'resume-profile/accent';
import { pluralize } from 'resume-profile/text';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Writes the day of an instant in UTC: `21 December 2026`. */
export const formatDay = (instant: Date): string => day.format(instant);

/** Writes an instant in UTC: `21 Dec 2026, 13:00`. */
export const formatInstant = (instant: Date): string => dayAndTime.format(instant);

const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 };

/** Writes a duration in the largest unit that divides it: `90 days`, `36 hours`. */
export function formatDuration(seconds: number, language = 'en'): string {
  const [unit, size] = Object.entries(units).find(([, size]) => seconds % size === 0)!;
  const options = { style: 'unit', unit, unitDisplay: 'long', numberingSystem: 'latn', useGrouping: false } as const;
  return new Intl.NumberFormat(language, options).format(seconds / size);
}

/** Writes the size of a text: `640 bytes`, `5.2 kB`. */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000 ? pluralize(bytes, 'byte') : `${(bytes / 1_000).toFixed(1)} kB`;

/** Writes a waiting time, in minutes if it is more than two: `90 seconds`, `3 minutes`. */
export const formatWait = (seconds: number): string =>
  seconds <= 120 ? pluralize(seconds, 'second') : pluralize(Math.ceil(seconds / 60), 'minute');

/** Says how readable a colour such as `#0b5d6b` is; `isOfPages`, whether pages use it as well as the PDF. */
export function contrastWords(colour: string, isOfPages: boolean): string {
  const { light, dark } = accentsOf(colour);
  const ratio = (one: string) => `${(Math.floor(contrastOnLight(one) * 10) / 10).toFixed(1)} to 1`;
  const onLight =
    light === colour.toLowerCase()
      ? `Readable: its contrast is ${ratio(colour)}.`
      : `Hard to read, at ${ratio(colour)}: darkened to ${light}, which has ${ratio(light)}.`;
  return isOfPages ? `${onLight} On dark pages it is ${dark}.` : onLight;
}

// Each browser also names the browsers that it imitates, so the order matters.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)/, 'Safari'],
];

/** Programs by their familiar names, with patterns of their names in MCP or in a User-Agent. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/^openai-mcp\b|^ChatGPT\b|\bChatGPT-User\b/, 'ChatGPT'],
  [/^claude-(code|cli)\b/, 'Claude Code'],
  [/^claude-ai\b|\bClaude-User\b|^Anthropic\//, 'Claude'],
  [/^cursor\b/i, 'Cursor'],
  [/^Visual Studio Code\b|^vscode\b/, 'VS Code'],
  [/^(windsurf|codeium)\b/i, 'Windsurf'],
  [/^zed\b/i, 'Zed'],
  [/^codex\b/i, 'Codex'],
  [/^gemini-cli\b/, 'Gemini CLI'],
  [/^goose\b/i, 'Goose'],
  [/^(mcp-inspector|inspector-client)\b/, 'MCP Inspector'],
];

/**
 * Returns the familiar name of a client: of a program, or of the browser and version that sent a User-Agent, such as `Firefox
 * 145`; other texts unchanged.
 */
export function toKnownName(client: string): string {
  const program = programs.find(([pattern]) => pattern.test(client));
  if (program !== undefined) return program[1];
  if (!client.startsWith('Mozilla/')) return client;
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(client)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return client;
}

export const capitalize = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
