import type { InputCursor } from '../source/input-cursor.ts';
import { changed, joined, privateReason, type Value } from '../source/value.ts';

/** A member that was not read: its name as a title, and its texts as one. */
export type Leftover = { readonly title: string; readonly value: Value };

/** Members that say how an entry is shown or stored. */
const technical =
  /^[$_]|^(id|uuid|slug|meta|key|order|index|hidden|visible|enabled|colou?r|flavou?r|style|class(name)?|theme)$|icon|logo|image|^img$|thumb|picture|photo/i;
const privacy = /birth|^dob$|^age$|gender|^sex$|marital/i;
const address = /^(street|address|post(al)?[_-]?code|zip([_-]?code)?|phone|mobile|fax)$/i;

/** The members of an object that were not read so far. Private and technical ones are excluded, with the reason. */
export function leftoversIn(item: InputCursor): Leftover[] {
  return item.unread.flatMap((key) => {
    const member = item.at(key);
    if (privacy.test(key)) return member.exclude(privateReason) ?? [];
    const value = joined(textsIn(member), ', ', 'joined into one text');
    if (value === undefined) return [];
    const isTechnical = technical.test(key);
    const isYesOrNo = /^(true|false)$/.test(value.text);
    if (!isTechnical && !isYesOrNo) return { title: toTitle(key), value };
    // A technical value is one word: `class: First class honours` is about the person.
    if (isTechnical && (member.kind !== 'text' || !/\s/.test(value.text.trim())))
      member.exclude('It says how the entry is shown or stored, and nothing of the person');
    else member.explain(isYesOrNo ? 'It says only yes or no' : 'Its name is that of a setting');
    return [];
  });
}

/** A leftover as a line that begins with its title: `Technologies: Go, SQL`. A summary has no title. */
export const toLabelled = ({ title, value }: Leftover): Value =>
  /^(summary|description)$/i.test(title)
    ? value
    : changed(value, `written after the name of its field, “${title}”`, `${title}: ${value.text}`);

/** The leftovers of an object as lines. All members that it has a place for must be read before. */
export const restOf = (item: InputCursor): Value[] => leftoversIn(item).map(toLabelled);

export const isLink = ({ value }: Leftover): boolean => /^https?:\/\/\S+$/.test(value.text);

function textsIn(cursor: InputCursor): Value[] {
  if (cursor.kind === 'list') return cursor.items().flatMap(textsIn);
  for (const key of cursor.keys) if (privacy.test(key) || address.test(key)) cursor.at(key).exclude(privateReason);
  return [cursor.text() ?? [], ...cursor.unread.map((key) => textsIn(cursor.at(key)))].flat();
}

/** The name of a member or file as a title: `testScores` becomes `Test scores`. */
export function toTitle(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})(?=\p{Ll})/gu, (_, before, letter) => `${before} ${letter.toLowerCase()}`)
    .replace(/[\s_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
