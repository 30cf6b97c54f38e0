import type { Resource, Tool } from '@modelcontextprotocol/server';
import type { Profile } from '../../model/profile/profile-document.ts';
import { offeredIn } from '../../operations/offered.ts';
import type { Operation, Read } from '../../operations/operation.ts';
import { inlined, toJsonSchema } from '../json-schema.ts';

/** A resource as `resources/list` returns it, with the operation and the input that it is read with. */
export interface ServedResource {
  readonly listed: Resource;
  readonly operation: Read;
  readonly input: Record<string, unknown>;
}

/** Whether an operation is a tool; mutations are with `mutations`. What is kept of a token is for the person to see and to erase. */
export const isTool = ({ mutations }: { readonly mutations: boolean }, { kind }: Operation): boolean =>
  kind === 'read' || (kind === 'mutation' && mutations);

/**
 * Converts an operation to a tool; the annotations follow from its kind (specification, MCP tools). A client reads all tools into
 * the context of a model, so the output is an outline: the tool's description and the names of the fields say the rest.
 */
export function toTool({ name, title, description, kind, input, output }: Operation): Tool {
  const data = inlined(toJsonSchema(output, 'outline'));
  return {
    name,
    title,
    description,
    inputSchema: inlined(toJsonSchema(input, 'input')) as Tool['inputSchema'],
    outputSchema: { type: 'object', properties: { data }, required: ['data'] },
    annotations: {
      readOnlyHint: kind === 'read',
      idempotentHint: kind === 'read',
      destructiveHint: false,
      openWorldHint: true,
    },
  };
}

/** The resources of the catalogue by URI, in its order. */
export const resourcesOf = (operations: readonly Operation[]): Map<string, ServedResource> =>
  new Map(
    operations.flatMap((operation) => {
      if (operation.kind !== 'read') return [];
      return (operation.resources ?? []).map(({ path, title, description, input = {} }) => {
        const uri = `candidate-profile://profile/${path}`;
        const listed = { uri, name: path, title, description, mimeType: 'application/json' };
        return [uri, { listed, operation, input }];
      });
    }),
  );

/** What clients are offered while a profile is served, by name and by URI, with the lists as they are sent. */
export interface Catalogue {
  readonly operations: readonly Operation[];
  readonly toolOperations: ReadonlyMap<string, Operation>;
  readonly tools: Tool[];
  readonly servedResources: ReadonlyMap<string, ServedResource>;
  readonly resources: Resource[];
}

/** Returns a function that returns the catalogue of a profile, made once for each. */
export function openCatalogue(
  operations: readonly Operation[],
  options: { readonly mutations: boolean },
): (profile: Profile) => Catalogue {
  const known = new WeakMap<Profile, Catalogue>();
  return (profile) => {
    const catalogue = known.get(profile) ?? toCatalogue(offeredIn(operations, profile), options);
    known.set(profile, catalogue);
    return catalogue;
  };
}

function toCatalogue(operations: readonly Operation[], options: { readonly mutations: boolean }): Catalogue {
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
