/** Text in lines of one size, which fit into a space; empty text has no line. */
export interface FittedText {
  /** In pixels. */
  readonly size: number;
  readonly lines: readonly string[];
}

interface Space {
  /** In pixels. */
  readonly width: number;
  readonly maxLines: number;
  /** The sizes to try, the largest first. */
  readonly sizes: readonly number[];
}

/** Returns the width in pixels of a text in a size. */
export type Measure = (text: string, size: number) => number;

type Fits = (line: string) => boolean;

/** More than fits into a picture: what is longer is cut before it is measured. */
const maxCharacters = 300;

/** Breaks a text into lines in the largest size that has room for it. In the smallest, long words are broken and the end is cut. */
export function fitted(text: string, { width, maxLines, sizes }: Space, measure: Measure): FittedText {
  const words = Array.from(text).slice(0, maxCharacters).join('').split(' ');
  for (const size of sizes) {
    const lines = toLines(words, (line) => measure(line, size) <= width);
    if (lines !== null && lines.length <= maxLines) return { size, lines };
  }
  const size = sizes.at(-1)!;
  const fits: Fits = (line) => measure(line, size) <= width;
  const pieces = words.flatMap((word) => toPieces(word, fits));
  const lines = toLines(pieces, fits)!;
  if (lines.length <= maxLines) return { size, lines };
  const characters = charactersOf(lines[maxLines - 1]!);
  const kept = longestPrefix(characters, (start) => fits(`${start}…`));
  return { size, lines: [...lines.slice(0, maxLines - 1), `${kept.trimEnd()}…`] };
}

/** Fills lines with words; null if a word is too wide for a line. */
function toLines(words: readonly string[], fits: Fits): string[] | null {
  const lines: string[] = [];
  for (const word of words.filter((one) => one !== '')) {
    const longer = [...lines.slice(-1), word].join(' ');
    if (fits(longer)) lines.splice(-1, 1, longer);
    else if (fits(word)) lines.push(word);
    else return null;
  }
  return lines;
}

/** Breaks a word that is too wide between characters. */
function toPieces(word: string, fits: Fits): string[] {
  if (fits(word)) return [word];
  // A single character that is too wide is a piece all the same.
  const start = longestPrefix(charactersOf(word), fits) || charactersOf(word)[0]!;
  return [start, ...toPieces(word.slice(start.length), fits)];
}

const charactersOf = (text: string): string[] => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);

/** Returns the longest start that fits, by bisection: each measurement takes a third of a millisecond. */
function longestPrefix(characters: readonly string[], fits: Fits): string {
  let [length, tooLong] = [0, characters.length + 1];
  while (tooLong - length > 1) {
    const middle = Math.floor((length + tooLong) / 2);
    if (fits(characters.slice(0, middle).join(''))) length = middle;
    else tooLong = middle;
  }
  return characters.slice(0, length).join('');
}
