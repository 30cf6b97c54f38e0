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

// The first that fits: programming languages are skills, volunteer experience is no job.
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

/** What a section is about, by a title its author was free to choose; undefined where the profile has no place for it. */
export function topicOf(title: string): Topic | undefined {
  const words = title.toLowerCase().replace(/[\s_-]+/g, ' ');
  return topics.find(([, pattern]) => pattern.test(words.trim()))?.[0];
}
