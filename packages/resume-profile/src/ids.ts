import { createHash } from 'node:crypto';
import type { Fill } from 'resume-import/draft/fill';
import { omit, take, type Value } from 'resume-import/source/value';
import { Experience } from './profile.ts';

const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th' };

/** Derives an id from a name: `exp_confluent`; from eight digits of its hash if it has no Latin letters and digits. */
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

/** Returns an id that is not used yet: the given one, or with a number after it. */
export function toFreeId(base: string, used: ReadonlySet<string>): string {
  let id = base;
  for (let number = 2; used.has(id); number++) id = `${base}_${number}`;
  return id;
}

/** Gives items unique ids; of items with the same name, later ones get a number. Valid ids of the source are kept. */
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
      return omit(id, 'It is not a valid id, or another entry has it');
    used.add(id.text);
    return take(id);
  });
  const ids = items.map(({ name }, index) => {
    if (kept[index] !== undefined) return kept[index];
    const id = toFreeId(toId(prefix, name), used);
    used.add(id);
    return id;
  });
  const made = ids.filter((_, index) => kept[index] === undefined);
  if (made.length > 0)
    fill(field, made.sort().join(', '), 'derived from the name; programs refer to it, so do not change it');
  return ids;
}
