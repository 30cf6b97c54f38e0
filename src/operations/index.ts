import { createAuthToken } from './auth.ts';
import { getBackground } from './background.ts';
import { getCandidate } from './candidate.ts';
import { createContact, getAvailability } from './contact.ts';
import { findEvidence } from './evidence.ts';
import { getExperience, listExperience } from './experience.ts';
import { eraseMyReads, getMyReads } from './me.ts';
import { getProject, listProjects } from './projects.ts';
import { getResume } from './resume.ts';

/** The catalogue: the tools of the specification in its order, then other tools, then all other operations. */
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
  getBackground,
  findEvidence,
  getMyReads,
  eraseMyReads,
] as const;
