import { html } from 'hono/html';
import type { Operation } from '../../../operations/operation.ts';
import type { Example } from '../../examples.ts';
import { inlined, type JsonSchema, toJsonSchema } from '../../json-schema.ts';
import type { Html, Site } from '../page.ts';
import { fieldsIn } from './fields.ts';
import type { ListedId } from './ways.ts';

interface TryIt {
  readonly site: Site;
  /** Makes the ids unique; the answer replaces what the element `PLACE-shown` holds. */
  readonly place: string;
  readonly button: Html;
  /** The id that the call is made with, if an operation lists such ids. */
  readonly listed?: ListedId | undefined;
}

/** A form that calls the operation from the page, for browsers that run scripts. */
export function tryIt(operation: Operation, { input: given }: Example, { site, place, button, listed }: TryIt): Html {
  const { access, summary, rest, input } = operation;
  const isSafe = rest.method === 'GET';
  const fields = fieldsIn(inlined(toJsonSchema(input, 'body')));
  return html`<form class="try" data-method="${rest.method}" data-path="${site.path(rest.path)}" data-answer="${place}-shown">
${fields.map(({ name: field, schema, isRequired }) => {
  const id = `${place}-try-${field}`;
  return html`<p class="field"><label for="${id}">${field}</label>${control(id, field, schema, isRequired, isSafe ? given[field] : undefined, listed)}</p>
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

function control(
  id: string,
  name: string,
  schema: JsonSchema,
  isRequired: boolean,
  value: unknown,
  listed?: ListedId,
): Html {
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
