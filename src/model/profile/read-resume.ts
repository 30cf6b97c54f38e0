import type { Profile } from 'resume-profile/profile-document';
import type { DocumentFault } from 'resume-profile/profile-reader';

/** A resume from a file: the profile document made of it, and what happened to its content. */
export interface ReadResume {
  readonly text: string;
  /** Null if the file is a profile document, whose text is unchanged. */
  readonly account: ImportAccount | null;
}

/** How much of a resume a profile contains, and which parts its owner should check. */
export interface ImportAccount {
  readonly format: string;
  readonly checked: CheckedText;
  readonly sections: readonly ImportedSection[];
  /** The fields that were filled in although the file lacks them, each with its value and the reason. */
  readonly filledIn: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

/** The result of a check. It is made in the process that reads the file, because its milliseconds would block requests. */
export interface CheckedText {
  readonly profile: Profile | null;
  /** The same profile in the order of the text. */
  readonly written: Profile | null;
  readonly locatedFaults: readonly DocumentFault[];
}

/** A part of a resume's content, and how much of it a profile contains. */
export interface ImportedSection {
  readonly section: string;
  /** The number of values about the person in the file, of those in the profile, and of those in its notes. */
  readonly values: number;
  readonly kept: number;
  readonly noted: number;
  /** The values in the notes, and the values that the profile lacks, in words. */
  readonly notes: readonly string[];
  readonly losses: readonly string[];
}

export const maxResumeMebibytes = 20;
