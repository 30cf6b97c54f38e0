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

/** Writes a waiting time, in minutes if it is more than two: `90 seconds`, `3 minutes`. */
export const formatWait = (seconds: number): string =>
  seconds <= 120 ? pluralize(seconds, 'second') : pluralize(Math.ceil(seconds / 60), 'minute');

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
