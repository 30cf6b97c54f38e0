import { html } from 'hono/html';
import type { Operation } from '../../../operations/operation.ts';
import type { Example } from '../../examples.ts';
import { inlined, type JsonSchema, toJsonSchema } from '../../json-schema.ts';
import type { Html } from '../page.ts';
import type { ListedId, Reference } from './frame.ts';
import { listedIdOf } from './ways.ts';

/** One row of a list of fields. */
export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Returns a description with links, or further remarks on a field; `path` is such as `roles[].title`. */
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

/** Lists fields with their types and meanings; the fields of objects are listed below their own. */
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

/**
 * A form that calls the operation from the page, for browsers that run scripts. `place` makes its ids unique; the
 * answer replaces the content of the element `PLACE-shown`.
 */
export function tryIt(
  operation: Operation,
  example: Example,
  reference: Pick<Reference, 'operations' | 'site'>,
  place: string,
  button: Html,
): Html {
  const listed = listedIdOf(operation, example, reference);
  const { access, summary, rest, input } = operation;
  const isSafe = rest.method === 'GET';
  const fields = fieldsIn(inlined(toJsonSchema(input, 'body')));
  return html`<form class="try" data-method="${rest.method}" data-path="${reference.site.path(rest.path)}" data-answer="${place}-shown">
${fields.map((field) => {
  const id = `${place}-try-${field.name}`;
  return html`<p class="field"><label for="${id}">${field.name}</label>${control(id, field, isSafe ? example.input[field.name] : undefined, listed)}</p>
`;
})}${
  isSafe
    ? ''
    : html`<p class="small">${access === 'open' ? '' : html`<b>This call is real.</b> `}${summary}${
        access === 'open' ? '' : html` <label class="sure"><input type="checkbox" required> Yes, do this</label>`
      }</p>
`
}<p class="go"><button>${button}</button></p>
</form>`;
}

function control(id: string, { name, schema, isRequired }: Field, value: unknown, listed?: ListedId): Html {
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  if (values !== undefined)
    return html`<select id="${id}" name="${name}">
${isRequired || schema.default !== undefined ? '' : html`<option value="">–</option>`}${values.map(
  (one) => html`<option${one === (value ?? schema.default) ? html` selected` : ''}>${String(one)}</option>`,
)}
</select>`;
  const attributes = html`id="${id}" name="${name}"${isRequired ? html` required` : ''}${
    schema.maxLength === undefined ? '' : html` maxlength="${schema.maxLength}"`
  }${value === listed?.id && listed !== undefined ? html` data-list="${listed.list}"` : ''}`;
  if ((schema.maxLength ?? 0) > 1_000) return html`<textarea ${attributes} rows="3"></textarea>`;
  return html`<input ${attributes} value="${value === undefined ? '' : String(value)}" autocomplete="${name === 'email' ? 'email' : 'off'}">`;
}
