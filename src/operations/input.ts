import { z } from 'zod';
import { Failure } from '../model/failure.ts';

/** Parses the input of an operation; null counts as absent. Throws `BAD_REQUEST` with the first error. */
export function checkInput({ input }: { readonly input: z.ZodObject }, given: unknown): Record<string, unknown> {
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== null);
  const result = input.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new Failure('BAD_REQUEST', `${path.join('.')} ${message}`);
}

/** Throws `BAD_REQUEST` unless an idempotency key is well-formed. */
export function checkKey(key: string): void {
  if (!/^[!-~]{1,255}$/.test(key))
    throw new Failure('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}

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
