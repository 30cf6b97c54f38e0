import { html } from 'hono/html';
import type { Operation } from '../../../operations/operation.ts';
import type { Example } from '../../examples.ts';
import { inlined, type JsonSchema, toJsonSchema } from '../../json-schema.ts';
import type { Html, Site } from '../page.ts';
import { fieldsIn } from './fields.ts';

/**
 * A form that calls the operation from the page, for browsers that run scripts. The answer replaces what the element `PLACE-shown`
 * holds; `place` makes the ids unique.
 */
export function tryIt(operation: Operation, { input: given }: Example, place: string, site: Site): Html {
  const { title, access, summary, rest, kind, input } = operation;
  const fields = fieldsIn(inlined(toJsonSchema(input, 'body')));
  return html`<form class="try" data-method="${rest.method}" data-path="${site.path(rest.path)}" data-answer="${place}-shown" aria-label="Try ${title}">
${fields.map(({ name: field, schema, isRequired }) => {
  const id = `${place}-try-${field}`;
  return html`<p class="field"><label for="${id}">${field}</label>${control(id, field, schema, isRequired, kind === 'read' ? given[field] : undefined)}</p>
`;
})}${
  kind === 'read'
    ? ''
    : html`<p class="small">${access === 'open' ? '' : html`<b>This call is real.</b> `}${summary}${
        access === 'open' ? '' : html` <label class="sure"><input type="checkbox" required> Yes, do this</label>`
      }</p>
`
}<p class="go"><button>Try it</button></p>
</form>`;
}

function control(id: string, name: string, schema: JsonSchema, isRequired: boolean, value: unknown): Html {
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  if (values !== undefined)
    return html`<select id="${id}" name="${name}">
${isRequired ? '' : html`<option value="">–</option>`}${values.map(
  (one) => html`<option${one === value ? html` selected` : ''}>${String(one)}</option>`,
)}
</select>`;
  const attributes = html`id="${id}" name="${name}"${isRequired ? html` required` : ''}${
    schema.maxLength === undefined ? '' : html` maxlength="${schema.maxLength}"`
  }`;
  if ((schema.maxLength ?? 0) > 1_000) return html`<textarea ${attributes} rows="3"></textarea>`;
  return html`<input ${attributes} value="${value === undefined ? '' : String(value)}" autocomplete="${name === 'email' ? 'email' : 'off'}">`;
}
