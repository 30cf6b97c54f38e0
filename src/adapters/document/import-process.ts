import { serveOne } from '../child-process.ts';
import { readResume } from './read-resume.ts';

// Reads one resume that `document-reader.ts` gives it as its standard input, and ends.

// In a damaged file, pdf.js rejects promises that it does not wait for; the text can be read all the same.
process.on('unhandledRejection', () => {});

serveOne(({ length, directory }: { length: number; directory: string }) => readResume(0, length, directory));
