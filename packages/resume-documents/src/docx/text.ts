import { ExternalHyperlink, HeadingLevel, type ImageRun, type IRunOptions, Paragraph, Tab, TextRun } from 'docx';
import type { Paragraph as Lines } from 'resume-profile/prose';
import { directionOf } from 'resume-profile/text';
import type { Outline } from '../outline/outline.ts';
import type { Text } from '../outline/part.ts';

export type Inline = TextRun | ExternalHyperlink | ImageRun;

const toProse = (lines: Lines): Text => ({ text: lines.text, paragraphs: [lines] });

const wordsOf = (text: Text): string => (typeof text === 'string' ? text : text.text);

type RunStyle = Omit<IRunOptions, 'text' | 'children'>;

interface ParagraphStyle {
  readonly heading?: 1 | 2 | 3 | 4;
  readonly style?: 'Headline' | 'Contacts' | 'Entry' | 'Date' | 'Footer';
  /** The level of a bullet, from 0. */
  readonly bullet?: number;
  /** The space before it in ems; by default the space of its style. */
  readonly before?: number;
  readonly keepNext?: boolean;
  /** The text that determines the direction; without it, the direction of the document. */
  readonly of?: string;
}

/** The size of text in half points; Word measures lengths in twentieths of a point. */
export const size = 21;
export const nameSize = 66;
export const em = (ems: number): number => Math.round(10 * size * ems);
export const strong = { bold: true };

const right = '\\p{sc=Arabic}\\p{sc=Hebrew}\\p{sc=Syriac}\\p{sc=Thaana}\\p{sc=Nko}\\p{sc=Adlam}';
const hasRight = new RegExp(`[${right}]`, 'u');
/** Stretches of right-to-left letters, and of Latin letters with trailing signs, as in C++. */
const stretches = new RegExp(
  `([${right}](?:[^\\p{sc=Latin}]*[${right}])?|\\p{sc=Latin}(?:[^${right}]*\\p{sc=Latin})?[+#]*)`,
  'u',
);
/** Other scripts have no italics. */
const isUpright = /[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]/u;

/**
 * Sets a text, which may have several lines. Word takes the direction of signs from their run, so letters in the opposite
 * direction get runs of their own.
 */
export function toRuns(
  text: string,
  { italics = false, ...style }: RunStyle = {},
  isRight = directionOf(text) === 'rtl',
): TextRun[] {
  return printable(text)
    .split('\n')
    .flatMap((line, index) => {
      const parts = hasRight.test(line) ? line.split(stretches).filter((part) => part !== '') : [line];
      return parts.map((part, at) => {
        const isFromRight = hasRight.test(part) || (isRight && !/\p{L}/u.test(part));
        const isNewLine = index > 0 && at === 0;
        return new TextRun({
          ...style,
          text: part,
          ...(italics && !isUpright.test(part) && { italics }),
          ...(isFromRight && { rightToLeft: true }),
          ...(isNewLine && { break: 1 }),
        });
      });
    });
}

/** Removes characters that XML does not allow or that were lost, and tabs, which would move the text to a tab stop. */
export const printable = (text: string): string =>
  text.replace(/(?!\n)\p{Cc}/gu, ' ').replace(/[\p{Cs}\ufffd-\uffff]/gu, '');

/** Sets a text as a link, in the style of addresses by default. */
export const toLink = (url: string, text: string, style: RunStyle = { style: 'Hyperlink' }): Inline =>
  new ExternalHyperlink({ link: url, children: toRuns(text, style) });

/** Sets a text, or the lines of a text with marks; `url` is the target of the parts that are not links themselves. */
export function toInlines(text: Text, style: RunStyle = {}, url?: string): Inline[] {
  const set = (runs: TextRun[], to = url): Inline[] =>
    to === undefined ? runs : [new ExternalHyperlink({ link: to, children: runs })];
  const linked = url === undefined ? style : { ...style, style: 'Linked' };
  if (typeof text === 'string') return set(toRuns(text, linked));
  if (text.paragraphs === undefined) return set(toRuns(text.text, linked));
  return text.paragraphs.flatMap((it, index) => [
    ...(index === 0 ? [] : [new TextRun({ break: 1 })]),
    ...toMarked(it, linked).flatMap(({ runs, url: own }) => set(runs, own)),
  ]);
}

/** The runs of some lines in the direction of their first letter that is not in code. */
function toMarked({ runs }: Lines, style: RunStyle): { runs: TextRun[]; url: string | undefined }[] {
  const isRight = directionOf(runs.map(({ text, isCode }) => (isCode ? '' : text)).join('')) === 'rtl';
  return runs.map(({ text, isStrong, isEmphasis, isCode, url }) => ({
    url,
    runs: toRuns(
      text,
      {
        ...style,
        // In a script without italics, bold is the emphasis.
        ...((isStrong || (isEmphasis && isUpright.test(text))) && strong),
        ...(isEmphasis && { italics: true }),
        ...(isCode && { font: 'Consolas' }),
        ...(url !== undefined && { style: 'Hyperlink' }),
      },
      isCode ? undefined : isRight,
    ),
  }));
}

/** Returns functions that set paragraphs, and the separators of texts, in the direction of a document. */
export function setterOf(direction: Outline['direction']) {
  const isRight = direction === 'rtl';
  /** Sets a text without letters, such as a separator or years, in the direction of the document. */
  const neutral = (text: string, style: RunStyle = {}): TextRun[] =>
    /\p{L}/u.test(text) ? toRuns(text, style) : toRuns(text, { ...style, ...(isRight && { rightToLeft: true }) });
  const paragraph = (
    children: readonly Inline[],
    { heading, style, bullet, before, keepNext, of = '' }: ParagraphStyle = {},
  ): Paragraph =>
    new Paragraph({
      children: [...children],
      ...((/\p{L}/u.test(of) ? directionOf(of) === 'rtl' : isRight) && { bidirectional: true }),
      ...(heading && { heading: HeadingLevel[`HEADING_${heading}`] }),
      ...(style && { style }),
      ...(bullet !== undefined && { numbering: { reference: 'bullets', level: bullet } }),
      ...(before !== undefined && { spacing: { before: em(before) } }),
      ...(keepNext && { keepNext }),
    });
  /** A list. The last two items are kept together, so that no page begins with the last. */
  const bullets = (texts: readonly Text[], before = 0, level = 0): Paragraph[] =>
    texts.flatMap((text, index) => [
      paragraph(toInlines(text), {
        of: wordsOf(text),
        bullet: level,
        before: index === 0 ? before : 0,
        keepNext: index === texts.length - 2,
      }),
      ...bulletsOf(text, level + 1),
    ]);
  const bulletsOf = (text: Text, level: number): Paragraph[] =>
    typeof text === 'string' ? [] : (text.paragraphs ?? []).flatMap((it) => bullets(it.bullets.map(toProse), 0, level));
  return {
    bullets,
    /** A text as paragraphs, each with its bullets. */
    prose: (text: Text, before = 0): Paragraph[] =>
      typeof text === 'string' || text.paragraphs === undefined
        ? [paragraph(toInlines(text), { before, of: wordsOf(text) })]
        : text.paragraphs.flatMap((it, index) => [
            ...(it.runs.length === 0
              ? []
              : [paragraph(toInlines(toProse(it)), { before: index === 0 ? before : 0, of: it.text })]),
            ...bullets(it.bullets.map(toProse), it.runs.length === 0 && index === 0 ? before : 0),
          ]),
    neutral,
    joined: (parts: readonly (readonly Inline[])[], separator: string, style: RunStyle = {}): Inline[] =>
      parts.flatMap((part, index) => (index === 0 ? part : [...neutral(separator, style), ...part])),
    /** A tab to the stop that headings of entries have at the end of the line. */
    tab: (): TextRun => new TextRun({ children: [new Tab()], ...(isRight && { rightToLeft: true }) }),
    paragraph,
  };
}
export type Setter = ReturnType<typeof setterOf>;
