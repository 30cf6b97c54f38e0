/** Pseudorandom choices, the same for the same seed. */
export interface Random {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  isOneIn(count: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** The mulberry32 generator. */
export function randomOf(seed: number): Random {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, isOneIn: (count) => below(count) === 0, pick: (items) => items[below(items.length)]! };
}
