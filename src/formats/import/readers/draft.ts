import type { InputCursor } from '../source/input-cursor.ts';
import type { Value } from '../source/value.ts';

type Text = Value | undefined;
type List<Item> = readonly Item[] | undefined;

/** One position, as most formats have it: a job title at a company with dates. */
export interface Position {
  /** The id of the company's entry, if the source has one. */
  id?: Text;
  company?: Text;
  title?: Text;
  /** Dates as the source writes them. A position without an end, or with an end such as `present`, goes on. */
  start?: Text;
  end?: Text;
  /** The dates at the company, if the source has them besides those of the position. */
  tenureStart?: Text;
  tenureEnd?: Text;
  /** What the company is or does. */
  about?: Text;
  /** What was done there. */
  summary?: Text;
  accomplishments?: List<Value>;
  /** Where this position was. */
  location?: Text;
  /** Where the company is, if the source has it besides. */
  tenureLocation?: Text;
  /** The site of the company. */
  url?: Text;
}

export interface DraftProject {
  id?: Text;
  name?: Text;
  summary?: Text;
  tags?: List<Value>;
  /** Addresses of unknown kind: one at GitHub becomes `github`, the others `live` and `details`. */
  urls?: List<Value>;
  links?: { github?: Text; live?: Text; details?: Text };
  role?: Text;
  start?: Text;
  end?: Text;
  highlights?: List<Value>;
}

/** An entry of a section that the profile has no key for. */
export interface DraftEntry {
  text?: Text;
  bullet?: Text;
  name?: Text;
  details?: Text;
  organization?: Text;
  location?: Text;
  date?: Text;
  start?: Text;
  end?: Text;
  url?: Text;
  summary?: Text;
  highlights?: List<Value>;
}

/** The content of an input as the source writes it. `toProfile` makes a valid and complete profile of it. */
export interface Draft {
  id?: Text;
  name?: Text;
  title?: Text;
  location?: Text;
  summary?: Text;
  yearsExperience?: Text;
  availability?: Text;
  domains?: List<Value>;
  positions?: List<Position>;
  /** What the source calls its positions: the title of the section for those without dates. */
  positionsTitle?: string;
  projects?: List<DraftProject>;
  skills?: List<Value>;
  skillGroups?: List<{ name?: Text; level?: Text; skills: readonly Value[] }>;
  /** The list of skills, if the source has one besides its groups that they do not imply. */
  skillList?: List<Value>;
  email?: Text;
  phone?: Text;
  links?: List<{ label?: Text; url: Text }>;
  education?: List<{
    institution?: Text;
    area?: Text;
    degree?: Text;
    location?: Text;
    start?: Text;
    end?: Text;
    score?: Text;
    url?: Text;
    details?: List<Value>;
  }>;
  certifications?: List<{ name?: Text; issuer?: Text; date?: Text; url?: Text; summary?: Text }>;
  languages?: List<{ language?: Text; fluency?: Text }>;
  publications?: List<{
    name?: Text;
    authors?: List<Value>;
    publisher?: Text;
    date?: Text;
    url?: Text;
    summary?: Text;
  }>;
  awards?: List<{ title?: Text; awarder?: Text; date?: Text; url?: Text; summary?: Text }>;
  volunteer?: List<{
    organization?: Text;
    role?: Text;
    location?: Text;
    start?: Text;
    end?: Text;
    url?: Text;
    summary?: Text;
    highlights?: List<Value>;
  }>;
  interests?: List<{ name?: Text; keywords?: List<Value> }>;
  references?: List<{ name?: Text; reference?: Text }>;
  areReferencesPrinted?: boolean;
  /** Whatever else the source has, each section under its title there. */
  sections?: List<{ title: Value; entries: readonly DraftEntry[] }>;
  /** The order of the sections, by the names that they have in a profile. */
  order?: List<Value>;
  /** The language that the resume is printed in, as a code: `de`. */
  language?: Text;
  /** The address of a picture, for the report: a profile has a file instead. */
  photo?: Text;
}

/** A format that can be imported. */
export interface Format {
  readonly name: string;
  /** What its files contain, for the error about an unknown file: `an object with cv`. */
  readonly description: string;
  recognises(input: InputCursor): boolean;
  toDraft(input: InputCursor): Draft;
}
