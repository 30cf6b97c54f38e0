import type { Letter } from '../../formats/letter/letter.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import type { Theme } from '../../model/profile/resume-design.ts';
import { openProcesses, programAt } from '../child-process.ts';
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

export type Printed = { readonly rendered: RenderedResume } | { readonly picture: Uint8Array<ArrayBuffer> };

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

/**
 * Opens a printer that renders as `openResumeRenderer`, in a process that is ended after some seconds: Typst cannot be
 * interrupted, blocks its thread, and keeps the memory that it took.
 */
export function openPrinter(style: PdfStyle, { profilePath = () => '', seconds = 20 }: Options = {}): Printer {
  const processes = openProcesses<PrintRequest, Printed>({
    program: programAt(import.meta.url, './print-process'),
    name: 'the process that prints it',
    advice: '; shorten the profile, or simplify PDF_TEMPLATE',
    seconds,
  });
  return {
    async render(profile, resumeJson, letter) {
      const request = { style, profilePath: profilePath(), profile, resumeJson, letter, isPicture: false };
      return ((await processes.run(request)) as { rendered: RenderedResume }).rendered;
    },
    async picture(theme, profile, resumeJson) {
      const themed = { ...profile, resume: { ...profile.resume, theme } };
      const request = { style, profilePath: profilePath(), profile: themed, resumeJson, letter: undefined };
      return ((await processes.run({ ...request, isPicture: true })) as { picture: Uint8Array<ArrayBuffer> }).picture;
    },
    close: processes.close,
  };
}
