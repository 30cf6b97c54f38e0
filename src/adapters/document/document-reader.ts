import type { TextDocument } from '../../formats/import/source/document.ts';
import { openProcesses, programAt } from '../child-process.ts';

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

const maxFileMebibytes = 20;

/** The code of the parsers: bundled in the folder of the sources, or in a checkout's packages. */
const codePaths = ['../../', '../../../node_modules/', '../../../package.json'].map(
  (path) => new URL(path, import.meta.url),
);

/**
 * Opens a reader of PDF and DOCX files. The parsers run in a process that can read nothing but its code, and that is
 * ended after some seconds, because a hostile file can keep them busy, fill the memory or crash them.
 */
export function openDocumentReader({ seconds = 20, mebibytes = 512 }: Limits = {}): DocumentReader {
  const processes = openProcesses<Uint8Array, TextDocument>({
    program: programAt(import.meta.url, './read-process'),
    name: 'the process that reads it',
    readable: codePaths,
    seconds,
    mebibytes,
  });
  return {
    async read(file) {
      if (file.length > maxFileMebibytes * 1024 ** 2) throw new Error(`is larger than ${maxFileMebibytes} MiB`);
      return processes.run(file).catch((error: Error) => {
        const { message } = error;
        throw new Error(/^is /.test(message) ? message : `cannot be read: ${message}`, { cause: error });
      });
    },
    close: processes.close,
  };
}
