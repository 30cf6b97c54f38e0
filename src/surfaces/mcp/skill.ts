import { createHash } from 'node:crypto';
import { readACandidate } from '../../operations/skill.ts';
import { type Document, documentOf } from '../rest/documents.ts';

// The skill over MCP (SEP-2640, `modelcontextprotocol/ext-skills`) and at the well-known address of the draft for web
// sites (`cloudflare/agent-skills-discovery-rfc` 0.2.0), whose form may still change.

export const skillsExtension = { 'io.modelcontextprotocol/skills': {} };
export const skillIndexPath = '/.well-known/agent-skills/index.json';

const { name, description, body } = readACandidate;

export const skillPath = `/.well-known/agent-skills/${name}/SKILL.md`;

/** The URI of its file, which `resources/list` leaves out. */
export const skillUri = `skill://${name}/SKILL.md`;

const file = {
  uri: skillUri,
  mimeType: 'text/markdown',
  text: `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`,
};
const digest = `sha256:${createHash('sha256').update(file.text).digest('hex')}`;

const skill = {
  uri: skillUri,
  frontmatter: { name, description },
  resources: [{ uri: skillUri, digest, size: Buffer.byteLength(file.text) }],
};

/** It changes only with the version of the service. */
const hint = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

export const listSkills = () => ({ skills: [skill], ...hint });

/** Returns the result of `skills/get`; null for an unknown URI. */
export const getSkill = (uri: string) => (uri === skillUri ? { skill, ...hint } : null);

export const skillFile = { contents: [file] };

/** Tells an agent without support for skills where the same text is. */
export const skillInstructions = `The resource ${skillUri} says how to compare a role with the profile, and how to write to the candidate.`;

/** Returns the index of skills at the well-known address, for clients that are not connected. */
export const skillIndexOf = ({ baseUrl }: { readonly baseUrl: string }): Document =>
  documentOf(
    'application/json',
    JSON.stringify({
      $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
      skills: [{ name, type: 'skill-md', description, url: baseUrl + skillPath, digest }],
    }),
  );

export const skillDocument: Document = documentOf('text/markdown; charset=utf-8', file.text);
