import type { ExpressionBuilder } from 'kysely';
import { linkSeconds } from '../../../model/sign-in.ts';
import type { Tables } from '../tables.ts';

// How far a clock may be set back before what it dated counts as expired.
const clockToleranceSeconds = 60;

/** Whether a secret is valid. One that expires later than a new one would was made before the clock was set back. */
export function isCurrent(now: Date, seconds: number) {
  const latest = new Date(now.getTime() + (seconds + clockToleranceSeconds) * 1_000);
  return (eb: ExpressionBuilder<Tables, 'sign_in_links' | 'desk_sessions' | 'verification_codes'>) =>
    eb.and([eb('expires_at', '>', now.toISOString()), eb('expires_at', '<=', latest.toISOString())]);
}

/** Whether a link can still be used. */
export const isUsable = (now: Date) => (eb: ExpressionBuilder<Tables, 'sign_in_links'>) =>
  eb.and([eb('used_at', 'is', null), isCurrent(now, linkSeconds)(eb)]);
