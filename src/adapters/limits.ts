import { BoundedMap } from '../model/bounded-map.ts';
import { scaledCount, secondsUntil } from '../model/quota.ts';
import type { Services } from '../operations/ports.ts';
import type { HashVisitor } from './tokens/keys.ts';

/** Limited, so that a client with many tokens or networks cannot use up the memory. */
const maxWindows = 10_000;

interface Window {
  used: number;
  readonly most: number;
  readonly endsAt: number;
}

/** Counts in memory, with up to 10,000 windows for each kind of holder of an operation; one more drops the oldest. */
export function openLocalLimits(options: {
  readonly multiplier: number;
  readonly now: () => Date;
}): Services['limits']['take'] {
  const { multiplier, now } = options;
  const kinds = new Map<string, BoundedMap<string, Window>>();

  function windowsOfKind(key: string): Map<string, Window> {
    const kind = key.slice(0, key.indexOf(' ', key.indexOf(' ') + 1)); // on each read: `split` takes longer
    let windows = kinds.get(kind);
    if (windows === undefined) {
      windows = new BoundedMap(maxWindows);
      kinds.set(kind, windows);
    }
    return windows;
  }

  return ({ key, count, seconds }) => {
    if (multiplier === Number.POSITIVE_INFINITY) return 0;
    const at = now().getTime();
    const windows = windowsOfKind(key);
    const known = windows.get(key);
    const isRunning = known !== undefined && known.endsAt > at;
    const window = isRunning ? known : { used: 0, most: scaledCount(count, multiplier), endsAt: at + seconds * 1_000 };
    if (!isRunning) windows.set(key, window);
    if (window.used >= window.most) return secondsUntil(window.endsAt, at);
    window.used += 1;
    return 0;
  };
}

/** Returns a function that scales charges and hashes their keys for the store; it returns none if LIMITS is infinite. */
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
