import { readProfile } from '../adapters/profile-file.ts';

/** Prints every fault of a profile document, a line each or all as JSON; the exit code is 1 where there is one. */
export function check(path: string, isJson: boolean): void {
  const { faults } = readProfile(path);
  if (isJson) console.log(JSON.stringify({ faults }, null, 2));
  else for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.error(`${path}: no faults`);
}
