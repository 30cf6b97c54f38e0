import { Project, ProjectSummary } from 'resume-profile/profile';
import { z } from 'zod';
import { findById, idOf } from './experience.ts';
import { operation } from './operation.ts';

export const listProjects = operation({
  name: 'list_projects',
  title: 'List projects',
  summary: 'Summaries of the projects in the portfolio.',
  description:
    "Use it to see what the candidate has built. Returns each project's id, name and summary; get_project gives tags and links.",
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/projects' },
  resources: [{ path: 'projects', title: 'Projects', description: 'Project summaries' }],
  input: z.object({}),
  output: z.array(ProjectSummary),
  handle: (_input, { profile }) => profile.projects,
});

export const getProject = operation({
  name: 'get_project',
  title: 'Get project',
  summary: 'One project by its id, with its tags and links.',
  description:
    'Use it to read one project in full. Returns its name, summary, tags and links (github, live, details), where it has them. The id is one that list_projects returned.',
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/projects/{id}' },
  input: z.object({ id: idOf('list_projects') }),
  output: Project,
  item: ({ id }) => id,
  handle: ({ id }, { profile }) => findById(profile.projects, id),
});
