import type { Draft } from '../readers/draft.ts';
import { topicOf } from '../readers/topics.ts';

/** The sections by which an import is accounted for, each with the noun for one of its entries. */
export const nounOf = {
  work: 'job',
  'work: place and website': 'job',
  education: 'school',
  skills: 'skill',
  'name, title, summary, contact': 'item',
  links: 'link',
  location: 'location',
  projects: 'project',
  languages: 'language',
  publications: 'publication',
  certifications: 'certification',
  awards: 'award',
  interests: 'interest',
  references: 'reference',
  volunteer: 'volunteer role',
  photo: 'picture',
  'further sections': 'item',
  other: 'item',
} as const;
export type Section = keyof typeof nounOf;

/** In the order in which they are reported. */
export const sections = Object.keys(nounOf) as Section[];

const person: Section = 'name, title, summary, contact';

/** The keys of a draft that have another name than their section. */
const renamed: Partial<Record<keyof Draft, Section>> = {
  id: person,
  name: person,
  title: person,
  summary: person,
  yearsExperience: person,
  availability: person,
  email: person,
  phone: person,
  domains: 'skills',
  positions: 'work',
  skillGroups: 'skills',
  sections: 'further sections',
};

/** The section that a key of a draft belongs to. */
export const sectionOfKey = (key: string): Section =>
  renamed[key as keyof Draft] ?? sections.find((section) => section === key) ?? 'other';

/** The section that a list of the input is about by its key or title. */
export function sectionOfTitle(title: string): Section {
  const topic = topicOf(title.replace(/\.csv$/i, ''));
  if (topic === 'experience' || title === 'Positions.csv') return 'work';
  if (topic === 'volunteering') return 'volunteer';
  return sections.find((section) => section === topic) ?? 'other';
}
