import { languageCodes } from 'resume-profile/resume-language';

/** The label of a field, and what is said of it. */
interface Label {
  readonly label: string;
  readonly hint?: string;
  /** The label of the empty choice. */
  readonly none?: string;
  /** Texts that are often written there. */
  readonly usual?: readonly string[];
  /** The noun of one entry of a list, in "Add …". */
  readonly entry?: string;
}

/**
 * Returns the label of a path of the profile document (see `fieldsByPath`). Throws if it has none; a test covers each
 * key of the schema.
 */
export function labelOf(path: string): Label {
  const label = labels[path] ?? shared[path.slice(path.lastIndexOf('.') + 1)];
  if (label === undefined) throw new Error(`no label for ${path}`);
  return label;
}

/** The labels of values, if they differ from the values. */
const options: Readonly<Record<string, string>> = {
  pdf: 'PDF',
  docx: 'Word',
  a4: 'A4',
  'us-letter': 'US Letter',
  latex: 'LaTeX',
  noto: 'Noto Sans',
  libertinus: 'Libertinus Serif',
  'computer-modern': 'New Computer Modern',
  'source-sans': 'Source Sans, headings in Source Serif',
  'source-serif': 'Source Serif, headings in Source Sans',
  plex: 'IBM Plex Serif, headings in IBM Plex Sans',
  garamond: 'EB Garamond, headings in Source Sans',
  roboto: 'Roboto, headings in Roboto Slab',
  by_year: 'Below their years',
  latest_first: 'The latest first',
  as_written: 'In the order that you give them here',
  id: 'Your id',
  years_experience: 'Years of experience',
  domains: 'Areas of expertise',
  volunteer: 'Volunteering',
  counts: 'How many jobs and projects there are',
  email: 'E-mail address',
};

/** Returns the label of a value that can be chosen. */
export const optionOf = (value: string): string =>
  options[value] ?? value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ');

/** Labels that are the same everywhere, by the last key of the path. */
const shared: Readonly<Record<string, Label>> = {
  section: { label: 'Under another heading', hint: 'The title of the section that has it instead' },
  url: { label: 'Link' },
  location: { label: 'Place' },
  date: { label: 'Date' },
  start_date: { label: 'From' },
  end_date: { label: 'To' },
  id: { label: 'Id', hint: 'Programs refer to it, so do not change it.' },
  summary: { label: 'In a sentence or two' },
  highlights: { label: 'What stands out', entry: 'line' },
  name: { label: 'Name' },
};

const labels: Readonly<Record<string, Label>> = {
  owner_email: { label: 'Where the service writes to you', hint: 'Visitors never see it.' },
  notes: {
    label: 'Notes for yourself',
    hint: 'Shown to nobody. An import puts here what it found no place for.',
    entry: 'note',
  },
  accent: { label: 'Colour' },
  public: { label: 'Everyone' },
  background: {
    label: 'Programs of those with access may read the rest of the resume, too',
    hint: 'Education, certifications, languages, publications, awards, volunteering and your own sections, as the page shows them.',
  },
  evidence: {
    label: 'Programs of those with access may ask what you have for the requirements of a job',
    hint: 'They send the text of a job and get your own words that share something with each requirement. The text is not kept, and nothing is assessed.',
  },

  candidate: { label: 'You' },
  'candidate.name': { label: 'Your name' },
  'candidate.title': { label: 'Your title' },
  'candidate.location': { label: 'Where you live' },
  'candidate.summary': { label: 'About you' },
  'candidate.years_experience': {
    label: 'Years of experience',
    hint: 'If it is empty, people do not see it, and programs get the years counted from your jobs.',
  },
  'candidate.domains': { label: 'Areas of expertise', entry: 'area' },
  availability: { label: 'Availability' },
  'availability.status': { label: 'Whether you can be approached' },

  experience: { label: 'Companies', entry: 'company' },
  'experience.company': { label: 'Company' },
  'experience.summary': { label: 'What the company does, or what you did there' },
  'experience.roles': { label: 'Roles', entry: 'role' },
  'experience.roles.title': { label: 'Job title' },
  'experience.roles.summary': { label: 'The role in a sentence or two' },
  'experience.roles.location': { label: 'Place, if it is another' },
  'experience.company_start_date': { label: 'There from', hint: 'Follows the roles' },
  'experience.company_end_date': { label: 'There to', hint: 'Follows the roles' },
  'experience.url': { label: 'Site of the company' },
  'experience.roles.accomplishments': { label: 'What you achieved', entry: 'line' },

  projects: { label: 'Projects', entry: 'project' },
  'projects.role': { label: 'Your part in it' },
  'projects.summary': { label: 'What it does' },
  'projects.tags': { label: 'Made with', entry: 'word' },
  'projects.links': { label: 'Links' },
  'projects.links.github': { label: 'Source code' },
  'projects.links.live': { label: 'Where it runs' },
  'projects.links.details': { label: 'More about it' },

  resume: { label: 'Resume' },
  'resume.skills': {
    label: 'Skills',
    hint: 'One on each line. If you put them in groups below, leave it empty.',
    entry: 'skill',
  },
  'resume.skill_groups': { label: 'Groups of skills', entry: 'group' },
  'resume.skill_groups.name': { label: 'Name of the group' },
  'resume.skill_groups.level': { label: 'How well' },
  'resume.skill_groups.skills': { label: 'Skills', entry: 'skill' },
  'resume.email': { label: 'E-mail address' },
  'resume.phone': { label: 'Phone' },
  'resume.links': { label: 'Links', entry: 'link' },
  'resume.links.label': { label: 'Name' },
  'resume.links.url': { label: 'Address' },
  'resume.education': { label: 'Education', entry: 'school' },
  'resume.education.institution': { label: 'School or university' },
  'resume.education.area': { label: 'Field of study' },
  'resume.education.degree': { label: 'Degree' },
  'resume.education.score': { label: 'Grade' },
  'resume.education.details': { label: 'Courses, a thesis and the like', entry: 'line' },
  'resume.certifications': { label: 'Certifications', entry: 'certificate' },
  'resume.certifications.name': { label: 'What was certified' },
  'resume.certifications.date': { label: 'Issued' },
  'resume.certifications.end_date': { label: 'Valid until' },
  'resume.certifications.issuer': { label: 'By whom' },
  'resume.languages': { label: 'Languages', entry: 'language' },
  'resume.languages.language': { label: 'Language' },
  'resume.languages.fluency': { label: 'How well' },
  'resume.publications': { label: 'Publications', entry: 'publication' },
  'resume.publications.name': { label: 'Title' },
  'resume.publications.authors': { label: 'Authors, in order', entry: 'author' },
  'resume.publications.publisher': { label: 'Publisher or journal' },
  'resume.publication_style': { label: 'How publications are listed', none: 'One below the other, without numbers' },
  'resume.awards': { label: 'Awards', entry: 'award' },
  'resume.awards.title': { label: 'What was awarded' },
  'resume.awards.awarder': { label: 'By whom' },
  'resume.volunteer': { label: 'Volunteering', entry: 'activity' },
  'resume.volunteer.organization': { label: 'Organization' },
  'resume.volunteer.role': { label: 'Your role' },
  'resume.interests': { label: 'Interests', entry: 'interest' },
  'resume.interests.name': { label: 'Interest' },
  'resume.interests.keywords': { label: 'More exactly', entry: 'word' },
  'resume.references': { label: 'References' },
  'resume.references.print': { label: 'Print them', hint: 'On the page and in the PDF. Programs never get them.' },
  'resume.references.entries': { label: 'References', entry: 'reference' },
  'resume.references.entries.name': { label: 'Who' },
  'resume.references.entries.reference': { label: 'What they say, or how they can be asked' },
  'resume.sections': { label: 'Sections of your own', entry: 'section' },
  'resume.sections.title': { label: 'Title' },
  'resume.sections.entries': { label: 'Entries', entry: 'entry' },
  'resume.sections.entries.text': { label: 'A paragraph' },
  'resume.sections.entries.bullet': { label: 'A line with a bullet' },
  'resume.sections.entries.name': { label: 'Something with a name' },
  'resume.sections.entries.details': { label: 'What follows the name' },
  'resume.sections.entries.organization': { label: 'Organization' },

  'resume.order': { label: 'Order of the sections', entry: 'section' },
  'resume.titles': { label: 'Your own headings' },
  ...Object.fromEntries(
    'summary experience projects skills education certifications languages publications awards volunteer interests references domains'
      .split(' ')
      .map((key) => [`resume.titles.${key}`, { label: optionOf(key) }]),
  ),
  'resume.experience_order': {
    label: 'Order of the jobs',
    hint: 'Programs always get the latest first.',
    none: 'The latest first',
  },
  'resume.language': {
    label: 'Language of the headings, the months and the page',
    usual: languageCodes,
  },
  'resume.photo': { label: 'Photo' },
  'resume.hides': { label: 'Left out' },
  'resume.hides.page': { label: 'On the page' },
  'resume.hides.pdf': { label: 'In the PDF' },
  'resume.hides.word': { label: 'In Word' },
  'resume.hides.programs': { label: 'For programs' },
  'resume.page_hides': { label: 'In the PDF, but not on the page' },
  'resume.downloads': { label: 'Files that the page offers' },
  'resume.pdf_url': { label: 'A PDF of your own', hint: 'Its address, given out instead of the one made here.' },
  'resume.theme': { label: 'Look of the PDF' },
  'resume.paper': { label: 'Paper', none: 'As the service is set, usually A4' },
  'resume.font': { label: 'Typefaces', none: 'As the look has them' },
  'resume.size': { label: 'Size of the text' },
  'resume.margins': { label: 'Margins', none: 'As the look has them' },
  'resume.accent': { label: 'Another colour for the PDF' },
  'resume.pages': { label: 'Pages at most' },
};
