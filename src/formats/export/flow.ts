import type { Profile } from '../../model/profile/profile-document.ts';
import { given } from '../given.ts';
import { type Outline, toOutline } from '../outline/outline.ts';
import { type Block, type Item, type List, type Part, worded } from '../outline/part.ts';

export interface Span extends Pick<Item, 'text' | 'url'> {
  readonly isStrong?: true;
}

/** Spans with a separator between them. */
interface Paragraph {
  readonly spans: readonly Span[];
  readonly separator: string;
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

/** The outline of a profile as headings, paragraphs and lists in one column, for Markdown, plain text and HTML. */
export function toFlow(profile: Profile): Chapter & Pick<Outline, 'language' | 'words'> {
  const { language, words, sections, ...resume } = toOutline(profile);
  const { comma } = words;

  function toBlocks(block: Block): Flow[] {
    if ('bullets' in block) return [block];
    if ('items' in block) {
      const { key, label, items } = block;
      const spans = items.map(({ url, ...item }) => ({ text: worded(item), url }));
      if (label) return labelled(label, spans.map(({ text }) => text).join(comma));
      if (spans.length === 1) return lines(spans[0]!).map((span) => ({ spans: [span], separator: '' }));
      return [{ spans, separator: key === 'contacts' || key === 'links' || key === 'facts' ? ' · ' : comma }];
    }
    const { names, isLine } = block;
    const [label, details] = names;
    const content = block.blocks.flatMap(toBlocks);
    if (isLine) return label ? [...labelled(label, details?.text), ...content] : content;
    // The summary, and roles at a company without a name, have no heading above them.
    const isBare = label === undefined && ('key' in block || block.blocks.some((inner) => 'names' in inner));
    return isBare ? content : [{ ...toHead(block), blocks: content }];
  }

  function toHead({ names, place, dates }: Omit<Part, 'blocks'>) {
    const [heading, ...others] = names.map(worded);
    return {
      heading: heading ?? place ?? '',
      beside: heading === undefined ? '' : [others.map((name) => comma + name).join(''), ...given(place)].join(' · '),
      dates: dates.map(({ text }) => text).join(' – '),
    };
  }

  const blocks = [...resume.blocks, ...sections].flatMap(toBlocks);
  return { language, words, ...toHead({ ...resume, dates: [] }), blocks };
}

const labelled = (label: Item, text?: string): Paragraph[] => [
  {
    spans: [
      { text: text === undefined ? worded(label) : `${worded(label)}:`, isStrong: true },
      ...given(text).map((text) => ({ text })),
    ],
    separator: ' ',
  },
];

/** The paragraphs of a text, one a line. */
const lines = (span: Span): Span[] =>
  span.text.split(/\n+/).flatMap((text) => (/\S/.test(text) ? [{ ...span, text }] : []));
