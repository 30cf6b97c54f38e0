import { serveOne } from '../child-process.ts';
import { readResume } from './read-resume.ts';

// Reads one resume that `document-reader.ts` gives it as its standard input, and ends.

serveOne(({ length, directory }: { length: number; directory: string }) => readResume(0, length, directory));
