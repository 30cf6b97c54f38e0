import type { Profile } from '../../model/profile/profile-document.ts';
import { toOutline } from './outline.ts';
import type { Block, Span } from './part.ts';

/** Writes a profile as Markdown (CommonMark), with its texts escaped. */
export const toMarkdown = (profile: Profile): string => `${toBlocks(toOutline(profile), 1).join('\n\n')}\n`;

function toBlocks(block: Block, level: number): string[] {
  if ('spans' in block) return [block.spans.map(toInline).join(block.separator)];
  if ('points' in block) return [block.points.map((point) => `- ${toLiteral(point)}`).join('\n')];
  const { heading, beside, dates, blocks } = block;
  return [
    ...(heading === '' ? [] : [`${'#'.repeat(level)} ${toLiteral(heading + beside)}`]),
    ...(dates === '' ? [] : [`*${toLiteral(dates)}*`]),
    ...blocks.flatMap((inner) => toBlocks(inner, heading === '' ? level : level + 1)),
  ];
}

function toInline(span: Span): string {
  if (typeof span === 'string') return toLiteral(span);
  if ('strong' in span) return `**${toLiteral(span.strong)}**`;
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
