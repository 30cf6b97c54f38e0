import type { WorkingCopy } from '../../../../model/profile/working-copy.ts';
import type { Field } from './fields.ts';

/** What the script of the editor begins with, as JSON on the page. */
export interface EditorPage {
  readonly copy: WorkingCopy;
  readonly formToken: string;
  /** The fields of the profile document by path. */
  readonly fields: Readonly<Record<string, Field>>;
  /** The paths of our pages; the service answers the script below `profile`. */
  readonly paths: Readonly<Record<'profile' | 'preview' | 'photo' | 'yaml' | 'history' | 'share', string>>;
  /** The links that are open, with the version that each shows. */
  readonly links: readonly {
    readonly id: string;
    readonly name: string;
    readonly view: string;
    readonly address: string;
  }[];
  /** The theme of a profile that does not name one; null if a template is used in its place. */
  readonly usualTheme: string | null;
}
