import type { Profile } from '../../model/profile-document.ts';
import { type Account, toAccount } from './build/loss-report.ts';
import { toProfile } from './build/to-profile.ts';
import { placeOf } from './source/input-cursor.ts';
import { readSource } from './source/source.ts';

/** A profile made of a file of another format, and what became of everything in that file. */
export interface Imported {
  readonly format: string;
  readonly profile: Profile;
  readonly account: Account;
}

/** Makes a profile of a file in any format known; `today` is where current positions are counted to. Throws an error of one line. */
export async function importProfile(path: string, today: string): Promise<Imported> {
  const { format, input } = await readSource(path);
  const { profile, filledIn } = toProfile(format.toDraft(placeOf(input.tree)), today);
  return { format: format.name, profile, account: toAccount(input.leaves, filledIn) };
}
