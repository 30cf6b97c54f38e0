import { toMarkedText } from 'resume-profile/marked-text';
import type { Profile } from 'resume-profile/profile-document';
import type { Run } from 'resume-profile/prose';
import { type Bullet, type Flow, toFlow } from './flow.ts';

/** Writes a profile as Markdown (CommonMark), with its texts escaped except for the marks in them. */
export const toMarkdown = (profile: Profile): string => `${toBlocks(toFlow(profile), 1).join('\n\n')}\n`;

function toBlocks(block: Flow, level: number): string[] {
  if ('spans' in block) {
    const { spans, separator } = block;
    return [separator === '' ? toLine(spans) : spans.map((span) => toLine([span])).join(separator)];
  }
  if ('bullets' in block) return [block.bullets.flatMap(toItem).join('\n')];
  const { heading, beside, dates, blocks } = block;
  return [
    ...(heading === '' ? [] : [`${'#'.repeat(level)} ${toLine([{ text: heading + beside }])}`]),
    ...(dates === '' ? [] : [`*${toLine([{ text: dates }])}*`]),
    ...blocks.flatMap((inner) => toBlocks(inner, heading === '' ? level : level + 1)),
  ];
}

/** A bullet as lines, with the bullets below it. */
const toItem = ({ lines, bullets }: Bullet): string[] => {
  const [first = '', ...others] = lines.map(toLine);
  return [
    `- ${first}`,
    ...[...others.map((line) => `\n  ${line}\n`), ...bullets.flatMap(toItem).map((line) => `  ${line}`)],
  ];
};

/** Writes runs as one line. */
function toLine(runs: readonly Run[]): string {
  const [first, ...others] = runs;
  if (others.length === 0 && first?.text === first?.url) return `<${withoutEntities(first!.text)}>`;
  const line = toMarkedText(runs, { text: toLiteral, address: (url) => `<${withoutEntities(url)}>` });
  return (
    line
      .trim()
      // Characters that begin a quote, a list item or a rule.
      .replace(/^>|^[-+=](?=[-=\s]|$)/g, '\\$&')
      .replace(/^\d+(?=[.)](?:\s|$))/, '$&\\')
  );
}

const withoutEntities = (text: string) => text.replace(entity, '&amp;');

const entity = /&(?=#?\w+;)/g;

/** Writes a text without marks as one line of Markdown, in which nothing is markup. */
export const toMarkdownLine = (text: string): string => toLine([{ text }]);

/** Escapes a text within a line of Markdown. */
const toLiteral = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\\`*[\]<~$]/g, '\\$&')
    // An underscore inside a word is not markup.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(entity, '\\&')
    // A # that begins or closes a heading.
    .replace(/(?<=^|\s)#/g, '\\$&');
