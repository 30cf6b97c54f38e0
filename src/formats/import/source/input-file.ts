/** A file of a ZIP archive or a folder. */
export interface InputFile {
  /** Relative, with slashes, without `..` and control characters. */
  readonly path: string;
  /** In bytes, unpacked. */
  readonly size: number;
  /** Reads it whole. Throws what is wrong, to stand after the path of the archive or folder. */
  read(): Promise<Buffer>;
}
