export { fromJsonResume, toJsonResume } from './json-resume.ts';
export { lint, type Warning } from './lint.ts';
export { Profile } from './profile-document.ts';
export { type DocumentFault, type ProfileReading, readProfileText } from './profile-reader.ts';
export { toProfileYaml } from './profile-writer.ts';
export type { Edit } from './yaml/change.ts';
export { applyEdit } from './yaml/edit.ts';
