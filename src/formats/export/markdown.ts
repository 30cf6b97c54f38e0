import type { Profile } from '../../model/profile-document.ts';
import { type Part, type Span, toOutline } from './outline.ts';

/** The profile as Markdown (CommonMark); its texts print literally, whatever they hold. */
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

/** One line of Markdown that prints as the text itself. */
const toLiteral = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\`*[\]<~$]/g, '\\$&')
    // Inside a word an underscore is nothing but itself.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(entity, '\\&')
    // What makes a line a quote, a list item or a rule; a # that begins a heading, or closes one.
    .replace(/^>|^[-+=](?=[-=\s]|$)|(?<=^|\s)#/g, '\\$&')
    .replace(/^\d+(?=[.)](?:\s|$))/, '$&\\');
