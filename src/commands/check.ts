import { relative } from 'node:path';
import { readProfile } from '../adapters/profile-file.ts';
import { StartFault } from '../config.ts';

/** Reads a profile document and says what is wrong with it, a line a fault. */
export function check(path: string, isJson: boolean): void {
  const { profile, faults } = readProfile(path);
  if (isJson) console.log(JSON.stringify({ faults }, null, 2));
  if (profile === null) throw new StartFault(isJson ? '' : faults.join('\n'));
  if (!isJson) console.error(`${relative('.', path)} is a valid profile.`);
}
