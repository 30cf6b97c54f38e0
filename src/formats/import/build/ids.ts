import { createHash } from 'node:crypto';
import { Experience } from '../../../model/profile.ts';
import { leave, take, type Value } from '../source/value.ts';
import type { Fill } from './loss-report.ts';

const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th' };

/** An id made of a name, the same every time: `exp_confluent`. A name without Latin letters or digits gives eight characters of its hash. */
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

/** Unique ids of items, oldest first, so that a newer one of the same name takes the number; an id of the source is kept where it can be. */
export function toIds(
  prefix: string,
  items: readonly { id?: Value | undefined; name: string }[],
  field: string,
  fill: Fill,
): string[] {
  const used = new Set<string>();
  const kept = items.map(({ id }) => {
    if (id === undefined) return undefined;
    if (!Experience.shape.id.safeParse(id.text).success || used.has(id.text))
      return leave(id, 'It cannot be an id, or another has it');
    used.add(id.text);
    return take(id);
  });
  const ids = items.map(({ name }, index) => {
    if (kept[index] !== undefined) return kept[index];
    const base = toId(prefix, name);
    let id = base;
    for (let number = 2; used.has(id); number++) id = `${base}_${number}`;
    used.add(id);
    return id;
  });
  const made = ids.filter((_, index) => kept[index] === undefined);
  if (made.length > 0) fill(field, made.sort().join(', '), 'made of the name; others refer to it, so keep it');
  return ids;
}
