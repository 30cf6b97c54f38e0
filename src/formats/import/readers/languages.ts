import { isResumeLanguage, languageCodes } from '../../../model/profile/resume-language.ts';
import { literal, type Value } from '../source/value.ts';

/**
 * The language that a resume is printed in, as a code, by a setting such as `fr-FR` or `spanish`. Undefined for
 * English, which needs no code, languages without printed words, and `mandarin_chinese`, whose script is unknown.
 */
export function toPrintedLanguage(setting: Value | undefined): Value | undefined {
  const stated = setting?.text.trim() ?? '';
  if (isResumeLanguage(stated)) return stated.startsWith('en') ? undefined : literal(stated);
  const english = new Intl.DisplayNames(['en'], { type: 'language' });
  const code = languageCodes.find((each) => english.of(each)!.toLowerCase() === stated.toLowerCase());
  return code === undefined || code === 'en' ? undefined : literal(code);
}

let names: Set<string | undefined> | undefined;

/** Whether a text names a spoken language, in a language that a resume can be printed in or in itself. */
export function isSpokenLanguage({ text }: Value): boolean {
  names ??= namesOfLanguages();
  return names.has(text.trim().toLowerCase());
}

function namesOfLanguages() {
  const english = namesIn('en');
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => english(code));
  const nativeNames = codes.map((code) => namesIn(code)(code));
  return new Set([...nativeNames, ...languageCodes.map(namesIn).flatMap((nameOf) => codes.map(nameOf))]);
}

/** Gives the names that languages have in one of them, in lower case; undefined for a code without a language. */
function namesIn(locale: string) {
  const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });
  return (code: string) => names.of(code)?.toLowerCase();
}
