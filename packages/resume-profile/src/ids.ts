import { createHash } from 'node:crypto';

const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th' };

/** Derives an id from a name: `exp_confluent`, or with eight digits of its hash if it has no Latin letters or digits. */
export function toId(prefix: string, name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[ßæœøđðłıþ]/g, (letter) => letters[letter]!);
  const slug = plain
    .replace(/[\p{M}'’]/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 60)
    .replace(/^_|_$/g, '');
  return `${prefix}_${slug || createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

const honorifics = /^((dr|prof|professor|mr|mrs|ms|mx|sir|dame)\.?\s+)+/i;

/** The text that a candidate's id is derived from: the name without honorifics, or `owner` if it is empty. */
export const toCandidateKey = (name: string): string => name.replace(honorifics, '') || 'owner';

/** Returns an unused id: `base`, or `base` with a number after it. */
export function toFreeId(base: string, used: ReadonlySet<string>): string {
  let id = base;
  for (let number = 2; used.has(id); number++) id = `${base}_${number}`;
  return id;
}

/** Adds ids made of their names to the entries that have none. */
export function withIds<Entry extends { readonly id?: unknown }>(
  prefix: string,
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
) {
  const used = new Set(entries.map(({ id }) => String(id)));
  return entries.map((entry) => {
    const id = entry.id ?? toFreeId(toId(prefix, nameOf(entry)), used);
    used.add(String(id));
    return { ...entry, id };
  });
}
