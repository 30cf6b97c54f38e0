import type { Draft } from '../draft/draft.ts';
import { distinct } from '../source/normalize.ts';
import type { Value } from '../source/value.ts';

/** A group of skills, or a skill with its level and the category that it belongs to. */
type Skill = { readonly [Field in 'name' | 'level' | 'category']: Value | undefined } & { keywords: readonly Value[] };

/**
 * Sorts skills into groups. A skill with keywords is a group; skills of the same category and level become one; a skill
 * without category and level stays as it is.
 */
export function toSkills(all: readonly Skill[]): Pick<Draft, 'skills' | 'skillGroups'> {
  const { plain = [], others = [] } = Object.groupBy(all, ({ level, category, keywords }) =>
    level || category || keywords.length > 0 ? 'others' : 'plain',
  );
  const groups = Map.groupBy(others, (skill) =>
    skill.keywords.length > 0 ? skill : JSON.stringify([skill.category?.text, skill.level?.text]),
  );
  return {
    skillGroups: [...groups.values()].map((same) => {
      const [{ name, level, keywords }] = same as [Skill, ...Skill[]];
      if (keywords.length > 0) return { name, level, skills: keywords };
      const oneOf = (field: 'category' | 'level') => distinct(same.flatMap((skill) => skill[field] ?? []))[0];
      return { name: oneOf('category'), level: oneOf('level'), skills: same.flatMap((skill) => skill.name ?? []) };
    }),
    skills: plain.flatMap(({ name }) => name ?? []),
  };
}
