import type { TextDocument } from './document.ts';

/** Reads a PDF or DOCX file. Throws a reason to stand after the path of the file. */
export async function readDocument(file: Uint8Array): Promise<TextDocument> {
  const isPdf = Buffer.from(file.buffer, file.byteOffset, 4).toString('latin1') === '%PDF';
  if (isPdf) return (await import('./pdf-document.ts')).readPdf(file);
  return (await import('./word-document.ts')).readWord(file);
}
