import { Profile } from 'resume-profile/profile-document';
import { toJsonSchema } from '../../../json-schema.ts';

/** A key of the profile document, as a field of a form. */
export type Field = { readonly key: string; readonly path: string; readonly isRequired: boolean } & Control;

type Control =
  | { readonly kind: 'text' | 'flag' | 'number' }
  /** `isPlaced`: whether each text can name the views that show it. */
  | { readonly kind: 'texts'; readonly isPlaced: boolean }
  /** `goesOn`: whether a date is ongoing if it is empty, or if its checkbox is ticked. */
  | { readonly kind: 'date'; readonly goesOn: 'never' | 'if-empty' | 'by-box' }
  | { readonly kind: 'choice' | 'choices'; readonly options: readonly string[] }
  | { readonly kind: 'group' | 'list'; readonly fields: readonly Field[] };

/** The keywords of JSON Schema that the schema of the profile document uses. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

let known: ReadonlyMap<string, Field> | undefined;

/**
 * Returns the fields of the profile document by path: keys joined by dots, without the indexes of lists
 * (`experience.roles.title`).
 */
export function fieldsByPath(): ReadonlyMap<string, Field> {
  // On first use, because the schema takes long to convert.
  known ??= new Map(flat(fieldsOf(toJsonSchema(Profile, 'input') as Schema, '')).map((field) => [field.path, field]));
  return known;
}

/** Returns the field of a control by its name, which is the path of the value with the indexes of lists. */
export const fieldAt = (name: string): Field | undefined => fieldsByPath().get(name.replaceAll(/\.\d+(?=\.|$)/g, ''));

function flat(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [field, ...('fields' in field ? flat(field.fields) : [])]);
}

function fieldsOf({ properties = {}, required = [] }: Schema, parent: string): Field[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = parent === '' ? key : `${parent}.${key}`;
    // It is derived from another key, is for text editors, or is about views.
    if (['$schema', 'experience.current', 'views'].includes(path) || key === 'in') return [];
    return [{ key, path, isRequired: required.includes(key), ...controlOf(schema, path) }];
  });
}

const hasPlacement = ({ properties }: Schema): boolean => properties?.in !== undefined;

function controlOf(schema: Schema, path: string): Control {
  const { type, items, anyOf } = schema;
  if (schema.enum !== undefined) return { kind: 'choice', options: schema.enum };
  if (type === 'boolean') return { kind: 'flag' };
  if (type === 'integer' || type === 'number') return { kind: 'number' };
  if (type === 'object') return { kind: 'group', fields: fieldsOf(schema, path) };
  if (type === 'array' && items?.enum !== undefined) return { kind: 'choices', options: items.enum };
  // A paragraph of a section is a text or an object; other texts are objects if they name their views.
  const entry = items?.anyOf?.find(({ type: one, properties }) => one === 'object' && properties?.bullet) ?? items;
  if (entry?.type === 'object') return { kind: 'list', fields: fieldsOf(entry, path) };
  if (type === 'array') return { kind: 'texts', isPlaced: items?.anyOf?.some(hasPlacement) ?? false };
  if (anyOf === undefined) return { kind: 'text' };
  if (!anyOf.some((one) => one.type === 'null')) return { kind: 'date', goesOn: 'never' };
  // An end that is left out is null for a job; elsewhere it is unknown.
  return { kind: 'date', goesOn: path.startsWith('experience.') ? 'if-empty' : 'by-box' };
}
