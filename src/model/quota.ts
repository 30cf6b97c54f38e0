/** How often an operation may be called: by one token, one subject, one network block, or by all together. */
export interface Quota {
  readonly per: 'token' | 'subject' | 'block' | 'service';
  readonly count: number;
  readonly seconds: number;
}

/** A count under the setting that multiplies all of them: never less than one, infinite where that is. */
export const scaledCount = (count: number, multiplier: number): number => Math.max(1, Math.round(count * multiplier));
