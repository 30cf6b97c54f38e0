import { ExternalHyperlink, HeadingLevel, type ImageRun, type IRunOptions, Paragraph, Tab, TextRun } from 'docx';
import { directionOf } from '../../../model/text.ts';
import type { Outline } from '../../outline/outline.ts';

export type Inline = TextRun | ExternalHyperlink | ImageRun;
type RunStyle = Omit<IRunOptions, 'text' | 'children'>;

interface ParagraphStyle {
  readonly heading?: 1 | 2 | 3 | 4;
  readonly style?: 'Headline' | 'Contacts' | 'Entry' | 'Date' | 'Footer';
  readonly isBullet?: boolean;
  /** The space before it in ems, unless its style has it. */
  readonly before?: number;
  readonly keepNext?: boolean;
}

/** The size of text in half points; Word measures lengths in twentieths of a point. */
export const size = 21;
export const em = (ems: number): number => Math.round(10 * size * ems);
export const strong = { bold: true };

const right = '\\p{sc=Arabic}\\p{sc=Hebrew}\\p{sc=Syriac}\\p{sc=Thaana}\\p{sc=Nko}\\p{sc=Adlam}';
const hasRight = new RegExp(`[${right}]`, 'u');
/** Stretches of letters from right to left, and of Latin letters with the signs at their end, as in C++. */
const stretches = new RegExp(
  `([${right}](?:[^\\p{sc=Latin}]*[${right}])?|\\p{sc=Latin}(?:[^${right}]*\\p{sc=Latin})?[+#]*)`,
  'u',
);
/** Other scripts have no italics. */
const isUpright = /[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]/u;

/**
 * Sets a text, which may have several lines. Word takes the direction of signs from their run, so letters of another
 * direction than the text's are runs of their own.
 */
export function toRuns(text: string, { italics = false, ...style }: RunStyle = {}): TextRun[] {
  const isRight = directionOf(text) === 'rtl';
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

/** A text without what XML cannot have, and without tabs, which would move it. */
const printable = (text: string): string => text.replace(/(?!\n)\p{Cc}/gu, ' ').replace(/[\ufffe\uffff]/g, '\ufffd');

/** Sets a text as a link, as an address unless it has a style. */
export const toLink = (url: string, text: string, style: RunStyle = { style: 'Hyperlink' }): Inline =>
  new ExternalHyperlink({ link: url, children: toRuns(text, style) });

/** Returns what sets paragraphs, and what stands between texts, in the direction of a document. */
export function setterOf(direction: Outline['direction']) {
  const isRight = direction === 'rtl';
  /** Sets a text without letters, such as a separator or years, which runs with the document. */
  const neutral = (text: string, style: RunStyle = {}): TextRun[] =>
    /\p{L}/u.test(text) ? toRuns(text, style) : toRuns(text, { ...style, ...(isRight && { rightToLeft: true }) });
  return {
    neutral,
    joined: (parts: readonly (readonly Inline[])[], separator: string, style: RunStyle = {}): Inline[] =>
      parts.flatMap((part, index) => (index === 0 ? part : [...neutral(separator, style), ...part])),
    /** A step to the end of the line, at the tab stop that headings of entries have there. */
    tab: (): TextRun => new TextRun({ children: [new Tab()], ...(isRight && { rightToLeft: true }) }),
    paragraph: (
      children: readonly Inline[],
      { heading, style, isBullet, before, keepNext }: ParagraphStyle = {},
    ): Paragraph =>
      new Paragraph({
        children: [...children],
        ...(isRight && { bidirectional: true }),
        ...(heading && { heading: HeadingLevel[`HEADING_${heading}`] }),
        ...(style && { style }),
        ...(isBullet && { numbering: { reference: 'bullets', level: 0 } }),
        ...(before !== undefined && { spacing: { before: em(before) } }),
        ...(keepNext && { keepNext }),
      }),
  };
}
export type Setter = ReturnType<typeof setterOf>;
