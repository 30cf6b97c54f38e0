import { html } from 'hono/html';
import { wordsOf } from 'resume-profile/resume-language';
import { type PageWords, type PluralForms, pageLanguageOf, pageWordsOf } from '../../../model/profile/page-words.ts';
import { formatDuration } from '../format.ts';
import type { Html } from '../page.ts';

/** Returns the words of the visitors' pages in a language, and its formats of numbers and lists. */
export function wordingOf(tag?: string) {
  const language = pageLanguageOf(tag);
  const words = pageWordsOf(language);
  const plurals = new Intl.PluralRules(language);
  const [masculine = '', feminine = masculine] = [words.numbers, words.feminine];
  const numberIn = (numbers: string, count: number) =>
    numbers.split(' ')[numbers === '' ? -1 : count - 1] ?? `${count}`;

  return {
    language,
    words,
    comma: wordsOf(language).comma,

    /** Writes a count with its noun, the number in digits: `14 years of experience`. */
    counted: (forms: PluralForms, count: number): string =>
      fill(forms[plurals.select(count)] ?? forms.other, { n: `${count}` }),

    /** Writes a count with its noun, the number as a word up to ten: `three jobs`. */
    inWords: (forms: PluralForms, count: number): string =>
      fill(forms[plurals.select(count)] ?? forms.other, {
        n: numberIn(masculine, count),
        f: numberIn(feminine, count),
      }),

    /** Joins texts as the language does: `one, two and three`. */
    listed: (texts: readonly string[]): string =>
      new Intl.ListFormat(language === 'en' ? 'en-GB' : language).format(texts),

    /** Writes a duration in the largest unit that divides it: `90 days`. */
    duration: (seconds: number): string => formatDuration(seconds, language),
  };
}

export type Wording = ReturnType<typeof wordingOf>;
export type { PageWords };

/** Replaces the placeholders of a pattern, such as `{name}`, with texts. */
export const fill = (pattern: string, values: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);

export const fillHtml = (pattern: string, values: Readonly<Record<string, Html>>): Html =>
  html`${pattern.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : (values[part] ?? '')))}`;
