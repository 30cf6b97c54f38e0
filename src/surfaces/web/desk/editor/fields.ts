import { Profile } from 'resume-profile/profile-document';
import { toJsonSchema } from '../../../json-schema.ts';

/** A key of the profile document, as a form has it. */
export type Field = { readonly key: string; readonly path: string; readonly isRequired: boolean } & Control;

type Control =
  | { readonly kind: 'text' | 'flag' }
  /** `isPlaced`: whether each entry or text can name the views that show it. */
  | { readonly kind: 'texts'; readonly isPlaced: boolean }
  /** Whether it goes on if it is empty, or if a box of its own is ticked. */
  | { readonly kind: 'date'; readonly goesOn: 'never' | 'if-empty' | 'by-box' }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly isWhole: boolean }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'choices'; readonly options: readonly string[]; readonly preset: readonly string[] | null }
  | { readonly kind: 'group' | 'list'; readonly fields: readonly Field[]; readonly isPlaced?: boolean };

/** A part of a JSON Schema, as far as that of the profile document uses it. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

let known: ReadonlyMap<string, Field> | undefined;

/**
 * Returns the fields of the profile document by path: keys joined by dots, those of the entries of a list directly below
 * that of the list (`experience.roles.title`).
 */
export function fieldsByPath(): ReadonlyMap<string, Field> {
  // When it is first needed, because the schema takes long to convert.
  known ??= new Map(flat(fieldsOf(toJsonSchema(Profile, 'input') as Schema, '')).map((field) => [field.path, field]));
  return known;
}

/** Returns the field of a value by its path with the indexes of lists, as the names of controls have them. */
export const fieldAt = (name: string): Field | undefined => fieldsByPath().get(name.replaceAll(/\.\d+(?=\.|$)/g, ''));

function flat(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [field, ...('fields' in field ? flat(field.fields) : [])]);
}

function fieldsOf({ properties = {}, required = [] }: Schema, parent: string): Field[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = parent === '' ? key : `${parent}.${key}`;
    if (isUnshown(key, path)) return [];
    return [{ key, path, isRequired: required.includes(key), ...controlOf(schema, path) }];
  });
}

/** Whether a key has no control: it follows from another, is for text editors, or is of views. */
export const isUnshown = (key: string, path: string): boolean =>
  ['$schema', 'experience.current', 'views'].includes(path) || key === 'in';

const hasPlacement = ({ properties }: Schema): boolean => properties?.in !== undefined;

function controlOf(schema: Schema, path: string): Control {
  const { type, items, anyOf } = schema;
  if (schema.enum !== undefined) return { kind: 'choice', options: schema.enum };
  if (type === 'boolean') return { kind: 'flag' };
  if (type === 'integer' || type === 'number') {
    const { minimum: min, maximum: max } = schema;
    return {
      kind: 'number',
      isWhole: type === 'integer',
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    };
  }
  if (type === 'object') return { kind: 'group', fields: fieldsOf(schema, path) };
  if (type === 'array' && items?.enum !== undefined)
    return { kind: 'choices', options: items.enum, preset: (schema.default as readonly string[] | undefined) ?? null };
  // A paragraph of a section may be a text instead of an object, and a text one that names its views.
  const entry = items?.anyOf?.find(({ type: one, properties }) => one === 'object' && properties?.bullet) ?? items;
  if (entry?.type === 'object') return { kind: 'list', fields: fieldsOf(entry, path), isPlaced: hasPlacement(entry) };
  if (type === 'array') return { kind: 'texts', isPlaced: items?.anyOf?.some(hasPlacement) ?? false };
  if (anyOf === undefined) return { kind: 'text' };
  if (!anyOf.some((one) => one.type === 'null')) return { kind: 'date', goesOn: 'never' };
  // Of a job, an end that is left out is null; of anything else it is not stated.
  return { kind: 'date', goesOn: path.startsWith('experience.') ? 'if-empty' : 'by-box' };
}
