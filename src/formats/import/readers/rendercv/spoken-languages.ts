import { languageCodes } from '../../../../model/profile/resume-language.ts';
import type { Value } from '../../source/value.ts';

let names: Set<string | undefined> | undefined;

/** Whether a text is the name of a language that people speak, in any language that a resume can be printed in, or in itself. */
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
