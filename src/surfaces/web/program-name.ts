// Each browser also names those that it wants to be taken for, so the order matters.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+).* Safari\//, 'Safari'],
];

/** Returns what people call the program that sent a User-Agent: `Firefox 145` for a browser, the text itself for all others. */
export function toProgramName(client: string): string {
  if (!client.startsWith('Mozilla/')) return client;
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(client)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return client;
}
