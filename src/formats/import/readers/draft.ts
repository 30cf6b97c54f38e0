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
}

export interface DraftProject {
  id?: Text;
  name?: Text;
  summary?: Text;
  tags?: List<Value>;
  /** Addresses of unknown kind: one at GitHub becomes `github`, the others `live` and `details`. */
  urls?: List<Value>;
  links?: { github?: Text; live?: Text; details?: Text };
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
  projects?: List<DraftProject>;
  skills?: List<Value>;
  email?: Text;
  phone?: Text;
  links?: List<{ label?: Text; url: Text }>;
  education?: List<{
    institution?: Text;
    area?: Text;
    degree?: Text;
    start?: Text;
    end?: Text;
    score?: Text;
    url?: Text;
    details?: List<Value>;
  }>;
  certifications?: List<{ name?: Text; issuer?: Text; date?: Text; url?: Text }>;
  languages?: List<{ language?: Text; fluency?: Text }>;
  publications?: List<{ name?: Text; publisher?: Text; date?: Text; url?: Text; summary?: Text }>;
}

/** A format that can be imported. */
export interface Format {
  readonly name: string;
  /** What its files contain, for the error about an unknown file: `an object with cv`. */
  readonly description: string;
  recognises(input: InputCursor): boolean;
  toDraft(input: InputCursor): Draft;
}
