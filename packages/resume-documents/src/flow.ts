import { nonEmpty } from 'resume-profile/non-empty';
import type { Profile } from 'resume-profile/profile-document';
import type { Paragraph as Lines, Run } from 'resume-profile/prose';
import { type Outline, toOutline } from './outline/outline.ts';
import { type Block, type Item, type Part, worded } from './outline/part.ts';

/** A run, or an item as a run. */
export interface Span extends Run, Pick<Item, 'kind'> {}

/** Spans with a separator between them. */
interface Paragraph {
  readonly spans: readonly Span[];
  readonly separator: string;
}

interface List {
  readonly bullets: readonly Bullet[];
}

/** A bullet, with the bullets below it. */
export interface Bullet extends List {
  readonly lines: readonly (readonly Run[])[];
}

/** A heading and the content below it, from the whole resume down to one role. */
interface Chapter {
  /** Empty for content that has no name. */
  readonly heading: string;
  /** The text after the heading on its line, with its punctuation: `, Watergauge · Uppsala`. */
  readonly beside: string;
  readonly dates: string;
  readonly blocks: readonly Flow[];
}

export type Flow = Paragraph | List | Chapter;

/**
 * The outline of a profile as headings, paragraphs and lists in one column, for Markdown, plain text and HTML. Marks are
 * interpreted, or left as written.
 */
export function toFlow(
  profile: Profile,
  areMarksRead = true,
): Chapter & Pick<Outline, 'language' | 'direction' | 'words'> {
  const { language, direction, words, sections, ...resume } = toOutline(profile);
  const { comma } = words;

  function toBlocks(block: Block): Flow[] {
    if ('bullets' in block)
      return [
        {
          bullets: block.bullets.map((it) =>
            typeof it === 'string' ? { lines: [[{ text: it }]], bullets: [] } : toBullet(it.paragraphs),
          ),
        },
      ];
    if ('items' in block) {
      const { key, label, items } = block;
      const spans = items.map(
        ({ url, kind, ...item }): Span => ({ text: worded(item), ...(kind && { kind }), ...(url && { url }) }),
      );
      if (label) return labelled(label, [{ text: spans.map(({ text }) => text).join(comma) }]);
      if (spans.length === 1) return items[0]!.paragraphs?.flatMap(toParagraphs) ?? linesOf(spans).map(toParagraph);
      return [{ spans, separator: key === 'contacts' || key === 'links' || key === 'facts' ? ' · ' : comma }];
    }
    const { names, isLine } = block;
    const [label, details] = names;
    const content = block.blocks.flatMap(toBlocks);
    if (isLine)
      return label
        ? [...labelled(label, details && (details.paragraphs?.flatMap(runsOf) ?? [{ text: details.text }])), ...content]
        : content;
    // The summary, and roles at a company without a name, have no heading above them.
    const isBare = label === undefined && ('key' in block || block.blocks.some((inner) => 'names' in inner));
    return isBare ? content : [{ ...toHead(block), blocks: content }];
  }

  function toHead({ names, place, dates }: Omit<Part, 'blocks'>) {
    const [heading, ...others] = names.map(worded);
    return {
      heading: heading ?? place ?? '',
      beside:
        heading === undefined ? '' : [others.map((name) => comma + name).join(''), ...nonEmpty(place)].join(' · '),
      dates: dates.map(({ text }) => text).join(' – '),
    };
  }

  const runsOf = ({ text, runs }: Lines): readonly Run[] => (areMarksRead ? runs : [{ text }]);

  /** The paragraphs of some lines, a paragraph for each line, and the list below them. */
  const toParagraphs = (lines: Lines): Flow[] => [
    ...linesOf(runsOf(lines)).map(toParagraph),
    ...(lines.bullets.length === 0 ? [] : [{ bullets: lines.bullets.map((it) => toBullet([it])) }]),
  ];

  const toBullet = (paragraphs: readonly Lines[]): Bullet => ({
    lines: paragraphs.flatMap((it) => linesOf(runsOf(it))),
    bullets: paragraphs.flatMap(({ bullets }) => bullets.map((it) => toBullet([it]))),
  });

  const blocks = [...resume.blocks, ...sections].flatMap(toBlocks);
  return { language, direction, words, ...toHead({ ...resume, dates: [] }), blocks };
}

const toParagraph = (spans: readonly Span[]): Paragraph => ({ spans, separator: '' });

const labelled = (label: Item, runs: readonly Run[] = []): Paragraph[] => [
  toParagraph([
    { text: runs.length === 0 ? worded(label) : `${worded(label)}:`, isStrong: true },
    ...(runs.length === 0 ? [] : [{ text: ' ' }, ...runs]),
  ]),
];

/** Divides runs into lines, without blank lines. */
function linesOf<Text extends Run>(runs: readonly Text[]): Text[][] {
  const lines: Text[][] = [[]];
  for (const run of runs) {
    const [first, ...others] = run.text.split('\n').map((text) => ({ ...run, text }));
    lines.at(-1)!.push(first!);
    lines.push(...others.map((it) => [it]));
  }
  return lines.filter((line) => line.some(({ text }) => /\S/.test(text)));
}
