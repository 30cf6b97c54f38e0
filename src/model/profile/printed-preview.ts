/** The resume of a profile as it would be printed. */
export interface PrintedPreview {
  /** The first pages, as PNG. */
  readonly pictures: readonly Uint8Array<ArrayBuffer>[];
  /** How high a picture is; all are 900 pixels wide. */
  readonly height: number;
  readonly pages: number;
  readonly paper: string;
  /** Null if it has none. */
  readonly photo: { readonly format: 'jpg' | 'png'; readonly bytes: Uint8Array } | null;
  /** Warnings of the print, such as a missing glyph, each with the path of a value. */
  readonly warnings: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}
