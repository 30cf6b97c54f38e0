import type { Resource, Tool } from '@modelcontextprotocol/server';
import { owner } from '../../operations/call.ts';
import { invoke } from '../../operations/invoke.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Edition, Services } from '../../operations/ports.ts';
import { inlined, toJsonSchema } from '../json-schema.ts';

/** A resource as it is listed, with the operation and the input that answer it. */
export interface Served {
  readonly listed: Resource;
  readonly operation: Operation;
  readonly input: Record<string, unknown>;
}

/** An operation as a tool; its annotations follow from its kind (specification, MCP tools). */
export function toTool({ name, title, description, kind, input, output }: Operation): Tool {
  const data = inlined(toJsonSchema(output, 'output'));
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

/** The resources of the catalogue by their URI, in its order. */
export const resourcesOf = (operations: readonly Operation[]): Map<string, Served> =>
  new Map(
    operations.flatMap((operation) =>
      (operation.resources ?? []).map(({ path, title, description, input = {} }) => {
        const uri = `candidate-profile://profile/${path}`;
        const listed = { uri, name: path, title, description, mimeType: 'application/json' };
        return [uri, { listed, operation, input }];
      }),
    ),
  );

/** The URIs of the resources that two editions answer differently. */
export async function changedResources(
  operations: readonly Operation[],
  services: Services,
  before: Edition,
  after: Edition,
): Promise<string[]> {
  // Nobody asked for these answers, so they are no part of the record of who read what.
  const etagOf = async ({ operation, input }: Served, edition: Edition) => {
    const call = { surface: 'mcp', caller: owner, input: () => input };
    const silent = { ...services, edition: () => edition, record: () => {} };
    return (await invoke(operation, call, silent)).etag;
  };
  const changed: string[] = [];
  for (const [uri, served] of resourcesOf(operations))
    if ((await etagOf(served, before)) !== (await etagOf(served, after))) changed.push(uri);
  return changed;
}
