export type PrintFormat = 'pdf' | 'docx';

/** Whether the PDF of the profile exists; if not, `fault` is the reason, or null while it is being printed. */
export interface PdfState {
  readonly isPrinted: boolean;
  readonly fault: string | null;
}

/** A form of the resume for visitors whose last print failed. */
export interface FailedPrint {
  readonly view: string | null;
  readonly format: PrintFormat;
  readonly fault: string;
  readonly failures: number;
  /** Whether another attempt is due or running. */
  readonly isTriedNow: boolean;
}
