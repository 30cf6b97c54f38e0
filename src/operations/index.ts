import { createAuthToken } from './auth.ts';
import { getCandidate } from './candidate.ts';
import { createContact, getAvailability } from './contact.ts';
import { getExperience, listExperience } from './experience.ts';
import { getProject, listProjects } from './projects.ts';
import { getResume } from './resume.ts';

/** The catalogue, in the order of the specification's table of tools. */
export const operations = [
  getCandidate,
  listExperience,
  getExperience,
  listProjects,
  getProject,
  getAvailability,
  getResume,
  createAuthToken,
  createContact,
] as const;
