import type { InputCursor } from '../source/input-cursor.ts';
import { changed, type Value } from '../source/value.ts';
import type { Draft } from './draft.ts';
import { isSpokenLanguage } from './languages.ts';
import { headOf } from './rendercv-entries.ts';
import { toPlain } from './rich-text.ts';
import { topicOf } from './topics.ts';

/** A list under a label, such as `Programming: Go, Python`; without a label if the entry is the list alone. */
function toLabelled(entry: InputCursor): { label: Value | undefined; items: Value[] } {
  const head = toPlain(headOf(entry));
  const rest = [entry.text('details'), entry.text('summary'), ...entry.texts('highlights')];
  const items = rest.flatMap((text) => splitList(toPlain(text)));
  if (items.length > 0) return { label: head, items };
  const [, label, list] = /^([^:：,;.]{1,60})[:：]\s*(\S.*)$/su.exec(head?.text ?? '') ?? [];
  if (label === undefined) return { label: undefined, items: splitList(head) };
  const part = (text: string) => changed(head!, 'split into a label and what it stands for', text);
  return { label: part(label), items: splitList(part(list!)) };
}

/** The skills of an entry, which may be a list of languages or interests among the skills. */
export function toSkills(entry: InputCursor): Draft {
  const { label, items } = toLabelled(entry);
  const languages = items.map(toLanguage);
  if (languages.filter(({ language }) => isSpokenLanguage(language)).length * 2 >= items.length) {
    entry.at('label').exclude(headingReason);
    return { languages };
  }
  if (label && topicOf(label.text) === 'interests') return { interests: [{ name: label, keywords: items }] };
  return label ? { skillGroups: [{ name: label, skills: items }] } : { skills: items };
}

/** The languages of an entry: one with its fluency in a field of its own or on the same line, or several on one line. */
export function toLanguages(entry: InputCursor): NonNullable<Draft['languages']> {
  const [head, details] = [headOf(entry), entry.text('details', 'summary')].map(toPlain);
  if (!details) return splitList(head).map(toLanguage);
  if (topicOf(head?.text ?? '') !== 'languages') return [{ language: head, fluency: details }];
  for (const key of ['label', 'name']) entry.at(key).exclude(headingReason);
  return splitList(details).map(toLanguage);
}

/** The interests of an entry: one with its keywords, or several on one line. */
export function toInterests(entry: InputCursor): NonNullable<Draft['interests']> {
  const { label, items } = toLabelled(entry);
  return label ? [{ name: label, keywords: items }] : items.map((name) => ({ name }));
}

const headingReason = 'It is the heading of a list, which the profile has under a key of its own';

function toLanguage(value: Value): { language: Value; fluency: Value | undefined } {
  const parts = /^([^(（:：–—]{1,100})(?:[(（](.+)[)）]|[:：–—](.+)|\s-\s(.+))$/u.exec(value.text);
  if (!parts) return { language: value, fluency: undefined };
  const [language, fluency] = [parts[1]!, parts[2] ?? parts[3] ?? parts[4]!].map((part) =>
    changed(value, 'split into language and fluency', part.trim()),
  );
  return { language: language!, fluency };
}

// What a list has in no item, in the languages with the most resumes.
const prose =
  /\b(with|understanding|knowledge|experienced?|familiar(ity)?|proficien\w+|ability|able|comfortable|kenntnisse|erfahrung\w*|conocimientos?|experiencia|connaissances?|conhecimentos?|conoscenz[ae])\b/i;

/** Splits a list of short items, such as `Go, Python (NumPy, Pandas)`, except within parentheses. Prose and sentences are one item. */
function splitList(value: Value | undefined): Value[] {
  const separators = new Set(value?.text.replace(/\([^()]*\)/g, '').match(/[,;|•·、，；]/g));
  const parts = value?.text.match(/(?:\([^()]*\)|[^,;|•·、，；])+/g) ?? [];
  const texts = parts.map((part) => part.replace(/^\s+(and\s)?/i, '').trim()).filter((part) => part !== '');
  const maxWords = /[.!?。]$/.test(value?.text ?? '') ? 2 : 5;
  const isShort = (text: string) =>
    text.replace(/\([^()]*\)/g, '').split(/\s+/).length <= maxWords && text.length <= 80;
  const isList = separators.size === 1 && texts.length > 1 && texts.every(isShort) && !prose.test(value!.text);
  if (!value || !isList) return value ? [value] : [];
  return texts.map((text) => changed(value, 'split at its commas', text));
}
