import type { InputCursor } from '../source/input-cursor.ts';
import type { Value } from '../source/value.ts';

type Text = Value | undefined;
type List<Item> = readonly Item[] | undefined;

/** One position as most formats have it: a job title held at a company for a time. */
export interface Position {
  /** The id of the company's entry, where the source keeps one. */
  id?: Text;
  company?: Text;
  title?: Text;
  /** Dates are given as the source spells them; an end that is missing or says `present` is still going on. */
  start?: Text;
  end?: Text;
  /** The whole stay at the company, where the source tells it apart from its positions. */
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
  /** Of any kind: one at a code host becomes `github`, the others `live` and `details`. */
  urls?: List<Value>;
  links?: { github?: Text; live?: Text; details?: Text };
}

/** What a format finds in its input, in the source's spelling; `toProfile` makes it valid, complete and accounted for. */
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

/** A kind of document that can be imported. */
export interface Format {
  readonly name: string;
  /** What it is recognised by, for whoever brings something else: `an object with cv`. */
  readonly description: string;
  recognises(input: InputCursor): boolean;
  toDraft(input: InputCursor): Draft;
}
