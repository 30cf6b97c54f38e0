import type { Path } from '../../../../../model/profile/working-copy.ts';
import type { Field } from '../fields.ts';

/**
 * Where a key stands: in the head, as a whole section or its heading, in the first or second line of an entry (left or right),
 * below them as a paragraph, lines, chips or further entries, in *All fields* of its entry (`drawer`), in another panel, or
 * nowhere. What is `about` its entry, and a link, is offered in *All fields* and stands on the paper once it is there.
 */
// biome-ignore format: a list
export type Spot =
  | 'head' | 'section' | 'heading' | 'title' | 'title-right' | 'sub' | 'sub-right' | 'prose' | 'about' | 'lines' | 'chips'
  | 'link' | 'entries' | 'drawer' | 'rail' | 'look' | 'seen' | 'versions' | 'none';

/** A spot with the words that offer what could be there; for `none` the reason. */
export type Place = readonly [spot: Spot, ghost?: string];

const dates = { start_date: ['title-right', 'From'], end_date: ['title-right', 'To'] } as const;
const place: Place = ['sub-right', 'Add a place'];

/** The places by the path of the map or list that has the key, in the order in which an entry shows them. */
// biome-ignore format: a table
const table: Readonly<Record<string, Readonly<Record<string, Place>>>> = {
  '': {
    candidate: ['head'], experience: ['section'], projects: ['section'], availability: ['head'], resume: ['section'],
    owner_email: ['drawer'], notes: ['drawer'], accent: ['look'], public: ['seen'], background: ['seen'], evidence: ['seen'],
    views: ['versions'], $schema: ['none', 'tells editors of text files which keys there are'],
  },
  candidate: {
    name: ['head', 'Your name'], title: ['head', 'Your title'], location: ['head', 'Add where you live'],
    summary: ['prose', 'About you, in a sentence or two'], years_experience: ['drawer'], domains: ['section', 'Add an area'],
    id: ['drawer'],
  },
  availability: { status: ['head', 'Say whether you can be approached'] },
  experience: {
    company: ['title', 'Company'], location: ['title-right', 'Add a place'], url: ['link', 'Add its site'],
    summary: ['about', 'What the company does, or what you did there'], roles: ['entries'],
    company_start_date: ['drawer'], company_end_date: ['drawer'], current: ['none', 'follows the end'],
  },
  'experience.roles': {
    title: ['title', 'Job title'], ...dates, location: ['drawer'],
    summary: ['about', 'The role in a sentence or two'], accomplishments: ['lines', 'Enter for the next line, Backspace to join'],
  },
  projects: {
    name: ['title', 'Name of the project'], role: ['sub', 'Add your part in it'], ...dates,
    summary: ['prose', 'What it is'], highlights: ['lines', 'Add what stands out'], tags: ['chips', 'Made with'],
    links: ['link'],
  },
  'projects.links': { details: ['link', 'Add a link'], live: ['link', 'Add where it runs'], github: ['link', 'Add its source'] },
  resume: {
    email: ['head', 'Add an e-mail address'], phone: ['head', 'Add a phone'], links: ['head', 'Add a link'], photo: ['head'],
    skills: ['section', 'Add a skill'], skill_groups: ['section'], education: ['section'], certifications: ['section'],
    languages: ['section'], publications: ['section'], awards: ['section'], volunteer: ['section'], interests: ['section'],
    references: ['section'], sections: ['section'], titles: ['heading'], order: ['rail'],
    publication_style: ['drawer'], experience_order: ['drawer'],
    language: ['look'], theme: ['look'], paper: ['look'], font: ['look'], size: ['look'], margins: ['look'], accent: ['look'],
    pages: ['look'], page_hides: ['seen'], hides: ['seen'], downloads: ['seen'], pdf_url: ['seen'],
  },
  'resume.links': { label: ['drawer'], url: ['title', 'Add a link'] },
  'resume.skill_groups': { name: ['title', 'Name of the group'], level: ['sub', 'How well'], skills: ['chips', 'Add a skill'] },
  'resume.education': {
    institution: ['title', 'School or university'], degree: ['sub', 'Degree'], area: ['sub', 'Field of study'], ...dates,
    location: place, score: ['prose', 'Add the grade'], details: ['lines', 'Courses, a thesis and the like'],
  },
  'resume.certifications': {
    name: ['title', 'What was certified'], issuer: ['sub', 'By whom'], date: ['title-right', 'Issued'],
    end_date: ['title-right', 'Valid until'], summary: ['prose', 'What it is about'],
  },
  'resume.languages': { language: ['title', 'Language'], fluency: ['sub', 'How well'] },
  'resume.publications': {
    name: ['title', 'Title'], authors: ['chips', 'Add an author'], publisher: ['sub', 'Publisher or journal'],
    date: ['title-right', 'When'], summary: ['prose', 'What it is about'],
  },
  'resume.awards': {
    title: ['title', 'What was awarded'], awarder: ['sub', 'By whom'], date: ['title-right', 'When'],
    summary: ['prose', 'What it was awarded for'],
  },
  'resume.volunteer': {
    organization: ['title', 'Organization'], role: ['sub', 'Your role'], ...dates, location: place,
    summary: ['prose', 'What was done there'], highlights: ['lines', 'Add what stands out'],
  },
  'resume.interests': { name: ['title', 'Interest'], keywords: ['chips', 'More exactly'] },
  'resume.references': { print: ['section'], entries: ['section'] },
  'resume.references.entries': { name: ['title', 'Who'], reference: ['prose', 'What they say, or how they can be asked'] },
  'resume.sections': { title: ['heading'], entries: ['section'] },
  'resume.sections.entries': {
    text: ['prose', 'A paragraph'], bullet: ['title', 'A line with a bullet'], name: ['title', 'Name'],
    details: ['sub', 'What follows the name'], organization: ['sub', 'Organization'], date: ['title-right', 'When'], ...dates,
    location: place, summary: ['prose', 'More about it'], highlights: ['lines', 'Add a line'],
  },
};

/** The places of keys that stand in the same spot wherever they are, by the key. */
const shared: Readonly<Record<string, Place>> = {
  ...{ in: ['versions'], section: ['drawer'], id: ['drawer'], url: ['link', 'Add a link'], text: ['lines'] },
};

/** Returns the place of a key by the path of what has it; undefined if it has none, which a test of the schema reports. */
export function placeOf(parent: string, key: string): Place | undefined {
  if (parent.startsWith('views')) return ['versions'];
  if (parent === 'resume.titles') return ['heading'];
  if (parent === 'resume.hides') return ['seen'];
  return table[parent]?.[key] ?? shared[key];
}

/** Returns the view of the editor in which the value at a path is edited; empty for the paper. */
export function viewOf(path: Path): string {
  if (path[0] === 'views' && path.length > 1) return `version=${path[1]}`;
  const keys = path.filter((step) => typeof step === 'string');
  const spots = keys.map((key, index) => placeOf(keys.slice(0, index).join('.'), key)?.[0] ?? 'none');
  return spots.find((spot) => ['look', 'seen', 'versions'].includes(spot)) ?? '';
}

/** A field with its place. */
export interface PlacedField {
  readonly field: Field;
  readonly spot: Spot;
  readonly ghost: string;
}

const known = new Map<string, readonly PlacedField[]>();

/** Returns the fields of a list's entries or of a map, in the order in which they are shown. */
export function placedIn(parent: string, fields: Readonly<Record<string, Field>>): readonly PlacedField[] {
  const found = known.get(parent);
  if (found !== undefined) return found;
  const own = fields[parent];
  const inner = parent === '' ? Object.values(fields).filter(({ path }) => !path.includes('.')) : [];
  const order = Object.keys(table[parent] ?? {});
  const rankOf = ({ key }: Field) => (order.includes(key) ? order.indexOf(key) : order.length);
  const placed = (own !== undefined && 'fields' in own ? [...own.fields] : inner)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .flatMap((field): PlacedField[] => {
      const [spot, ghost = ''] = placeOf(parent, field.key) ?? ['drawer'];
      return [{ field, spot, ghost }];
    });
  known.set(parent, placed);
  return placed;
}
