import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The JSON Schema of a profile document. */
export const schemaPath = fileURLToPath(new URL('../profile.schema.json', import.meta.url));

/** Returns the path of the schema from a document's folder, for editors. */
export const schemaFrom = (folder: string): string => relative(folder, schemaPath);
