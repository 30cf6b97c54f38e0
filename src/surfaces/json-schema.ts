import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Converts a zod schema to JSON Schema 2020-12, with shared schemas under `$defs`. An `input` forbids additional
 * properties, so that a misspelled field is noticed; a `body` allows them, because REST ignores unknown fields, and has
 * examples; an `output` has no patterns; an `outline` has only types, formats and required fields.
 */
export function toJsonSchema(schema: z.ZodType, use: 'input' | 'body' | 'output' | 'outline'): JsonSchema {
  const isOutput = use === 'output' || use === 'outline';
  const { $schema: _, ...published } = z.toJSONSchema(schema, {
    io: isOutput ? 'output' : 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (jsonSchema.format !== undefined || isOutput) delete jsonSchema.pattern;
      if (isOutput) delete jsonSchema.additionalProperties;
      if (use === 'outline') for (const keyword of omittedFromOutlines) delete jsonSchema[keyword];
      delete jsonSchema.examples;
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      // zod omits the examples of a field that converts its input.
      if (use === 'body' && examples !== undefined) jsonSchema.examples = examples as unknown[];
      if (use === 'input' && jsonSchema.type === 'object') jsonSchema.additionalProperties ??= false;
    },
  });
  return published;
}

const omittedFromOutlines = ['description', 'minLength', 'maxLength', 'minimum', 'maximum'] as const;

/** Replaces each `$ref` by its schema, for clients that don't resolve references. */
export function inlined({ $defs = {}, ...schema }: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = typeof value?.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined;
    return name === undefined ? value : inlined({ ...$defs[name], $defs });
  });
}
