import type { Command } from 'commander';
import { looksLikeAddress, type ProfileSource, readAddress } from '../adapters/profile/profile-source.ts';
import type { Config } from '../service/config/config.ts';

/** Adds the argument by which a command takes a profile. */
export const addProfileArgumentTo = (command: Command): Command =>
  command.argument('[file]', 'the profile, a file or an https address (default: PROFILE)');

/** Returns the settings with the profile that an argument names. Ends the command if that is an address, but not an https one. */
export function withProfile(
  file: string | undefined,
  command: Command,
  configOf: (env?: NodeJS.ProcessEnv) => Config,
): Config {
  return file === undefined
    ? configOf()
    : { ...configOf(usedSettingsIn(process.env)), profile: sourceOf(file, command) };
}

function sourceOf(file: string, command: Command): ProfileSource {
  if (!looksLikeAddress(file)) return { path: file };
  // Without what was typed, which may hold a password.
  return { address: readAddress(file) ?? command.error('error: the document must be a file, or an https:// address') };
}

/** Returns the settings that a named document is read with, so that a fault in another setting does not matter. */
const usedSettingsIn = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^(PDF_|(FONT_DIR|OWNER_EMAIL)$)/.test(name)));
