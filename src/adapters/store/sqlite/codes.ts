// The primary result codes of SQLite (https://sqlite.org/rescode.html).
export const BUSY = 5;
export const READONLY = 8;
export const IOERR = 10;
export const CORRUPT = 11;
export const FULL = 13;
export const CANTOPEN = 14;
export const PROTOCOL = 15;
export const NOTADB = 26;

/** The primary result code of an SQLite error, the low byte of the extended one; 0 for any other error. */
export const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
