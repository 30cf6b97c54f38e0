import type { Profile } from 'resume-profile/profile-document';
import { searchedTextsOf, termsOf } from '../../src/operations/evidence/evidence-index.ts';
import { synonyms, weakWords } from '../../src/operations/evidence/synonyms.ts';

const bytes = 20_000;

/** Cuts a text to 20 kB, between two characters. */
const cut = (text: string): string => new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });

const filledWith = (text: string): string => cut(text.repeat(Math.ceil(bytes / Buffer.byteLength(text))));

/** Items of 40 of the words, each beginning with another word. */
function turned(words: readonly string[]): string {
  const items = words.map((_, at) => `- ${[...words.slice(at), ...words.slice(0, at)].slice(0, 40).join(' ')}\n`);
  return cut(`Requirements:\n${filledWith(items.join(''))}`);
}

/** Texts of 20 kB that cost the most work: long, nested, in many items, or with every word of the profile. */
export function adversarialTexts(profile: Profile): Record<string, string> {
  const words = searchedTextsOf(profile)
    .map((text) => text.words)
    .join(' ')
    .replace(/\s+/g, ' ');
  const terms = searchedTextsOf(profile).flatMap((text) => termsOf(text.words));
  const byUse = [...Map.groupBy(terms, (term) => term)]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([term]) => term);
  return {
    'words of many texts, in other orders': turned(byUse.slice(0, 40)),
    'short words of many texts, in other orders': turned(byUse.filter(({ length }) => length <= 5).slice(0, 60)),
    'every word once': turned(byUse),
    'beginnings of words': turned([
      ...new Set(byUse.filter((term) => term.length > 5).map((term) => term.slice(0, 5))),
    ]),
    synonyms: turned(synonyms.flat()),
    'words of work, in other orders': cut(
      `Requirements:\n- ${weakWords.flatMap((_, by) => weakWords.map((_, at) => weakWords[(at * (by + 1)) % weakWords.length])).join(' ')}`.replace(
        /(.{900}) /g,
        '$1\n- ',
      ),
    ),
    'lines of words of headings': filledWith('our skills you\n'),
    'sentences of one letter': filledWith('A. '),
    'requirements of one letter': cut(`Requirements:\n${filledWith('a. b! ')}`),
    'words of two letters': cut(`Requirements:\n${filledWith('ab cd ef gh ')}`),
    'characters that stand for 18': cut(`Requirements:\n${filledWith('- \uFDFA\uFDFA\n')}`),
    headings: filledWith('a:\n'),
    'every word of the profile': filledWith(`${words} `),
    'items of every word of the profile': cut(
      `Requirements:\n${filledWith(`- ${words.replace(/(.{190}) /g, '$1\n- ')}\n`)}`,
    ),
    'many items': cut(`Requirements:\n${filledWith('- C#\n')}`),
    'one word': filledWith('a'),
    addresses: filledWith('a@http://b@'),
    'starts of cues': filledWith('looking for years of seeking '),
    'one German word': `Erfahrung ${filledWith('erfahrun')}`.slice(0, bytes),
    'wrapped lines': cut(`Requirements:\n${filledWith(`- ${'b '.repeat(33)}\n${'c '.repeat(34)}\n`)}`),
    'one word of capitals': cut(`Requirements:\n- ${filledWith('OUR')}`),
    'opened tags': cut(`<p>${filledWith('<li <')}`),
    'tags without an end': cut(`<p>${filledWith('<a ')}`),
    entities: cut(`<p>${filledWith('&#9;&am')}`),
    asterisks: filledWith('**'),
    spaces: `${cut(`Requirements:${filledWith(' ')}`).slice(1)}x`,
    'full stops': filledWith('. A'),
    'blank lines': filledWith('\n \r\n'),
    'start of a heading': filledWith('you '),
    Chinese: filledWith('分布式系统工程师'),
    'combining marks': cut(`a${filledWith('\u0301')}`),
  };
}
