import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The JSON Schema 2020-12 of a zod schema as published: inputs closed, outputs open to grow and without the rules the
 * owner's document is held to. Shared shapes stand under `$defs`.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...published } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined || io === 'output') delete jsonSchema.pattern;
      if (io === 'output') delete jsonSchema.additionalProperties;
      else if (jsonSchema.type === 'object') jsonSchema.additionalProperties = false;
    },
  });
  return published;
}

/** The same schema with each shared shape in the place of its reference, for readers that do not follow references. */
export function inlined({ $defs = {}, ...schema }: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = typeof value?.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined;
    return name === undefined ? value : inlined({ ...$defs[name], $defs });
  });
}
