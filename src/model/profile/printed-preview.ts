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
}
