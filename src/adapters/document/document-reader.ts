import type { TextDocument } from 'resume-import/source/document';
import { maxResumeMebibytes, type ReadResume } from '../../model/profile/read-resume.ts';
import { type Limits, openProcesses, programAt } from '../child-process.ts';
import { openQueue } from '../queue.ts';
import type { WrittenFile } from '../upload-file.ts';

/** The code of the parsers: bundled with the sources, or in a checkout's packages. */
const codePaths = ['../../', '../../../packages/', '../../../node_modules/', '../../../package.json'].map(
  (path) => new URL(path, import.meta.url),
);

/** Opens a reader of PDF and DOCX files, in a process that can read only its own code and has limits: a file may be hostile. */
export function openDocumentReader(limits: Limits = {}) {
  const { run, close } = openShutIn<Uint8Array, TextDocument>('./read-process', limits);
  return {
    /** Rejects with a reason to stand after the path of the file. */
    async read(file: Uint8Array) {
      if (file.length > maxResumeMebibytes * 1024 ** 2) throw new Error(`is larger than ${maxResumeMebibytes} MiB`);
      return explained(run(file));
    },
    /** Ends the running processes; the promise of an ended one never settles. */
    close,
  };
}

export type ResumeReader = ReturnType<typeof openResumeReader>;

/** Opens a reader that imports each file in such a process, so that the service never has the file in its memory. */
export function openResumeReader(limits: Limits = {}) {
  const { run, close } = openShutIn<{ length: number; directory: string }, ReadResume>('./import-process', limits);
  const enqueue = openQueue();
  return {
    /** Rejects with a reason to stand after the name of the file. `directory` is where the document will be saved. */
    read: ({ descriptor, length }: WrittenFile, directory: string, signal?: AbortSignal) =>
      enqueue(() => explained(run({ length, directory }, descriptor, signal))),
    /** Ends the running processes; the promise of an ended one never settles. */
    close,
  };
}

const openShutIn = <Request, Result>(path: string, { mebibytes = 512, ...limits }: Limits) =>
  openProcesses<Request, Result>({
    program: programAt(import.meta.url, path),
    name: 'the process that reads it',
    readable: codePaths,
    isInBackground: true,
    ...{ ...limits, mebibytes },
  });

/** Gives the errors of a reading a message that can stand after the name of a file. */
export const explained = <Result>(reading: Promise<Result>): Promise<Result> =>
  reading.catch((error: Error) => {
    const { message } = error;
    throw new Error(/^(is|read as) /.test(message) ? message : `cannot be read: ${message}`, { cause: error });
  });
