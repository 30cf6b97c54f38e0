import { nearestName } from './nearest-name.ts';

/** Warnings for the variables of an environment that are one letter off a setting; others are other programs' own. */
export function environmentWarnings(names: readonly string[], settings: readonly string[]): string[] {
  return names.flatMap((name) => {
    // Short names are near to one another by chance, as HOST and HOSTS.
    const nearest = name.length < 8 || settings.includes(name) ? null : nearestName(name, settings, 1);
    return nearest === null
      ? []
      : [`warning: the environment has ${name}, which is not a setting; did you mean ${nearest}?`];
  });
}

/** Warnings for the lines of a `.env` file that set nothing: Node passes over them in silence. No value is repeated. */
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
    // A quoted value may go on in the lines that follow.
    const quote = /^["'`]/.exec(value.trimStart())?.[0];
    if (quote === undefined || value.trimStart().indexOf(quote, 1) !== -1) continue;
    const end = lines.findIndex((other, at) => at > index && other.includes(quote));
    if (end === -1) warn('has a quote that is not closed');
    else index = end;
  }
  return warnings;
}

/** The setting nearest in spelling, or else one that begins with the same word. */
const nearestSetting = (name: string, settings: readonly string[]): string | null =>
  nearestName(name.toUpperCase(), settings) ??
  settings.find((setting) => setting.split('_')[0] === name.toUpperCase().split('_')[0]) ??
  null;
