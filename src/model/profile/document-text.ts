import { readAsMeant } from 'resume-profile/as-meant';
import { applyEdit, withoutAliases } from 'resume-profile/yaml/edit';
import { YamlFault } from 'resume-profile/yaml/yaml';
import { toStyledDocument, toText } from 'resume-profile/yaml/yaml-writer';

/** A profile document as its text means it, valid or not. */
type DocumentValues = Readonly<Record<string, unknown>>;

/** Returns the values of the text of a document, `{}` of an empty one; null if it is not a readable object. */
export function readValues(text: string): DocumentValues | null {
  if (text.trim() === '') return {};
  try {
    const { value, faults } = readAsMeant(text.replace(/^\ufeff/, '')).located;
    const isReadable = typeof value === 'object' && value !== null && !Array.isArray(value) && faults.length === 0;
    return isReadable ? (value as DocumentValues) : null;
  } catch (error) {
    if (error instanceof YamlFault) return null;
    throw error;
  }
}

interface EditedText {
  readonly text: string;
  /** What else had to change: aliases were replaced by their values, or all was written anew, without comments. */
  readonly costs: 'nothing' | 'aliases' | 'comments';
}

/** Returns a readable text with other values, by the smallest edit that is possible. */
export function textWith(text: string, values: unknown): EditedText {
  const edit = { kind: 'set', path: [], value: values } as const;
  for (const [costs, toBefore] of [
    ['nothing', () => text],
    ['aliases', () => withoutAliases(text)],
  ] as const)
    try {
      return { text: applyEdit(toBefore(), edit), costs };
    } catch {}
  return { text: toText(toStyledDocument(values)), costs: 'comments' };
}
