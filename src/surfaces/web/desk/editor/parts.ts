/** A part of the profile document with a form of its own. */
export interface Part {
  /** The last segment of its address. */
  readonly name: string;
  readonly title: string;
  readonly group: (typeof groups)[number];
  /** The paths of its fields, in their order (see `fieldsByPath`). */
  readonly paths: readonly string[];
  /** Whether each entry of its list has a form of its own. */
  readonly isByEntry?: true;
  /** The preview that its form opens with; the PDF if absent. */
  readonly preview?: 'stranger' | 'page';
}

/** The groups of the outline, in order. */
export const groups = ['You', 'Work', 'More', 'How it appears'] as const;

export const parts: readonly Part[] = [
  {
    name: 'contact',
    title: 'Name and contact',
    group: 'You',
    paths: [
      'candidate.name',
      'candidate.title',
      'candidate.location',
      'resume.email',
      'resume.phone',
      'resume.links',
      'owner_email',
      'candidate.id',
    ],
  },
  {
    name: 'summary',
    title: 'Summary',
    group: 'You',
    paths: ['candidate.summary', 'candidate.years_experience', 'candidate.domains'],
  },
  { name: 'availability', title: 'Availability', group: 'You', paths: ['availability.status'] },
  { name: 'experience', title: 'Work', group: 'Work', paths: ['experience'], isByEntry: true },
  { name: 'projects', title: 'Projects', group: 'More', paths: ['projects'] },
  { name: 'education', title: 'Education', group: 'More', paths: ['resume.education'] },
  { name: 'skills', title: 'Skills', group: 'More', paths: ['resume.skills', 'resume.skill_groups'] },
  { name: 'certifications', title: 'Certifications', group: 'More', paths: ['resume.certifications'] },
  { name: 'languages', title: 'Languages', group: 'More', paths: ['resume.languages'] },
  {
    name: 'publications',
    title: 'Publications',
    group: 'More',
    paths: ['resume.publications', 'resume.publication_style'],
  },
  { name: 'awards', title: 'Awards', group: 'More', paths: ['resume.awards'] },
  { name: 'volunteer', title: 'Volunteering', group: 'More', paths: ['resume.volunteer'] },
  { name: 'interests', title: 'Interests', group: 'More', paths: ['resume.interests'] },
  { name: 'references', title: 'References', group: 'More', paths: ['resume.references'] },
  { name: 'sections', title: 'Sections of your own', group: 'More', paths: ['resume.sections'] },
  { name: 'notes', title: 'Notes', group: 'More', paths: ['notes'] },
  {
    name: 'order',
    title: 'Order and headings',
    group: 'How it appears',
    paths: ['resume.order', 'resume.experience_order', 'resume.titles', 'resume.language'],
  },
  {
    name: 'look',
    title: 'Look',
    group: 'How it appears',
    paths: [
      'resume.theme',
      'resume.paper',
      'resume.font',
      'resume.size',
      'resume.margins',
      'resume.pages',
      'accent',
      'resume.accent',
    ],
  },
  { name: 'photo', title: 'Photo', group: 'How it appears', paths: ['resume.photo'], preview: 'page' },
  {
    name: 'readers',
    title: 'Who sees what',
    group: 'How it appears',
    preview: 'stranger',
    paths: ['public', 'resume.pdf_url', 'resume.page_hides', 'resume.downloads', 'background', 'evidence'],
  },
];
