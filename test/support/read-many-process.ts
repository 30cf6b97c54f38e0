import { serveOne } from '../../src/adapters/child-process.ts';
import { readPdf } from '../../src/adapters/document/pdf-document.ts';
import { readWord } from '../../src/adapters/document/word-document.ts';
import type { TextDocument } from '../../src/formats/import/source/document.ts';

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
