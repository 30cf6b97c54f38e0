import type { Profile } from '../../model/profile-document.ts';
import { type Part, type Span, toOutline } from './outline.ts';

const columns = 80;

/** The profile as plain text, at most 80 columns wide but for addresses that are longer. */
export const toPlainText = (profile: Profile): string => `${toBlocks(toOutline(profile), 1).join('\n\n')}\n`;

function toBlocks({ heading, note, paragraphs, points, parts }: Part, level: number): string[] {
  const indent = level > 3 ? '  ' : '';
  const title = wrapped(note === '' ? heading : `${heading} (${note})`, indent, indent);
  const rule = [undefined, '=', '-'][level]?.repeat(Math.max(...title.split('\n').map(widthOf)));
  return [
    rule === undefined ? title : `${title}\n${rule}`,
    ...paragraphs.map((spans) => wrapped(spans.map(toText).join(' · '), indent, indent)),
    ...(points.length === 0 ? [] : [points.map((point) => wrapped(point, `${indent}- `, `${indent}  `)).join('\n')]),
    ...parts.flatMap((inner) => toBlocks(inner, level + 1)),
  ];
}

const toText = (span: Span): string => {
  if (typeof span === 'string') return span;
  return span.label === undefined ? span.url : `${span.label}: ${span.url}`;
};

const wide =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\u3000-\\u303f\\uff01-\\uff60\\p{Emoji_Presentation}';
// A line may break after a space and, in scripts that have none, after any character.
const pieces = new RegExp(`[${wide}]\\p{M}*\\s*|[^\\s${wide}]+\\s*`, 'gu');
const wideCharacter = new RegExp(`[${wide}]`, 'gu');

/** Columns on a terminal: none for marks and what is invisible, two for a wide character. */
const widthOf = (text: string): number =>
  Array.from(text.replace(/[\p{M}\p{Cf}]/gu, '').replace(wideCharacter, '__')).length;

/** Both beginnings of a line are equally wide. */
function wrapped(text: string, first: string, rest: string): string {
  const lines: string[] = [];
  for (const piece of text.replace(/[\s\p{Cc}]+/gu, ' ').match(pieces) ?? []) {
    const line = lines.at(-1);
    const isRoomLeft = line !== undefined && widthOf(rest + line + piece.trimEnd()) <= columns;
    if (isRoomLeft) lines[lines.length - 1] += piece;
    else lines.push(piece);
  }
  return lines.map((line, index) => (index === 0 ? first : rest) + line.trimEnd()).join('\n');
}
