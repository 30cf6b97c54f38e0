import type { Profile } from '../../model/profile/profile-document.ts';
import { type Text, textsOf } from '../../model/profile/texts.ts';
import { isVisible } from '../../model/visible-text.ts';
import type { Warning } from './warning.ts';

/** What to write into each text that may be empty, by its path without indexes. */
const tasks: Readonly<Record<string, string>> = {
  'candidate.name': 'write the name that visitors should see',
  'candidate.title': 'write your title, such as Staff Engineer',
  'candidate.location': 'write your city or region',
  'candidate.summary': 'introduce yourself in two or three sentences',
  'experience.company': 'write the name of the company',
  'experience.summary': 'say in a sentence what you did there',
  'experience.roles.title': 'write the title that you had',
  'projects.name': 'write the name of the project',
  'projects.summary': 'say in a sentence what it is',
  'availability.status': 'say whether you can be approached',
};

/** A text that is empty, and what to write there. */
interface EmptyText extends Pick<Text, 'path'> {
  readonly task: string;
}

/** Returns the texts of a profile or of some of its keys in which nothing can be seen, in their order. */
export const emptyTextsOf = (profile: object): EmptyText[] =>
  textsOf(profile).flatMap(({ path, text }) => {
    const task = tasks[path.filter((step) => typeof step === 'string').join('.')];
    return !isVisible(text) && task !== undefined ? [{ path, task }] : [];
  });

/** Warns of the empty texts, once for all of one kind. */
export const emptyTextWarningsOf = (profile: Profile): Warning[] =>
  [...Map.groupBy(emptyTextsOf(profile), ({ task }) => task)].map(([task, [first, ...others]]) => {
    const more = others.length === 0 ? '' : `, like ${others.length} more of its kind`;
    return { path: first!.path, message: `is empty${more}; ${task}` };
  });
