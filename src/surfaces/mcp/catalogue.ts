import type { Prompt, Resource, Tool } from '@modelcontextprotocol/server';
import type { Profile } from 'resume-profile/profile-document';
import { isVisible } from 'resume-profile/text';
import { z } from 'zod';
import { answerTo } from '../../operations/invoke.ts';
import { namesOf, type Operation, offeredIn } from '../../operations/operation.ts';
import type { Edition, Services } from '../../operations/ports.ts';
import { inlined, toJsonSchema } from '../json-schema.ts';
import { cardUri } from './card.ts';

/** Whether an operation is a tool; mutations are with `mutations`, and operations on a token's own record never are. */
export const isTool = ({ mutations }: { readonly mutations: boolean }, { kind }: Operation): boolean =>
  kind === 'read' || kind === 'search' || (kind === 'mutation' && mutations);

/**
 * Converts an operation to a tool. Its output is an outline, because a client puts all tools into a model's context.
 */
export function toTool(operation: Operation): Tool {
  const { name, title, description, kind, input, output } = operation;
  const data = inlined(toJsonSchema(output, 'outline'));
  return {
    name,
    title,
    description,
    inputSchema: inlined(toJsonSchema(input, 'input')) as Tool['inputSchema'],
    outputSchema: { type: 'object', properties: { data }, required: ['data'] },
    annotations: {
      readOnlyHint: kind !== 'mutation',
      idempotentHint: kind !== 'mutation',
      destructiveHint: false,
      openWorldHint: true,
    },
    ...('hasCard' in operation && { _meta: { ui: { resourceUri: cardUri } } }),
  };
}

/** The resources of the catalogue by URI, in its order, as `resources/list` returns them, each with how it is read. */
export const resourcesOf = (operations: readonly Operation[]) =>
  new Map(
    operations.flatMap((operation) => {
      if (operation.kind !== 'read') return [];
      return (operation.resources ?? []).map(({ path, title, description, input = {} }) => {
        const uri = `candidate-profile://profile/${path}`;
        const listed: Resource = { uri, name: path, title, description, mimeType: 'application/json' };
        return [uri, { listed, operation, input }] as const;
      });
    }),
  );

/** Returns a function that returns the catalogue of a profile, with the lists as they are sent, made once for each. */
export function openCatalogue(all: readonly Operation[], options: { readonly mutations: boolean }) {
  function toCatalogue(profile: Profile) {
    const operations = offeredIn(all, profile);
    const tools = operations.filter((operation) => isTool(options, operation));
    const servedResources = resourcesOf(operations);
    return {
      operations,
      toolOperations: new Map(tools.map((operation) => [operation.name, operation])),
      tools: tools.map(toTool),
      servedResources,
      resources: [...servedResources.values()].map(({ listed }) => listed),
    };
  }
  const known = new WeakMap<Profile, ReturnType<typeof toCatalogue>>();
  return (profile: Profile) => {
    const catalogue = known.get(profile) ?? toCatalogue(profile);
    known.set(profile, catalogue);
    return catalogue;
  };
}

/** The differences between two editions that clients are notified of. */
export type Changes = ReturnType<typeof changesBetween>;

/** Changes by the view that they are of; null is the whole profile. */
export type ChangesByView = ReadonlyMap<string | null, Changes>;

/** Returns the differences between two editions; `before` is null for the first profile. */
export function changesBetween(
  before: Edition | null,
  after: Edition,
  operations: readonly Operation[],
  services: Pick<Services, 'hash'>,
) {
  const offeredBy = (edition: Edition | null) => (edition === null ? [] : offeredIn(operations, edition.profile));
  const etagsIn = (edition: Edition | null) =>
    new Map(
      [...resourcesOf(offeredBy(edition))].map(([uri, { operation, input }]) => [
        uri,
        answerTo(operation, input, edition!, services).etag,
      ]),
    );
  const namesIn = (edition: Edition | null) => namesOf(offeredBy(edition));
  const [old, latest] = [etagsIn(before), etagsIn(after)];
  return {
    /** The URIs of the resources whose entity tags differ, or that only one of the editions offers. */
    resources: [...resourcesOf(operations).keys()].filter((uri) => old.get(uri) !== latest.get(uri)),
    /** Whether the editions offer different tools and resources. */
    isListChanged: namesIn(before) !== namesIn(after),
  };
}

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

export const PromptParams = z.object({
  name: PromptName,
  arguments: z
    .object({ focus: z.enum(focuses, 'must be general, experience, projects or resume').nullish() })
    .nullish(),
});

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
