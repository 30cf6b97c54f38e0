import type { TextDocument } from 'resume-import/source/document';
import { readPdf } from 'resume-import/source/pdf-document';
import { readWord } from 'resume-import/source/word-document';
import { serveOne } from '../../src/adapters/child-process.ts';

// Reads many documents one after the other, as `read-process.ts` reads one.

process.on('unhandledRejection', () => {});

/** Each document, or why it cannot be read. */
export type ReadMany = readonly (TextDocument | { readonly fault: string })[];

serveOne(async (files: readonly Uint8Array[]): Promise<ReadMany> => {
  const documents: ReadMany[number][] = [];
  for (const file of files) {
    const isPdf = Buffer.from(file.buffer, file.byteOffset, 4).toString('latin1') === '%PDF';
    documents.push(await (isPdf ? readPdf(file) : readWord(file)).catch(({ message }: Error) => ({ fault: message })));
  }
  return documents;
});
