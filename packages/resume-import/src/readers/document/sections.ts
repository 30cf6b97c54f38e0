import { languageCodes, wordsOf } from 'resume-profile/resume-language';
import type { Block } from '../../source/blocks.ts';
import { type Topic, topicOf } from '../topics.ts';
import { mostFrequent } from './entries.ts';
import { isContactHeading } from './wording.ts';

/** The blocks below a heading. */
export type Section = ReturnType<typeof toSections>['sections'][number];

/**
 * Parts a document at its headings: the lines in a style in which lines name a topic. The name of the person is
 * undefined unless a line is larger than all others on the first page; `preamble` are the other blocks before a heading.
 */
export function toSections(blocks: readonly Block[]) {
  const all = withParted(blocks);
  const name = nameIn(all);
  const styles = headingStylesIn(all.filter((block) => block !== name));
  const isHeading = (block: Block) =>
    canBeHeading(block) && (styles.size > 0 ? styles.has(keyOf(block)) : isKnownHeading(block.text));
  const preamble: Block[] = [];
  const sections: { heading: Block; topic: Topic | 'contact' | undefined; blocks: Block[] }[] = [];
  let current = preamble;
  for (const block of all) {
    // In a layout of columns, the name may stand below the headings of another column.
    if (block === name) current = preamble;
    else if (!isHeading(block)) current.push(block);
    else {
      current = [];
      const topic = isContactHeading(block.text) ? 'contact' : topicOf(block.text);
      sections.push({ heading: block, topic, blocks: current });
    }
  }
  return { name, preamble, sections };
}

const headings = new Set(languageCodes.flatMap((code) => Object.values(wordsOf(code).headings)).map(plain));
function plain(text: string) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a text is a heading in the words of a printed resume, or a few words that name a topic. */
const isKnownHeading = (text: string) =>
  headings.has(plain(text)) || (/^[\p{L}\s&]+:?$/u.test(text) && wordsIn(text) <= 3 && topicOf(text) !== undefined);

const wordsIn = (text: string) => text.split(/\s+/).length;

const canBeHeading = ({ text, cells, isBullet, isLong, isRunning }: Block) =>
  cells.length === 1 &&
  !(isBullet || isLong || isRunning) &&
  text.length <= 60 &&
  /\p{L}/u.test(text) &&
  !/[.,;]$/.test(text);

function keyOf({ level, style, text }: Block): string {
  const isCapitals = text.toUpperCase() === text && text.toLowerCase() !== text;
  return [level, Math.round(style.size * 2), style.isBold, style.font, isCapitals].join(' ');
}

/** The styles of headings: at least two lines, and about a third of all lines in the style, name a topic. */
function headingStylesIn(blocks: readonly Block[]): Set<string> {
  const bodyKey = mostFrequent(blocks.map((block) => [keyOf(block), block.text.length]));
  const groups = [...Map.groupBy(blocks.filter(canBeHeading), keyOf)].map(([key, same]) => {
    const hits = same.filter(({ text }) => wordsIn(text) <= 6 && (topicOf(text) ?? isContactHeading(text)));
    return { key, hits: hits.length, share: hits.length / same.length, size: same[0]!.style.size };
  });
  const headingStyles = groups.filter(({ key, hits, share }) => key !== bodyKey && hits >= 2 && share >= 0.34);
  const largest = Math.max(...headingStyles.map(({ hits }) => hits));
  const main = headingStyles.find(({ hits }) => hits === largest);
  return new Set(headingStyles.filter(({ size, share }) => size > main!.size - 1 || share > 0.6).map(({ key }) => key));
}

/** Splits headings from the text beside them, if they are in a column of their own. */
function withParted(blocks: readonly Block[]): Block[] {
  const beside = blocks.filter(
    ({ cells, isBullet }) => cells.length > 1 && !isBullet && isKnownHeading(cells[0]!.text),
  );
  const parted = beside.filter((block) => {
    const column = beside.filter(({ cells }) => Math.abs(cells[1]!.x - block.cells[1]!.x) < 6);
    return new Set(column.map(({ cells }) => topicOf(cells[0]!.text))).size > 2;
  });
  return blocks.flatMap((block) => {
    if (!parted.includes(block)) return [block];
    const toBlock = (cells: Block['cells']): Block => {
      const { text: _, url: __, ...style } = cells[0]!.spans[0]!;
      return { ...block, cells, text: cells.map(({ text }) => text).join(' '), style };
    };
    return [{ ...toBlock(block.cells.slice(0, 1)), isLong: false }, toBlock(block.cells.slice(1))];
  });
}

function nameIn(blocks: readonly Block[]): Block | undefined {
  const title = blocks.find(({ level }) => level === 0);
  if (title) return title;
  const first = blocks.filter(({ where }) => /^page 1,/.test(where) || !where.startsWith('page'));
  const body = mostFrequent(blocks.map(({ style, text }) => [String(style.size), text.length]));
  const [largest] = first.toSorted((one, other) => other.style.size - one.style.size);
  if (largest && largest.style.size >= 1.25 * Number(body) && isName(largest.text)) return largest;
  const [top] = blocks;
  return top && isName(top.text) && top.cells.length === 1 && topicOf(top.text) === undefined ? top : undefined;
}

const isName = (text: string) =>
  /^[\p{L}\p{M}.'’() -]{2,60}$/u.test(text.split(',')[0]!) && wordsIn(text.split(',')[0]!) <= 6 && text.length < 120;
