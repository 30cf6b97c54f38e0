import { Failure } from '../failure.ts';

/** When a program may try again. */
const retryAfterSeconds = 60;

/** The failure of everything that needs a profile, until the owner has published the first one. */
export const noProfile = (): Failure =>
  new Failure('UNAVAILABLE', 'There is no profile here yet.', { retryAfterSeconds });
