import { createAuthToken } from './auth.ts';
import { getCandidate } from './candidate.ts';
import { createContact, getAvailability } from './contact.ts';
import { getExperience, listExperience } from './experience.ts';
import { eraseMyReads, getMyReads } from './me.ts';
import { getProject, listProjects } from './projects.ts';
import { getResume } from './resume.ts';

/** The catalogue, in the order of the specification's table of tools, then what is not a tool. */
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
  getMyReads,
  eraseMyReads,
] as const;
