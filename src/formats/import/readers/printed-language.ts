import { isResumeLanguage, languageCodes } from '../../../model/profile/resume-language.ts';
import { literal, type Value } from '../source/value.ts';

/**
 * The language that a resume is printed in, as a code, by what its settings say: `fr-FR` or `spanish`. Undefined
 * for English, which needs no code, for languages without printed words, and for `mandarin_chinese`, which does not say the script.
 */
export function toPrintedLanguage(setting: Value | undefined): Value | undefined {
  const stated = setting?.text.trim() ?? '';
  if (isResumeLanguage(stated)) return stated.startsWith('en') ? undefined : literal(stated);
  const english = new Intl.DisplayNames(['en'], { type: 'language' });
  const code = languageCodes.find((each) => english.of(each)!.toLowerCase() === stated.toLowerCase());
  return code === undefined || code === 'en' ? undefined : literal(code);
}
