import { serveOne } from '../child-process.ts';

// Reads one document that `document-reader.ts` sends, and ends.

// In a damaged file, pdf.js rejects promises that it does not wait for; the text can be read all the same.
process.on('unhandledRejection', () => {});

serveOne(async (file: Uint8Array) => {
  const isPdf = Buffer.from(file.buffer, file.byteOffset, 4).toString('latin1') === '%PDF';
  if (isPdf) return (await import('./pdf-document.ts')).readPdf(file);
  return (await import('./word-document.ts')).readWord(file);
});
