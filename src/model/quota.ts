import { Failure } from './failure.ts';

/** The maximum number of calls by a token, subject or network block, or by all callers together, within a window. */
export interface Quota {
  readonly per: 'token' | 'subject' | 'block' | 'service';
  readonly count: number;
  readonly seconds: number;
}

/** One use of a quota: `count` are allowed in `seconds`. The key is operation, kind of holder and holder, with spaces. */
export interface QuotaCharge {
  readonly key: string;
  readonly count: number;
  readonly seconds: number;
}

/** Multiplies a count by the LIMITS setting: at least 1, infinite if the multiplier is. */
export const scaledCount = (count: number, multiplier: number): number => Math.max(1, Math.round(count * multiplier));

export const toRateLimited = (waitSeconds: number): Failure =>
  new Failure('RATE_LIMITED', `Too many requests. Try again in ${waitSeconds} seconds.`, {
    retryAfterSeconds: waitSeconds,
  });

/** Returns the whole seconds until an instant, rounded up; both are in milliseconds since 1970. */
export const secondsUntil = (instant: number, now: number): number => Math.ceil((instant - now) / 1_000);
