import type { Profile } from '../../model/profile-document.ts';
import { type Part, type Span, toOutline } from './outline.ts';

/** Writes a profile as Markdown (CommonMark), with its texts escaped. */
export const toMarkdown = (profile: Profile): string => `${toBlocks(toOutline(profile), 1).join('\n\n')}\n`;

function toBlocks({ heading, note, paragraphs, points, parts }: Part, level: number): string[] {
  return [
    `${'#'.repeat(level)} ${toLiteral(heading)}`,
    ...(note === '' ? [] : [`*${toLiteral(note)}*`]),
    ...paragraphs.map((spans) => spans.map(toInline).join(' · ')),
    ...(points.length === 0 ? [] : [points.map((point) => `- ${toLiteral(point)}`).join('\n')]),
    ...parts.flatMap((inner) => toBlocks(inner, level + 1)),
  ];
}

function toInline(span: Span): string {
  if (typeof span === 'string') return toLiteral(span);
  const url = span.url.replace(entity, '&amp;');
  return span.label === undefined ? `<${url}>` : `[${toLiteral(span.label)}](<${url}>)`;
}

const entity = /&(?=#?\w+;)/g;

/** Escapes a text as one line of Markdown. */
const toLiteral = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\`*[\]<~$]/g, '\\$&')
    // An underscore inside a word is not markup.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(entity, '\\&')
    // Characters that begin a quote, a list item or a rule; a # that begins or closes a heading.
    .replace(/^>|^[-+=](?=[-=\s]|$)|(?<=^|\s)#/g, '\\$&')
    .replace(/^\d+(?=[.)](?:\s|$))/, '$&\\');
