import { scaledCount } from '../model/quota.ts';
import type { Limits, QuotaCharge } from '../operations/ports.ts';
import type { DurableStore } from './store/store.ts';
import type { HashVisitor } from './tokens/visitor-hash.ts';

interface Options {
  /** Multiplies every quota; an infinite one lifts all limits. */
  readonly multiplier: number;
  readonly now: () => Date;
}

/** The maximum of windows that a process counts in. */
const maxWindows = 10_000;

const scaled = (charges: readonly QuotaCharge[], multiplier: number): QuotaCharge[] =>
  charges.map((one) => ({ ...one, count: scaledCount(one.count, multiplier) }));

const secondsUntil = (endsAt: number, now: number): number => Math.ceil((endsAt - now) / 1_000);

/** Counts in the memory of this process. Above 10,000 windows, those begun first are dropped. */
export function openLocalLimits({ multiplier, now }: Options): Limits<number> {
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

/** Counts in the store, for all processes that share it; stores keyed hashes of the keys. Throws `UNAVAILABLE` if the store cannot be written. */
export function openSharedLimits(
  { multiplier, now }: Options,
  store: Pick<DurableStore, 'takeQuotas'>,
  hashVisitor: HashVisitor,
): Limits<Promise<number>> {
  return {
    async take(charges) {
      if (multiplier === Number.POSITIVE_INFINITY) return 0;
      const at = now();
      const hashed = scaled(charges, multiplier).map((one) => ({ ...one, key: hashVisitor(one.key) }));
      const fullUntil = await store.takeQuotas(hashed, at);
      return fullUntil === null ? 0 : secondsUntil(fullUntil.getTime(), at.getTime());
    },
  };
}

/** Adds an entry and drops the oldest above the maximum, so that a client with ever new tokens cannot use up the memory. */
function addBounded<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > maxWindows) map.delete(map.keys().next().value!);
}
