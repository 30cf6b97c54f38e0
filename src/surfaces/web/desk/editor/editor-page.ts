import type { ResumeWords } from 'resume-profile/resume-language';
import type { DocumentState } from '../../../../model/profile/document-state.ts';
import type { WorkingCopy } from '../../../../model/profile/working-copy.ts';
import type { Field } from './fields.ts';

/** What the script of the editor begins with, as JSON on the page. */
export interface EditorPage extends Pick<DocumentState, 'place' | 'obstacle'> {
  readonly copy: WorkingCopy;
  readonly formToken: string;
  /** The fields of the profile document by path. */
  readonly fields: Readonly<Record<string, Field>>;
  /** The words of the printed resume in its language, and the tag of that language. */
  readonly words: ResumeWords;
  readonly language: string;
  /** The paths of our pages; the service answers the script below `profile`. */
  readonly paths: Readonly<
    Record<
      'profile' | 'preview' | 'photo' | 'yaml' | 'history' | 'import' | 'proposals' | 'share' | 'signIn' | 'page',
      string
    >
  >;
  /** The address of the page of visitors, and whether only this computer can open it. */
  readonly address: string;
  readonly isLocal: boolean;
  readonly photoLimitBytes: number;
  /** The theme of a profile that does not name one; null if a template is used in its place. */
  readonly usualTheme: string | null;
  /** How many proposals wait. */
  readonly proposals: number;
}
