import { Profile } from 'resume-profile/profile-document';
import { isProse } from 'resume-profile/texts';
import { toJsonSchema } from '../src/surfaces/json-schema.ts';

/** Returns the text of `profile.schema.json`: the profile document as JSON Schema 2020-12, for editors. */
export function toProfileSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Profile',
    description: 'The profile document of candidate-profile, in YAML or JSON',
    ...(withMarksNamed(toJsonSchema(Profile, 'input'), []) as object),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const canHaveMarks = 'can have **strong**, *emphasis*, `code`, [links](https://…) and lines that begin with "- "';

/** A part of a schema, or some properties, whose descriptions name the texts that can have marks. */
function withMarksNamed(node: unknown, path: readonly string[], areProperties = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withMarksNamed(item, path));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, inner]) =>
    areProperties
      ? [key, withMarksNamed(described(inner, [...path, key]), [...path, key])]
      : [key, withMarksNamed(inner, path, key === 'properties')],
  );
  return Object.fromEntries(entries);
}

interface Property {
  readonly type?: string;
  readonly items?: { readonly type?: string; readonly anyOf?: readonly { readonly type?: string }[] };
  readonly description?: string;
}

function described(property: Property, path: readonly string[]): Property {
  const { type, items, description } = property;
  const isTexts = [items, ...(items?.anyOf ?? [])].some((item) => item?.type === 'string');
  if (!isProse(path) || (type !== 'string' && !isTexts)) return property;
  return { ...property, description: [...(description === undefined ? [] : [description]), canHaveMarks].join('; ') };
}
