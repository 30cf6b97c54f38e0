import type { Prompt } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isVisible } from '../../model/visible-text.ts';
import type { Operation } from '../../operations/operation.ts';

/** The values of `focus`; all but the first are first segments of REST paths. */
const focuses = ['general', 'experience', 'projects', 'resume'] as const;

/** The one prompt (answers, MCP). */
export const summaryPrompt = {
  name: 'candidate_profile_summary',
  title: 'Candidate profile summary',
  description: "Asks for a summary of the candidate's profile, made with the tools of this server.",
  arguments: [
    {
      name: 'focus',
      description: 'What to focus on: general (the default), experience, projects or resume',
      required: false,
    },
  ],
} satisfies Prompt;

const PromptName = z.literal(summaryPrompt.name, 'unknown prompt, take a name from prompts/list');

/** Parameters of `prompts/get`. */
export const PromptParams = z.object({
  name: PromptName,
  arguments: z
    .object({ focus: z.enum(focuses, 'must be general, experience, projects or resume').nullish() })
    .nullish(),
});

/** Parameters of `completion/complete`. */
export const CompletionParams = z.object({
  ref: z.object({ name: PromptName }),
  argument: z.object({ name: z.string(), value: z.string() }),
});

/** Returns the message of the prompt; its only profile text is the candidate's name, which may be empty. */
export function toSummaryRequest(
  { arguments: given }: z.infer<typeof PromptParams>,
  operations: readonly Operation[],
  name: string,
): string {
  const focus = given?.focus ?? 'general';
  const fits = (segment?: string) => focus === 'general' || segment === 'candidate' || segment === focus;
  const tools = operations.filter(({ kind, rest }) => kind === 'read' && fits(rest.path.split('/')[1]));
  return [
    `Summarise the professional profile of ${isVisible(name) ? name : 'the candidate'}${focus === 'general' ? '' : `, with a focus on ${focus}`}.`,
    `Use what you need of these tools: ${tools.map((tool) => tool.name).join(', ')}.`,
    'State only what they return, and say so where something is missing.',
  ].join('\n');
}

/** Returns the values of the prompt's argument that begin with what has been typed so far. */
export const completionsOf = ({ argument: { name, value } }: z.infer<typeof CompletionParams>): string[] =>
  name === 'focus' ? focuses.filter((focus) => focus.startsWith(value)) : [];
