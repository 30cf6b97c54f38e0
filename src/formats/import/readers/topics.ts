/** What a section of a resume is about. */
export type Topic =
  | 'volunteering'
  | 'skills'
  | 'languages'
  | 'certifications'
  | 'projects'
  | 'publications'
  | 'summary'
  | 'experience'
  | 'education';

// In this order: programming languages are skills, and volunteer experience is not a job.
const topics: readonly (readonly [Topic, RegExp])[] = [
  ['volunteering', /volunteer/],
  ['skills', /skill|technolog|programming|framework|\btools|expertise|competenc|tech(nical)? stack/],
  ['languages', /language/],
  ['certifications', /certif|licen[cs]e|credential/],
  ['projects', /project|open source|portfolio/],
  ['publications', /publication|papers|articles/],
  ['summary', /summary|about|profile|welcome|objective|introduction|\bbio\b/],
  ['experience', /experience|employment|career|internship|^work( history)?$/],
  ['education', /education|academic|degrees|studies/],
];

/** The topic of a section by its title, which its author chose; undefined if no topic matches. */
export function topicOf(title: string): Topic | undefined {
  const words = title.toLowerCase().replace(/[\s_-]+/g, ' ');
  return topics.find(([, pattern]) => pattern.test(words.trim()))?.[0];
}
