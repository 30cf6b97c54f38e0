import { nearestName } from 'resume-profile/nearest-name';

/** Returns a warning for each variable whose name is one edit away from a setting; others belong to other programs. */
export function environmentWarnings(names: readonly string[], settings: readonly string[]): string[] {
  return names.flatMap((name) => {
    // Short names are similar by chance, such as HOST and HOSTS.
    const nearest = name.length < 8 || settings.includes(name) ? null : nearestName(name, settings, 1);
    return nearest === null
      ? []
      : [`warning: the environment has ${name}, which is not a setting; did you mean ${nearest}?`];
  });
}

/** Returns a warning, without values, for each line of a `.env` file without effect; Node ignores such lines silently. */
export function envFileWarnings(text: string, settings: readonly string[]): string[] {
  const warnings: string[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const warn = (warning: string) => warnings.push(`.env:${index + 1}: warning: ${warning}`);
    const line = lines[index]!.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value = ''] = /^(?:export )?\s*([A-Za-z_]\w*)\s*=(.*)$/.exec(line) ?? [];
    if (name === undefined) {
      warn('is not NAME=VALUE, and is ignored');
      continue;
    }
    const nearest = settings.includes(name) ? null : nearestSetting(name, settings);
    if (nearest !== null) warn(`${name} is not a setting; did you mean ${nearest}?`);
    if (settings.includes(name) && /^(?!["'`])[^#]*[^#\s]#/.test(value.trimStart()))
      warn(`the value of ${name} ends before its #, where a comment begins; put the value in quotes`);
    // A quoted value may continue on the next lines.
    const quote = /^["'`]/.exec(value.trimStart())?.[0];
    if (quote === undefined || value.trimStart().indexOf(quote, 1) !== -1) continue;
    const end = lines.findIndex((other, at) => at > index && other.includes(quote));
    if (end === -1) warn('has a quote that is not closed');
    else index = end;
  }
  return warnings;
}

/** Returns the setting with the most similar name, or else a setting that begins with the same word. */
const nearestSetting = (name: string, settings: readonly string[]): string | null =>
  nearestName(name.toUpperCase(), settings) ??
  settings.find((setting) => setting.split('_')[0] === name.toUpperCase().split('_')[0]) ??
  null;
