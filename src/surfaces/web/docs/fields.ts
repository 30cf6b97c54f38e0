import { html } from 'hono/html';
import type { JsonSchema } from '../../json-schema.ts';
import { type Html, joined } from '../page.ts';

export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Returns a description with links, or further remarks on a field; `path` is, for example, `roles[].title`. */
export type About = (field: Field, path: string) => Html | string;

/** The fields of an object or of an array's objects; empty for anything else. */
export function fieldsIn(schema: JsonSchema): readonly Field[] {
  const { properties = {}, required = [] } = (schema.items as JsonSchema | undefined) ?? schema;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property as JsonSchema,
    isRequired: required.includes(name),
  }));
}

/** Lists fields with their types and meanings; the fields of objects are listed below their own. */
export function fieldList(fields: readonly Field[], about: About, parent = ''): Html {
  return html`<dl class="facts ruled fields">
${fields.map((field) => {
  const { name, schema } = field;
  const list = schema.items === undefined ? '' : '[]';
  const inner = fieldsIn(schema);
  const remark = about(field, parent + name + list);
  return html`<div><dt><code>${joined(name.split(/(?<=_)/), html`<wbr>`)}${list}</code></dt>
<dd>${typeOf(schema)}${String(remark) === '' ? '' : html`<p>${remark}</p>`}</dd>
${inner.length === 0 ? '' : html`<dd>${fieldList(inner, about, `${parent}${name}${list}.`)}</dd>\n`}</div>
`;
})}</dl>`;
}

/** The type of a value in words, with the values of an enumeration. */
function typeOf({ type, anyOf, const: value, enum: values, format, items }: JsonSchema): Html | string {
  if (anyOf !== undefined) return joined((anyOf as JsonSchema[]).map(typeOf), ' or ');
  if (values !== undefined) return joined(values.map(inCode), ' or ');
  if (value !== undefined) return inCode(value);
  if (items !== undefined) return html`array of ${typeOf(items as JsonSchema)}s`;
  if (type === 'boolean') return joined([true, false].map(inCode), ' or ');
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'instant';
  return format === 'uri' ? 'URL' : [type].flat().join(' or ');
}

// Converts to a string, because the template leaves out booleans.
const inCode = (value: unknown): Html => html`<code>${String(value)}</code>`;
