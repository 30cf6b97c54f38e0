import type { TextDocument } from '../../formats/import/source/document.ts';
import { maxResumeMebibytes, type ReadResume } from '../../model/profile/read-resume.ts';
import { openProcesses, type Processes, programAt } from '../child-process.ts';

interface Limits {
  readonly seconds?: number;
  readonly mebibytes?: number;
}

/** Reads documents, each in a process of its own. */
interface DocumentReader {
  /** Rejects with a reason to stand after the path of the file. */
  read(file: Uint8Array): Promise<TextDocument>;
  /** Ends the running processes; the promise of an ended one never settles. */
  close(): void;
}

/** The code of the parsers: bundled in the folder of the sources, or in a checkout's packages. */
const codePaths = ['../../', '../../../node_modules/', '../../../package.json'].map(
  (path) => new URL(path, import.meta.url),
);

/**
 * Opens a reader of PDF and DOCX files. The parsers run in a process that can read nothing but its code, and that is
 * ended after some seconds, because a hostile file can keep them busy, fill the memory or crash them.
 */
export function openDocumentReader(limits: Limits = {}): DocumentReader {
  const { run, close } = openShutIn<Uint8Array, TextDocument>('./read-process', limits);
  return { read: (file) => reading(file, () => run(file)), close };
}

/** Reads resumes in all formats, each in a process of its own. */
interface ResumeReader {
  /** Rejects with a reason to stand after the name of the file. `directory` is where the document would be saved. */
  read(file: Uint8Array, directory: string): Promise<ReadResume>;
  /** Ends the running processes; the promise of an ended one never settles. */
  close(): void;
}

/** Opens a reader that does the whole import in such a process. */
export function openResumeReader(limits: Limits = {}): ResumeReader {
  const { run, close } = openShutIn<{ file: Uint8Array; directory: string }, ReadResume>('./import-process', limits);
  return { read: (file, directory) => reading(file, () => run({ file, directory })), close };
}

const openShutIn = <Request, Result>(
  path: string,
  { seconds = 20, mebibytes = 512 }: Limits,
): Processes<Request, Result> =>
  openProcesses({
    program: programAt(import.meta.url, path),
    name: 'the process that reads it',
    readable: codePaths,
    seconds,
    mebibytes,
  });

async function reading<Result>(file: Uint8Array, read: () => Promise<Result>): Promise<Result> {
  if (file.length > maxResumeMebibytes * 1024 ** 2) throw new Error(`is larger than ${maxResumeMebibytes} MiB`);
  return read().catch((error: Error) => {
    const { message } = error;
    throw new Error(/^(is|read as) /.test(message) ? message : `cannot be read: ${message}`, { cause: error });
  });
}
