import { nonEmpty } from 'resume-profile/non-empty';
import type { Profile } from 'resume-profile/profile-document';
import type { Run } from 'resume-profile/prose';
import stringWidth from 'string-width';
import { type Bullet, type Flow, toFlow } from './flow.ts';

const columns = 80;

/**
 * Writes a profile as plain text, with the marks of its texts as written, at most 80 columns wide except for longer addresses.
 */
export const toPlainText = (profile: Profile): string => `${toBlocks(toFlow(profile, false), 1).join('\n\n')}\n`;

function toBlocks(block: Flow, level: number): string[] {
  // Content below the third level is indented like its heading.
  const indentOf = (level: number) => (level > 3 ? '  ' : '');
  const indent = indentOf(level - 1);
  if ('spans' in block) return [wrapped(block.spans.map(toText).join(block.separator), indent, indent)];
  if ('bullets' in block) return [block.bullets.flatMap((bullet) => toItem(bullet, indent)).join('\n')];
  const { heading, beside, dates, blocks } = block;
  const title = nonEmpty(heading + beside, heading === '' ? dates : dates && `(${dates})`).join(' ');
  return [
    ...(title === '' ? [] : [toTitle(wrapped(title, indentOf(level), indentOf(level)), level)]),
    ...blocks.flatMap((inner) => toBlocks(inner, level + 1)),
  ];
}

function toTitle(title: string, level: number): string {
  const rule = [undefined, '=', '-'][level]?.repeat(Math.max(...title.split('\n').map((line) => stringWidth(line))));
  return rule === undefined ? title : `${title}\n${rule}`;
}

/** A bullet as lines, with the bullets below it. */
const toItem = ({ lines: [first, ...others], bullets }: Bullet, indent: string): string[] => [
  wrapped((first ?? []).map(toText).join(''), `${indent}- `, `${indent}  `),
  ...others.map((line) => wrapped(line.map(toText).join(''), `${indent}  `, `${indent}  `)),
  ...bullets.flatMap((bullet) => toItem(bullet, `${indent}  `)),
];

const toText = ({ text, url = text }: Run): string => (text === url ? text : `${text}: ${url}`);

const wide =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\u3000-\\u303f\\uff01-\\uff60\\p{Emoji_Presentation}';
// A line may break after a space and, in scripts without spaces, after any character.
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
