import type { InputCursor } from '../source/input-cursor.ts';
import { changed, type Value } from '../source/value.ts';

/** Reads groups of skills. Keywords become skills and group names domains; a group without keywords becomes a skill. */
export function toSkills(groups: readonly InputCursor[]): { skills: Value[]; domains: Value[] } {
  const [skills, domains]: [Value[], Value[]] = [[], []];
  for (const group of groups) {
    group.at('level').explain('A skill has no level in the profile');
    const name = group.text('name') ?? group.text();
    const keywords = group.texts('keywords');
    skills.push(...keywords);
    if (name && keywords.length === 0) skills.push(name);
    else if (name) domains.push(changed(name, 'the name of a group of skills, used as a domain'));
  }
  return { skills, domains };
}
