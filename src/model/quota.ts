/** How many calls a token, subject or network block, or all callers together, may make within a window. */
export interface Quota {
  readonly per: 'token' | 'subject' | 'block' | 'service';
  readonly count: number;
  readonly seconds: number;
}

/** Multiplies a count by the LIMITS setting: at least 1, infinite if the multiplier is. */
export const scaledCount = (count: number, multiplier: number): number => Math.max(1, Math.round(count * multiplier));
