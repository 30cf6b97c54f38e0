import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import type { Letter } from '../../formats/letter/letter.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import type { Theme } from '../../model/profile/resume-theme.ts';
import { pluralize } from '../../model/text.ts';
import type { PdfStyle, RenderedResume, RenderResume } from './resume-pdf.ts';

export interface PrintRequest {
  readonly style: PdfStyle;
  readonly profilePath: string | null;
  readonly profile: Profile;
  readonly resumeJson: string;
  readonly letter: Letter | undefined;
  /** Whether to print a picture of the first page in place of the PDF. */
  readonly isPicture: boolean;
}

/** The reply of the process that prints. */
export type PrintReply =
  | { readonly rendered: RenderedResume }
  | { readonly picture: Uint8Array<ArrayBuffer> }
  | { readonly fault: string };

/** Prints resumes, each in a process of its own. */
interface Printer {
  readonly render: RenderResume;
  /** Prints the upper part of the first page in a theme, as a PNG. */
  picture(theme: Theme, profile: Profile, resumeJson: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends the running processes; the promise of an ended print never settles. */
  close(): void;
}

interface Options {
  /** As `openResumeRenderer` takes it. */
  readonly profilePath?: () => string | null;
  readonly seconds?: number;
}

const program = new URL(
  import.meta.filename.endsWith('.ts') ? 'print-process.ts' : 'print-process.cjs',
  import.meta.url,
);

/**
 * Opens a printer that renders as `openResumeRenderer`, in a process that is ended after some seconds: Typst cannot be
 * interrupted, blocks its thread, and keeps the memory that it took.
 */
export function openPrinter(style: PdfStyle, { profilePath = () => '', seconds = 20 }: Options = {}): Printer {
  const printing = new Set<ChildProcess>();
  let isClosed = false;
  async function print(request: PrintRequest): Promise<Exclude<PrintReply, { fault: string }>> {
    const child = fork(program, [String(seconds)], {
      // The flags of this process are not for it, such as those of a test run.
      execArgv: [],
      env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() ?? process.env.NODE_COMPILE_CACHE },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      timeout: seconds * 1000,
      killSignal: 'SIGKILL',
    });
    printing.add(child);
    let reply: PrintReply | undefined;
    child.once('message', (message) => {
      reply = message as PrintReply;
    });
    // Listened to at once: without file descriptors or memory the process is not started, and has no `send`.
    const ended = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
    // If it has ended already, `close` says how.
    child.send?.(request, () => {});
    const [code, signal] = await ended
      .catch(({ code }: NodeJS.ErrnoException) => {
        throw new Error(`the process that prints it cannot be started, by ${code}`);
      })
      .finally(() => printing.delete(child));
    if (isClosed) return new Promise<never>(() => {});
    if (reply !== undefined && 'fault' in reply) throw new Error(reply.fault);
    if (reply !== undefined) return reply;
    if (child.killed)
      throw new Error(
        `it took more than ${pluralize(seconds, 'second')}; shorten the profile, or simplify PDF_TEMPLATE`,
      );
    throw new Error(`the process that prints it ended by ${signal ?? `code ${code}`}`);
  }

  return {
    async render(profile, resumeJson, letter) {
      const reply = await print({ style, profilePath: profilePath(), profile, resumeJson, letter, isPicture: false });
      return (reply as { rendered: RenderedResume }).rendered;
    },
    async picture(theme, profile, resumeJson) {
      const themed = { ...style, theme, template: undefined };
      const request = { style: themed, profilePath: profilePath(), profile, resumeJson, letter: undefined };
      const reply = await print({ ...request, isPicture: true });
      return (reply as { picture: Uint8Array<ArrayBuffer> }).picture;
    },
    close() {
      isClosed = true;
      for (const child of printing) child.kill('SIGKILL');
    },
  };
}
