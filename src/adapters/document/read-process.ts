import { readDocument } from 'resume-import/source/read-document';
import { serveOne } from '../child-process.ts';

// Reads one document that `document-reader.ts` sends, and ends.

serveOne(readDocument);
