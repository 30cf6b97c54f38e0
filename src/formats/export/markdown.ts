import type { Profile } from '../../model/profile/profile-document.ts';
import { type Flow, type Span, toFlow } from './flow.ts';

/** Writes a profile as Markdown (CommonMark), with its texts escaped. */
export const toMarkdown = (profile: Profile): string => `${toBlocks(toFlow(profile), 1).join('\n\n')}\n`;

function toBlocks(block: Flow, level: number): string[] {
  if ('spans' in block) return [block.spans.map(toInline).join(block.separator)];
  if ('bullets' in block) return [block.bullets.map((bullet) => `- ${toLiteral(bullet)}`).join('\n')];
  const { heading, beside, dates, blocks } = block;
  return [
    ...(heading === '' ? [] : [`${'#'.repeat(level)} ${toLiteral(heading + beside)}`]),
    ...(dates === '' ? [] : [`*${toLiteral(dates)}*`]),
    ...blocks.flatMap((inner) => toBlocks(inner, heading === '' ? level : level + 1)),
  ];
}

function toInline({ text, url, isStrong }: Span): string {
  if (isStrong) return `**${toLiteral(text)}**`;
  if (url === undefined) return toLiteral(text);
  const address = `<${url.replace(entity, '&amp;')}>`;
  return text === url ? address : `[${toLiteral(text)}](${address})`;
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
