import { z } from 'zod';
import { result } from './mcp-result.mjs';

// The read tools and the resources of the service, for the servers on the SDK, which checks results against the schemas.

const data = result.structuredContent?.data ?? JSON.parse(result.contents[0].text);

const date = z.string();
const role = z.object({
  title: z.string(),
  start_date: date,
  end_date: date.nullable(),
  accomplishments: z.array(z.string()),
});
const candidate = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  location: z.string(),
  summary: z.string(),
  years_experience: z.number().int(),
  domains: z.array(z.string()),
});
const experience = z.object({
  id: z.string(),
  company: z.string(),
  company_start_date: date,
  company_end_date: date.nullable(),
  current: z.boolean(),
  summary: z.string(),
  roles: z.array(role),
});
const project = z.object({ id: z.string(), name: z.string(), summary: z.string() });
const resume = z.object({
  name: z.string(),
  title: z.string(),
  experience: z.array(experience.omit({ id: true, summary: true })),
  skills: z.array(z.string()),
});

const tools = [
  ['get_candidate', 'The candidate.', {}, candidate],
  ['list_experience', 'Experience entries.', { current: z.boolean().optional() }, z.array(experience)],
  ['get_experience', 'One experience entry.', { id: z.string() }, experience],
  ['list_projects', 'Project summaries.', {}, z.array(project)],
  ['get_project', 'One project.', { id: z.string() }, project],
  ['get_availability', 'The availability.', {}, z.object({ status: z.string() })],
  ['get_resume', 'The resume.', { format: z.enum(['json', 'pdf']).optional() }, resume],
].map(([name, description, input, output]) => ({
  name,
  config: { description, inputSchema: z.object(input), outputSchema: z.object({ data: output }) },
}));

const resources = ['candidate', 'experience', 'projects', 'availability', 'resume/json', 'resume/pdf'];

/** Registers all tools and resources; each gives the data that the service has answered with. */
export function register(server) {
  for (const { name, config } of tools)
    server.registerTool(name, config, async () => ({
      content: [{ type: 'text', text: JSON.stringify(data, null, 2) }],
      structuredContent: { data },
    }));
  for (const path of resources)
    server.registerResource(
      path,
      `candidate-profile://profile/${path}`,
      { mimeType: 'application/json' },
      async (uri) => ({
        contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(data, null, 2) }],
      }),
    );
}
