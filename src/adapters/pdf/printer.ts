import type { Letter } from 'resume-documents/letter';
import type { PdfStyle, RenderedResume } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import type { PrintedPreview } from '../../model/profile/printed-preview.ts';
import { type Limits, openProcesses, programAt } from '../child-process.ts';

export interface PrintRequest {
  readonly style: PdfStyle;
  readonly profilePath: string | null;
  readonly profile: Profile;
  readonly resumeJson: string;
  readonly letter?: Letter | undefined;
  readonly format: keyof Prints;
}

/** The print in each format; a picture is a PNG of the upper part of the first page. */
export interface Prints {
  readonly pdf: RenderedResume;
  readonly picture: Uint8Array<ArrayBuffer>;
  readonly preview: PrintedPreview;
  /** A Word document, and the reason why it lacks the photo; null if the photo is in it, or the profile names none. */
  readonly docx: { readonly docx: Uint8Array<ArrayBuffer>; readonly photoFault: string | null };
}

export type Printer = ReturnType<typeof openPrinter>;

interface PrinterOptions extends Pick<Limits, 'processorSeconds' | 'seconds'> {
  /** The path of the document, whose folder has the photo; null for a profile at an address. */
  readonly profilePath?: string | null;
}

/** Opens a printer in processes with a time limit: Typst cannot be interrupted and frees no memory; Word's library blocks. */
export function openPrinter(style: PdfStyle, { profilePath = '', ...limits }: PrinterOptions = {}) {
  const { run, close } = openProcesses<PrintRequest, Prints[keyof Prints]>({
    program: programAt(import.meta.url, './print-process'),
    name: 'the process that prints it',
    ...limits,
  });
  const print = <Format extends keyof Prints>(
    request: Pick<PrintRequest, 'profile' | 'letter' | 'resumeJson'> & { readonly format: Format },
    signal?: AbortSignal,
  ) => run({ style, profilePath, ...request }, undefined, signal) as Promise<Prints[Format]>;
  return {
    render: (profile: Profile, resumeJson: string, letter?: Letter, signal?: AbortSignal) =>
      print({ format: 'pdf', profile, resumeJson, letter }, signal),
    /** Prints a profile as a Word document, or a letter below the head of the resume, until `signal` aborts. */
    docx: (profile: Profile, letter?: Letter, signal?: AbortSignal) =>
      print({ format: 'docx', profile, resumeJson: '{}', letter }, signal),
    picture: (profile: Profile) => print({ format: 'picture', profile, resumeJson: '{}' }),
    preview: (profile: Profile) => print({ format: 'preview', profile, resumeJson: '{}' }),
    /** Ends the running processes; the promise of an ended print never settles. */
    close,
  };
}
