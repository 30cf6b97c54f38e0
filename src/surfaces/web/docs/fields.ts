import { html } from 'hono/html';
import type { JsonSchema } from '../../json-schema.ts';
import type { Html } from '../page.ts';

/** One row of a list of fields. */
export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Returns a description with links, or what else is to be said of a field; `path` is such as `roles[].title`. */
export type About = (field: Field, path: string) => Html | string;

/** The fields of an object or of the objects of an array; none of anything else. */
export function fieldsIn(schema: JsonSchema): readonly Field[] {
  const { properties = {}, required = [] } = itemOf(schema);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property as JsonSchema,
    isRequired: required.includes(name),
  }));
}

/** Lists fields with their types and what they mean; the fields of objects are listed below their own. */
export function fieldList(fields: readonly Field[], about: About, parent = ''): Html {
  return html`<dl class="fields">
${fields.map((field) => {
  const isList = field.schema.items !== undefined;
  const path = `${parent}${field.name}${isList ? '[]' : ''}`;
  const inner = fieldsIn(field.schema);
  const said = about(field, path);
  return html`<dt><code>${breakable(field.name)}${isList ? '[]' : ''}</code></dt>
<dd>${typeOf(field.schema)}${String(said) === '' ? '' : html`<p>${said}</p>`}${
    inner.length === 0 ? '' : fieldList(inner, about, `${path}.`)
  }</dd>
`;
})}</dl>`;
}

const itemOf = (schema: JsonSchema): JsonSchema => (schema.items === undefined ? schema : (schema.items as JsonSchema));

/** The type of a value in words, with the values of an enumeration. */
function typeOf({ type, anyOf, const: value, enum: values, format, items }: JsonSchema): Html | string {
  if (anyOf !== undefined) return html`${joined((anyOf as JsonSchema[]).map(typeOf))}`;
  if (values !== undefined) return html`${joined(values.map((one) => html`<code>${one}</code>`))}`;
  if (value !== undefined) return html`<code>${value}</code>`;
  if (items !== undefined) return html`array of ${typeOf(items as JsonSchema)}s`;
  if (type === 'boolean') return html`<code>true</code> or <code>false</code>`;
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'instant';
  return format === 'uri' ? 'URL' : [type].flat().join(' or ');
}

/** A name that may be broken after an underscore. */
const breakable = (name: string) =>
  name.split(/(?<=_)/).map((part, index) => html`${index === 0 ? '' : html`<wbr>`}${part}`);

const joined = (parts: readonly (Html | string)[]) =>
  parts.map((part, index) => html`${index === 0 ? '' : ' or '}${part}`);
