// Each browser also names those that it wants to be taken for, so the order matters.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)/, 'Safari'],
];

/** Returns the name and version of the browser that sent a User-Agent, such as `Firefox 145`; any other text as it is. */
export function toBrowserName(client: string): string {
  if (!client.startsWith('Mozilla/')) return client;
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(client)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return client;
}
