/** A count with its noun: `1 token`, `2 tokens`. For nouns whose plural ends in `s` alone. */
export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
