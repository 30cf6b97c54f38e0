import { z } from 'zod';

/**
 * An operation's input from texts, as a query string or a command line has them: each field of the schema is looked up
 * by name. A field given more than once stays a list, which no schema accepts.
 */
export function toInput(schema: z.ZodObject, valuesOf: (field: string) => readonly string[]): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [field, fieldSchema] of Object.entries(schema.shape)) {
    const values = valuesOf(field);
    if (values.length > 1) input[field] = values;
    else if (values[0] !== undefined) input[field] = isBoolean(fieldSchema) ? toBoolean(values[0]) : values[0];
  }
  return input;
}

const isBoolean = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodBoolean || (schema instanceof z.ZodOptional && isBoolean(schema.unwrap()));

const toBoolean = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text);
