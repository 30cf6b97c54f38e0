/** A document of pages or paragraphs as a parser finds it, before anything is known of its content. */
export type TextDocument =
  | {
      readonly kind: 'PDF';
      /** The names of the programs that made it; empty if the file does not say. */
      readonly program: string;
      readonly pages: readonly Page[];
      /** The content of `attachmentName`, if it is attached. */
      readonly attachedProfile: string | null;
    }
  | { readonly kind: 'DOCX'; readonly paragraphs: readonly Paragraph[] };

export interface Page {
  readonly runs: readonly Run[];
}

/** A text in one style, and the address that it links to. Lengths are in points. */
export interface Run {
  readonly font: string;
  readonly size: number;
  readonly isBold: boolean;
  readonly text: string;
  /** From the left edge of the page. */
  readonly x: number;
  /** From the upper edge of the page to the baseline. */
  readonly y: number;
  readonly width: number;
  readonly url?: string | undefined;
}

export interface Paragraph {
  /** Tabs and line breaks are in the texts. */
  readonly runs: readonly Omit<Run, 'x' | 'y' | 'width'>[];
  /** The level of a heading, from 1 on; 0 is the title of the document. */
  readonly level?: number | undefined;
  readonly isBullet: boolean;
  readonly isFooter?: boolean;
}

/** The name of the file that a printed resume has attached, in profile form. */
export const attachmentName = 'profile.json';
