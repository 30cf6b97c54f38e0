import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The JSON Schema 2020-12 of a zod schema as published. An `input` is closed, so that a misspelled field is noticed; a `body`
 * is open, because REST ignores the fields it does not know; an `output` is open to grow and without the rules the owner's
 * document is held to. Shared shapes stand under `$defs`.
 */
export function toJsonSchema(schema: z.ZodType, use: 'input' | 'body' | 'output'): JsonSchema {
  const { $schema: _, ...published } = z.toJSONSchema(schema, {
    io: use === 'output' ? 'output' : 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined || use === 'output') delete jsonSchema.pattern;
      if (use === 'output') delete jsonSchema.additionalProperties;
      if (use === 'input' && jsonSchema.type === 'object') jsonSchema.additionalProperties = false;
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
