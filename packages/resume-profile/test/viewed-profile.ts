import { readFileSync } from 'node:fs';

const textOf = (name: string): string =>
  readFileSync(new URL(`../../../test/fixtures/views/${name}.yaml`, import.meta.url), 'utf8');

/** A profile document with three views. */
export const viewedProfile = textOf('profile');

/** The documents that somebody would write by hand for the readers of each view. */
export const byHand = { systems: textOf('systems'), management: textOf('management'), brief: textOf('brief') } as const;
