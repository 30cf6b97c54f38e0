/** The width of each picture in pixels. */
export const previewWidth = 720;

export interface PrintedPreview {
  readonly pictures: readonly Uint8Array<ArrayBuffer>[];
  /** The height of each picture in pixels. */
  readonly height: number;
  readonly pages: number;
  readonly paper: string;
  readonly lacksPhoto: boolean;
  /** The characters that no font has, by kind, each kind with a warning. */
  readonly leftOut: readonly { readonly characters: readonly string[]; readonly message: string }[];
  /** Warnings of the print, such as a missing glyph, each with the path of a value. */
  readonly warnings: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  /** The texts of all pages in reading order, each of one line and style; lengths are pixels of the pictures. */
  readonly texts: readonly PrintedText[];
}

export interface PrintedText {
  /** The index of its page. */
  readonly page: number;
  readonly x: number;
  /** From the upper edge of the page to the baseline. */
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly text: string;
}

/** What is shown beside the editor: pictures of the pages, a page in a frame, or the answers of tools. */
export interface Preview {
  /** The revision of the text that it shows; the addresses of further pictures have it. */
  readonly revision: string;
  /** Whether the text has faults, so that this shows it as it was before. */
  readonly isEarlier: boolean;
  /** Whether it is still being printed: asking again waits for it. */
  readonly isLater?: true;
  /** Why there is nothing to see. */
  readonly refusal?: string;
  readonly caption: string;
  /** The same for the same look; empty if there is nothing to see. */
  readonly digest: string;
  readonly pictures?: readonly string[];
  readonly texts?: PrintedPreview['texts'];
  readonly warnings?: PrintedPreview['warnings'];
  readonly frame?: string;
  readonly answers?: readonly { readonly name: string; readonly json: string }[];
}
