import { scaledCount } from '../model/quota.ts';
import type { Limits, QuotaCharge } from '../operations/ports.ts';
import type { DurableStore } from './store/store.ts';
import type { HashVisitor } from './tokens/visitor-hash.ts';

interface Options {
  /** Multiplies every quota; infinite where there are no limits. */
  readonly multiplier: number;
  readonly now: () => Date;
}

const remembered = 10_000;

const scaled = (charges: readonly QuotaCharge[], multiplier: number): QuotaCharge[] =>
  charges.map((one) => ({ ...one, count: scaledCount(one.count, multiplier) }));

const secondsUntil = (endsAt: number, now: number): number => Math.ceil((endsAt - now) / 1_000);

/** Counts in this process alone; of more windows than it remembers, those begun first are forgotten. */
export function openLocalLimits({ multiplier, now }: Options): Limits {
  const windows = new Map<string, { used: number; endsAt: number }>();
  return {
    async take(charges) {
      if (multiplier === Number.POSITIVE_INFINITY) return 0;
      const at = now().getTime();
      const open = charges.map(({ key, count, seconds }) => {
        const known = windows.get(key);
        const isOpen = known !== undefined && known.endsAt > at && known.endsAt <= at + seconds * 1_000;
        const window = isOpen ? known : { used: 0, endsAt: at + seconds * 1_000 };
        if (!isOpen) remember(windows, key, window);
        return { isFull: window.used >= scaledCount(count, multiplier), window };
      });
      const full = open.filter(({ isFull }) => isFull);
      if (full.length > 0) return Math.max(...full.map(({ window }) => secondsUntil(window.endsAt, at)));
      for (const { window } of open) window.used += 1;
      return 0;
    },
  };
}

/** Counts in the store, for all processes that share it, under keyed hashes. Throws `UNAVAILABLE` if it cannot be written. */
export function openSharedLimits(
  { multiplier, now }: Options,
  store: Pick<DurableStore, 'takeQuotas'>,
  hashVisitor: HashVisitor,
): Limits {
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

/** Keeps the latest, so that a client with ever new tokens takes no memory. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > remembered) map.delete(map.keys().next().value!);
}
