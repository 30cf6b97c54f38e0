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
  readonly letter: Letter | undefined;
  readonly format: keyof Prints;
}

/** The print in each format; a picture is a PNG of the upper part of the first page. */
export interface Prints {
  readonly pdf: RenderedResume;
  readonly picture: Uint8Array<ArrayBuffer>;
  readonly preview: PrintedPreview;
  readonly docx: PrintedDocx;
}

/** A document of Word, and the reason why it lacks the photo; null if it has it, or the profile names none. */
export interface PrintedDocx {
  readonly docx: Uint8Array<ArrayBuffer>;
  readonly photoFault: string | null;
}

/** Prints a profile for Word, or a letter below the head of the resume, until `signal` aborts. */
export type PrintDocx = (profile: Profile, letter?: Letter, signal?: AbortSignal) => Promise<PrintedDocx>;

/** Prints resumes. */
export interface Printer {
  /** As `RenderResume`, until `signal` aborts. */
  render(profile: Profile, resumeJson: string, letter?: Letter, signal?: AbortSignal): Promise<RenderedResume>;
  readonly docx: PrintDocx;
  picture(profile: Profile): Promise<Prints['picture']>;
  preview(profile: Profile): Promise<PrintedPreview>;
  /** Ends the running processes; the promise of an ended print never settles. */
  close(): void;
}

interface Options extends Pick<Limits, 'processorSeconds' | 'seconds'> {
  /** The path of the document, in whose folder the photo is read; null for one at an address. */
  readonly profilePath?: string | null;
}

/**
 * Opens a printer that renders as `openResumeRenderer`, in a process that is ended after some time: Typst cannot be
 * interrupted, blocks its thread, and keeps the memory that it took. Loading the library for Word blocks a thread, too.
 */
export function openPrinter(style: PdfStyle, { profilePath = '', ...limits }: Options = {}): Printer {
  const processes = openProcesses<PrintRequest, Prints[keyof Prints]>({
    program: programAt(import.meta.url, './print-process'),
    name: 'the process that prints it',
    ...limits,
  });
  const print = <Format extends keyof Prints>(
    format: Format,
    profile: Profile,
    resumeJson: string,
    letter?: Letter,
    signal?: AbortSignal,
  ) =>
    processes.run({ style, profilePath, profile, resumeJson, letter, format }, undefined, signal) as Promise<
      Prints[Format]
    >;
  return {
    render: (profile, resumeJson, letter, signal) => print('pdf', profile, resumeJson, letter, signal),
    docx: (profile, letter, signal) => print('docx', profile, '{}', letter, signal),
    picture: (profile) => print('picture', profile, '{}'),
    preview: (profile) => print('preview', profile, '{}'),
    close: processes.close,
  };
}
