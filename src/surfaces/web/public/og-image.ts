import { html } from 'hono/html';
import { accentsOf } from 'resume-profile/accent';
import { toVisible } from 'resume-profile/text';
import { type Document, documentOf, keepLatest } from '../../rest/documents.ts';
import type { Html } from '../page.ts';
import { headingOf, type PublicProfile } from './public-profile.ts';

/** Draws SVG with the faces of the pages, Source Serif 4 and Source Sans 3, and others for characters they lack. */
export interface SvgRenderer {
  toPng(svg: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the width in pixels of an SVG document's content; 0 if it shows nothing. */
  widthOf(svg: string): number;
  /** Returns an SVG document with text as outlines. */
  toOutlines(svg: string): string;
}

/** The content of the picture in addition to the public part of the profile. */
interface OgStyle {
  readonly accent: string;
  readonly address: string;
}

/** In pixels: the size that link previews ask for. */
export const ogSize = { width: 1200, height: 630 };

const margin = 96;
const width = ogSize.width - 2 * margin;
const ruleTop = 500;
const face = { serif: 'Source Serif 4', sans: 'Source Sans 3' };
const colour = { paper: '#fcfbf8', ink: '#1b1d1f', soft: '#5c6268' };

/** Returns a function that draws `/og.png` for the first request, and again only if its content has changed. */
export function openOgImage(openRenderer: () => Promise<SvgRenderer>) {
  const latest = keepLatest<Document>();
  return (profile: PublicProfile, style: OgStyle): Promise<Document> =>
    latest(JSON.stringify([profile, style]), async () => {
      const renderer = await openRenderer();
      return documentOf('image/png', await renderer.toPng(ogSvgOf(profile, style, renderer)));
    });
}

/** Draws the picture as SVG: name and title if they are public and can be drawn, and the address. */
export function ogSvgOf(profile: PublicProfile, { accent, address }: OgStyle, renderer: SvgRenderer): string {
  const measureIn = (family: string): Measure => {
    return (text, size) => renderer.widthOf(svgOf(textOf(text, family, size)));
  };
  const texts = [headingOf(profile), profile.title ?? ''].map((text) => drawableOf(text, renderer));
  const [heading = headingOf({}), title = ''] = texts.filter((text) => text !== '');
  const first = fitted(heading, { width, maxLines: 2, sizes: [96, 80, 64, 52] }, measureIn(face.serif));
  const second = fitted(title, { width, maxLines: 2, sizes: [42, 36] }, measureIn(face.sans));
  const last = fitted(address, { width, maxLines: 1, sizes: [28] }, measureIn(face.sans));
  const gap = title === '' ? 0 : 28;
  const top = (ruleTop - heightOf(first) - gap - heightOf(second)) / 2;
  return svgOf(html`<rect width="${ogSize.width}" height="${ogSize.height}" fill="${colour.paper}"/>
${linesOf(first, face.serif, colour.ink, top)}
${linesOf(second, face.sans, colour.soft, top + heightOf(first) + gap)}
<rect x="${margin}" y="${ruleTop}" width="${width}" height="4" fill="${accentsOf(accent).light}"/>
${linesOf(last, face.sans, colour.soft, ruleTop + 32)}`);
}

const svgOf = (content: Html): string =>
  String(
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${ogSize.width}" height="${ogSize.height}">${content}</svg>`,
  );

const textOf = (text: string, family: string, size: number, x = 0, y = size, fill: string = colour.ink): Html =>
  html`<text x="${x}" y="${y}" font-family="${family}" font-size="${size}" fill="${fill}">${text}</text>`;

const lineHeight = 1.2;

const heightOf = ({ lines, size }: FittedText): number => lines.length * size * lineHeight;

const linesOf = ({ lines, size }: FittedText, family: string, fill: string, top: number): Html =>
  html`${lines.map((line, index) => textOf(line, family, size, margin, Math.round(top + size * (1 + index * lineHeight)), fill))}`;

/**
 * Returns a text as it can be drawn, in one line: without emoji and other symbols that the faces lack; empty if they
 * lack a letter, because a name with boxes in it is worse than none.
 */
function drawableOf(text: string, renderer: SvgRenderer): string {
  const outlinesOf = (character: string) => renderer.toOutlines(svgOf(textOf(character, face.serif, 100)));
  // A noncharacter, which no face has.
  const missing = outlinesOf('\u{10ffff}');
  const characters = Array.from(toVisible(withoutEmoji(text)));
  const lacking = new Set([...new Set(characters)].filter((character) => outlinesOf(character) === missing));
  if ([...lacking].some((character) => /[\p{L}\p{M}\p{N}]/u.test(character))) return '';
  return characters
    .filter((character) => !lacking.has(character))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

// An emoji may take several characters, and a part of them may have another meaning.
const withoutEmoji = (text: string): string =>
  Array.from(graphemes.segment(text), ({ segment }) =>
    /\p{Emoji_Presentation}|[\ufe0f\u20e3]/u.test(segment) ? '' : segment.replaceAll('\ufe0e', ''),
  ).join('');

/** Text in lines of one size, which fit into a space; empty text has no line. */
interface FittedText {
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
type Measure = (text: string, size: number) => number;

/** More than fits into a picture: a longer text is cut before it is measured. */
const maxCharacters = 300;

/** Breaks a text into lines in the largest size that fits. In the smallest, its end is cut. */
export function fitted(text: string, { width, maxLines, sizes }: Space, measure: Measure): FittedText {
  const characters = [...graphemes.segment(text)].slice(0, maxCharacters).map(({ segment }) => segment);
  /** Returns the lines of the first characters and an end in a size; null if they don't fit. */
  const linesIn = (size: number, count = characters.length, end = ''): string[] | null => {
    const words = `${characters.slice(0, count).join('').trimEnd()}${end}`.split(' ');
    const lines = toLines(words, (line) => measure(line, size) <= width);
    return lines !== null && lines.length <= maxLines ? lines : null;
  };
  for (const size of sizes) {
    const lines = linesIn(size);
    if (lines !== null) return { size, lines };
  }
  const size = sizes.at(-1)!;
  // By bisection: each measurement takes a third of a millisecond.
  let [fits, isTooMany] = [0, characters.length];
  while (isTooMany - fits > 1) {
    const middle = Math.floor((fits + isTooMany) / 2);
    if (linesIn(size, middle, '…') === null) isTooMany = middle;
    else fits = middle;
  }
  return { size, lines: linesIn(size, fits, '…') ?? ['…'] };
}

/** Fills lines with words; null if a word is too wide for a line. */
function toLines(words: readonly string[], fits: (line: string) => boolean): string[] | null {
  const lines: string[] = [];
  for (const word of words.filter((one) => one !== '')) {
    const longer = [...lines.slice(-1), word].join(' ');
    if (fits(longer)) lines.splice(-1, 1, longer);
    else if (fits(word)) lines.push(word);
    else return null;
  }
  return lines;
}
