import type { Draft } from '../draft/draft.ts';
import { distinct } from '../source/normalize.ts';
import type { Value } from '../source/value.ts';

/** A group of skills, or a skill with its level and the category that it belongs to. */
interface Skill {
  readonly name: Value | undefined;
  readonly level: Value | undefined;
  readonly category: Value | undefined;
  readonly keywords: readonly Value[];
  /** The section that it is in, if that heads another key. */
  readonly section?: Value | undefined;
}

/**
 * Sorts skills into groups. A skill with keywords is a group; skills of the same category and level become one; a skill
 * without category and level stays as it is.
 */
export function toSkills(all: readonly Skill[]): Pick<Draft, 'skills' | 'skillGroups'> {
  const isPlain = ({ level, category, keywords, section }: Skill) =>
    !level && !category && !section && keywords.length === 0;
  const groups = Map.groupBy(
    all.filter((skill) => !isPlain(skill)),
    (skill) =>
      skill.keywords.length > 0
        ? skill
        : JSON.stringify([skill.category, skill.level, skill.section].map((value) => value?.text)),
  );
  return {
    skillGroups: [...groups.values()].map((same) => {
      const [{ name, level, keywords, section }] = same as [Skill, ...Skill[]];
      if (keywords.length > 0) return { name, level, section, skills: keywords };
      return {
        name: oneOf(same.map((skill) => skill.category)),
        level: oneOf(same.map((skill) => skill.level)),
        section,
        skills: same.flatMap((skill) => skill.name ?? []),
      };
    }),
    skills: all.filter(isPlain).flatMap(({ name }) => name ?? []),
  };
}

/** Equal values as one. */
const oneOf = (values: readonly (Value | undefined)[]) => distinct(values.flatMap((value) => value ?? []))[0];
