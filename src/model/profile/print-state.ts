/** The formats in which visitors get the resume. */
export type PrintFormat = 'pdf' | 'docx';

/** Whether the PDF of the profile is there; if it is not, the fault says why, or is null while it is printed. */
export interface PdfState {
  readonly isPrinted: boolean;
  readonly fault: string | null;
}

/** A form in which visitors get the resume that could not be printed when that was last tried. */
export interface FailedPrint {
  /** Null for the whole profile. */
  readonly view: string | null;
  readonly format: PrintFormat;
  readonly fault: string;
  /** How many attempts have failed, one after the other. */
  readonly failures: number;
  /** Whether another attempt is due, or under way. */
  readonly isTriedNow: boolean;
}
