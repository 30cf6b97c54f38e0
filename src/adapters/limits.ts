import { scaledCount, secondsUntil } from '../model/quota.ts';
import type { Limits, Services } from '../operations/ports.ts';
import type { HashVisitor } from './tokens/visitor-hash.ts';

interface Options {
  /** Multiplies every quota; an infinite one lifts all limits. */
  readonly multiplier: number;
  readonly now: () => Date;
}

/** The maximum of windows that a process counts in. */
const maxWindows = 10_000;

/** Counts in the memory of this process. Above 10,000 windows, those begun first are dropped. */
export function openLocalLimits({ multiplier, now }: Options): Limits {
  const windows = new Map<string, { used: number; endsAt: number }>();
  return {
    take(charges) {
      if (multiplier === Number.POSITIVE_INFINITY) return 0;
      const at = now().getTime();
      const counted = charges.map(({ key, count, seconds }) => {
        const known = windows.get(key);
        // A window that ends later than a new one would was begun before the clock was set back.
        const isCurrent = known !== undefined && known.endsAt > at && known.endsAt <= at + seconds * 1_000;
        const window = isCurrent ? known : { used: 0, endsAt: at + seconds * 1_000 };
        if (!isCurrent) addBounded(windows, key, window);
        return { isFull: window.used >= scaledCount(count, multiplier), window };
      });
      const full = counted.filter(({ isFull }) => isFull);
      if (full.length > 0) return Math.max(...full.map(({ window }) => secondsUntil(window.endsAt, at)));
      for (const { window } of counted) window.used += 1;
      return 0;
    },
  };
}

/** Returns the function that scales charges and replaces their keys by keyed hashes, for the store; none are left if the multiplier is infinite. */
export const storedChargesOf =
  (multiplier: number, hashVisitor: HashVisitor): Services['limits']['toStored'] =>
  (charges) =>
    multiplier === Number.POSITIVE_INFINITY
      ? []
      : charges.map(({ key, count, seconds }) => ({
          key: hashVisitor(key),
          count: scaledCount(count, multiplier),
          seconds,
        }));

/** Adds an entry and drops the oldest above the maximum, so that a client with ever new tokens cannot use up the memory. */
function addBounded<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > maxWindows) map.delete(map.keys().next().value!);
}
