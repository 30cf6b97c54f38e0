import type { Profile } from 'resume-profile/profile-document';
import type { DocumentFault } from './document-state.ts';

/** A resume that was read from a file: the profile document made of it, and what became of its content. */
export interface ReadResume {
  readonly text: string;
  /** Null if the file is a profile document, whose text is as it was. */
  readonly account: ImportAccount | null;
}

/** How much of a resume a profile has, and what of it its owner should look at. */
export interface ImportAccount {
  /** The name of the format. */
  readonly format: string;
  readonly checked: CheckedText;
  readonly sections: readonly ImportedSection[];
  /** The fields that were filled in although the file doesn't say them, each with its value and the reason. */
  readonly filledIn: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

/** What a check of the text finds. It is made where the file is read: it takes milliseconds, in which no request is answered. */
export interface CheckedText {
  /** Null if the text has faults. */
  readonly profile: Profile | null;
  /** The same in the order of the text. */
  readonly written: Profile | null;
  readonly locatedFaults: readonly DocumentFault[];
}

/** A part of the content of a resume, and how much of it a profile has. */
export interface ImportedSection {
  /** Its name in the loss report. */
  readonly section: string;
  /** The number of values about the person in the file, of those that the profile has, and of these in its notes. */
  readonly values: number;
  readonly kept: number;
  readonly noted: number;
  /** The values in the notes, and those that the profile does not have, in words. */
  readonly notes: readonly string[];
  readonly losses: readonly string[];
}

/** The maximum size of a file that is read at the desk. */
export const maxResumeMebibytes = 20;
