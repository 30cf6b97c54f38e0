// Primary result codes of SQLite (https://sqlite.org/rescode.html).
export const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
export const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const PROTOCOL = 15;
export const NOTADB = 26;

/** Returns the primary result code of an SQLite error, the low byte of the extended one; 0 for any other error. */
export const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

/** Whether SQLite refused because another connection holds a lock. */
export const isLocked = (error: unknown): boolean => codeOf(error) === BUSY;

const unavailable = new Set([BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB]);

/** Whether the error says that the database cannot be used at the moment, and not that a statement is wrong. */
export const isUnavailable = (error: unknown): boolean => unavailable.has(codeOf(error));
