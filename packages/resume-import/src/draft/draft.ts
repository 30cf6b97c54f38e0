import type { Profile } from 'resume-profile/profile-document';
import type { SectionKey } from 'resume-profile/resume-section';
import type { InputCursor } from '../source/input-cursor.ts';
import type { Value } from '../source/value.ts';

type Texts<Field extends string> = { [Key in Field]?: Value | undefined };
type Lists<Field extends string> = { [Key in Field]?: readonly Value[] | undefined };
type List<Item> = readonly Item[] | undefined;

/**
 * A position as most formats have it: a job title at a company with dates as the source writes them. A position without
 * an end, or with an end such as `present`, is still going on.
 */
export interface Position extends Texts<'company' | 'title' | 'start' | 'end' | 'summary'>, Lists<'highlights'> {
  /** The dates at the company, if the source has them apart from the position's. */
  tenureStart?: Value | undefined;
  tenureEnd?: Value | undefined;
  about?: Value | undefined;
  location?: Value | undefined;
  /** The place of the company, if the source has it apart from the position's. */
  tenureLocation?: Value | undefined;
  /** The site of the company. */
  url?: Value | undefined;
  /** The title of its section, if most positions are in another. */
  section?: Value | undefined;
}

export interface DraftProject
  extends Texts<'name' | 'summary' | 'role' | 'start' | 'end' | 'section'>,
    Lists<'tags' | 'highlights'> {
  /** Addresses of unknown kind: one at GitHub becomes `github`, the others `live` and `details`. */
  urls?: List<Value>;
  links?: Texts<'github' | 'live' | 'details'>;
}

/** An entry of a profile with values for its texts, and its dates as the source writes them. */
type DraftOf<Entry> = Texts<'start' | 'end'> & {
  [Key in Exclude<keyof Entry, 'start_date' | 'end_date' | 'in'>]?: Entry[Key] extends unknown[] | undefined
    ? List<Value>
    : Value | undefined;
};

type Resume = { [Key in keyof Profile['resume']]-?: NonNullable<Profile['resume'][Key]> };

/** An entry of a section that the profile has no key for. */
export type DraftEntry = DraftOf<Resume['sections'][number]['entries'][number]>;

export type DraftSection = { readonly title: Value; readonly entries: readonly DraftEntry[] };

export type DraftLink = Texts<'label' | 'url'>;

/**
 * The title of a section, undefined if the source prints a word of its language, and the key of the profile's section that it
 * heads; without a key, the profile keeps the title.
 */
export type Heading = { readonly title: Value | undefined; readonly key: SectionKey | undefined };

type Background = 'education' | 'certifications' | 'languages' | 'publications' | 'awards' | 'volunteer' | 'interests';

/** The content of an input as the source writes it. `toProfile` makes a valid and complete profile of it. */
export interface Draft
  extends Texts<'name' | 'title' | 'location' | 'summary' | 'yearsExperience' | 'availability'>,
    Texts<'email' | 'phone'>,
    Lists<'domains' | 'skills'>,
    /** An entry names its section if that section heads another section of the profile. */
    Partial<{ [Key in Background]: List<DraftOf<Resume[Key][number]>> }> {
  positions?: List<Position>;
  /** Whether the source prints its positions in their order. */
  isInOrder?: true;
  /** The title of the section for positions without dates. */
  positionsTitle?: string;
  projects?: List<DraftProject>;
  skillGroups?: List<Texts<'name' | 'level' | 'section'> & { skills: readonly Value[] }>;
  links?: List<DraftLink>;
  references?: List<Texts<'name' | 'reference'>>;
  /** All other content of the source, each section under its title there. */
  sections?: List<DraftSection>;
  /** The sections of the source in its order. */
  headings?: List<Heading>;
  /** The language that the resume is printed in, as a code: `de`. */
  language?: Value | undefined;
  /** Texts of the source that its owner shows to nobody. */
  notes?: List<Value>;
  /** The address of a picture, for the report: a profile has a file instead. */
  photo?: Value | undefined;
}

export interface Format {
  readonly name: string;
  /** The content of its files, for the error about an unknown file: `an object with cv`. */
  readonly description: string;
  recognises(input: InputCursor): boolean;
  toDraft(input: InputCursor): Draft;
}
