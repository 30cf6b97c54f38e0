import { serveOne } from '../child-process.ts';
import { readDocument } from './read-document.ts';

// Reads one document that `document-reader.ts` sends, and ends.

serveOne(readDocument);
