import { readDocument } from 'resume-import/source/read-document';
import { serveOne } from '../child-process.ts';

// Reads one document that `document-reader.ts` sends, and ends.

// In a damaged file, pdf.js rejects promises that it does not wait for; the text can be read all the same.
process.on('unhandledRejection', () => {});

serveOne(readDocument);
