import stringWidth from 'string-width';
import type { Profile } from '../../model/profile-document.ts';
import { type Part, type Span, toOutline } from './outline.ts';

const columns = 80;

/** Writes a profile as plain text, at most 80 columns wide except for addresses that are longer. */
export const toPlainText = (profile: Profile): string => `${toBlocks(toOutline(profile), 1).join('\n\n')}\n`;

function toBlocks({ heading, note, paragraphs, points, parts }: Part, level: number): string[] {
  const indent = level > 3 ? '  ' : '';
  const title = wrapped(note === '' ? heading : `${heading} (${note})`, indent, indent);
  const rule = [undefined, '=', '-'][level]?.repeat(Math.max(...title.split('\n').map((line) => stringWidth(line))));
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

/** Wraps a text at the columns of a terminal; both indents are equally wide. */
function wrapped(text: string, firstIndent: string, indent: string): string {
  const lines: string[] = [];
  let width = 0;
  for (const piece of text.replace(/[\s\p{Cc}]+/gu, ' ').match(pieces) ?? []) {
    if (lines.length > 0 && width + stringWidth(piece.trimEnd()) <= columns) lines[lines.length - 1] += piece;
    else {
      lines.push(piece);
      width = indent.length;
    }
    width += stringWidth(piece);
  }
  return lines.map((line, index) => (index === 0 ? firstIndent : indent) + line.trimEnd()).join('\n');
}
