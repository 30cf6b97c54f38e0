import type { TextDocument } from './document.ts';

// In a damaged file, pdf.js rejects promises that it does not wait for; the text can be read all the same.
process.on('unhandledRejection', () => {});

/** Reads a PDF or DOCX file, in a process that is shut in. Throws a reason to stand after the path of the file. */
export async function readDocument(file: Uint8Array): Promise<TextDocument> {
  const isPdf = Buffer.from(file.buffer, file.byteOffset, 4).toString('latin1') === '%PDF';
  if (isPdf) return (await import('./pdf-document.ts')).readPdf(file);
  return (await import('./word-document.ts')).readWord(file);
}
