/** The sections of a printed resume that have a key in the profile; further sections are called by their titles. */
// biome-ignore format: a table
export const sectionKeys = [
  'summary', 'experience', 'projects', 'skills', 'education', 'certifications', 'languages', 'publications', 'awards',
  'volunteer', 'interests', 'references',
] as const;
export type SectionKey = (typeof sectionKeys)[number];

/** The sections whose titles a profile can give. */
export const titledKeys = [...sectionKeys, 'domains'] as const;
export type TitledKey = (typeof titledKeys)[number];
