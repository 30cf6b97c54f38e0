import { z } from 'zod';

/**
 * Converts the texts of a query string or command line to an operation's input. `valuesOf` looks up a field of the schema by
 * name. A field given several times stays a list, which no schema accepts.
 */
export function toInput(schema: z.ZodObject, valuesOf: (field: string) => readonly string[]): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [field, fieldSchema] of Object.entries(schema.shape)) {
    const values = valuesOf(field);
    if (values.length > 1) input[field] = values;
    else input[field] = isBoolean(fieldSchema) ? toBoolean(values[0]) : values[0];
  }
  return input;
}

const isBoolean = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodBoolean || (schema instanceof z.ZodOptional && isBoolean(schema.unwrap()));

const toBoolean = (text: string | undefined): unknown => (text === 'true' ? true : text === 'false' ? false : text);
