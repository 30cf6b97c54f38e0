import { html } from 'hono/html';
import type { Operation } from '../../../operations/operation.ts';
import { type Example, listOf } from '../../examples.ts';
import { inlined, type JsonSchema, toJsonSchema } from '../../json-schema.ts';
import { isTool, resourcesOf } from '../../mcp/catalogue.ts';
import type { Html } from '../page.ts';
import { errorList } from './errors.ts';
import { type About, type Field, fieldList, fieldsIn, tryIt } from './fields.ts';
import { anchored, caption, codeBlock, type Reference, section, toJsonHtml } from './frame.ts';
import { listedIdOf, toTarget, waysOf } from './ways.ts';

/** Shows one operation: its purpose, input and answer, and the ways to call it. */
export function operationSection(operation: Operation, reference: Reference): Html {
  const { name, title, summary, rest, access } = operation;
  const prose = html`${anchored(2, name, title)}
<p class="address"><b>${rest.method}</b> ${rest.path}${rest.alias === undefined ? '' : html`, also ${rest.alias}`}</p>
<p>${summary}${access === 'open' ? ' It needs no token.' : ''}</p>
${parameters(operation, reference)}
${answer(operation, reference)}
${anchored(3, `${name}-errors`, 'Errors')}
${errorList(operation, reference)}
${anchored(3, `${name}-agents`, 'For agents')}
${forAgents(operation, reference)}`;
  return section(name, prose, example(operation, reference));
}

function parameters(operation: Operation, reference: Reference): Html | string {
  const { name, rest, input } = operation;
  const fields = fieldsIn(inlined(toJsonSchema(input, 'body')));
  const inPath = fields.filter((field) => rest.path.includes(`{${field.name}}`));
  const others = fields.filter((field) => !inPath.includes(field));
  const list = (title: string, listed: readonly Field[]) =>
    listed.length === 0
      ? ''
      : html`${anchored(3, `${name}-${title.toLowerCase()}`, title)}
${fieldList(listed, ({ schema, isRequired }) => html`${linked(constraintsOf(schema, isRequired), reference)}`)}`;
  const key: Field = { name: 'Idempotency-Key', schema: { type: 'string' }, isRequired: false };
  return html`${list('Path', inPath)}
${list(rest.method === 'POST' ? 'Body' : 'Query', others)}
${
  operation.kind === 'mutation' && operation.acceptsIdempotencyKey
    ? html`${anchored(3, `${name}-header`, 'Header')}
${fieldList([key], () => 'A key of your choice, such as a UUID. The same request sent again with it within 24 hours is answered as the first was, and leaves nothing behind again. Optional.')}`
    : ''
}`;
}

function constraintsOf({ description = '', maxLength, default: preset }: JsonSchema, isRequired: boolean): string {
  const sentences = [
    description.replace(/\.?$/, '.'),
    ...(maxLength === undefined ? [] : [`At most ${maxLength.toLocaleString('en')} characters.`]),
    ...(preset === undefined ? (isRequired ? [] : ['Optional.']) : [`Optional, ${preset} unless given.`]),
  ];
  return sentences.join(' ');
}

function answer(operation: Operation, { operations, examples }: Reference): Html {
  const { name, rest, output } = operation;
  const heading = anchored(3, `${name}-answer`, 'Answer');
  const status = rest.status ?? 200;
  if (status === 204) return html`${heading}<p><code>204</code> without a body.</p>`;
  const schema = inlined(toJsonSchema(output, 'output'));
  const taker = operations.find((one) => listOf(one, operations) === operation);
  const about: About = ({ schema: { description = '' }, isRequired }, path) =>
    html`${description}${isRequired ? '' : `${description === '' ? 'M' : '; m'}ay be absent`}${
      path === 'id' && taker !== undefined ? html`. Pass it to <a href="#${taker.name}">${taker.title}</a>.` : ''
    }`;
  const variants = (schema.anyOf as readonly JsonSchema[] | undefined) ?? [schema];
  const { calls } = examples.get(name)!;
  return html`${heading}
<p class="soft small"><code>${status}</code>, ${schema.items === undefined ? 'an object' : 'an array of objects'} with these fields</p>
${variants.map((variant) => {
  const call = variants.length === 1 ? undefined : calls.find(({ data }) => isOf(variant, data));
  return html`${call === undefined ? '' : html`<p class="variant small">${captionOf(call)}</p>`}
${fieldList(fieldsIn(variant), about)}`;
})}`;
}

const isOf = ({ required = [] }: JsonSchema, data: unknown): boolean =>
  typeof data === 'object' && data !== null && required.every((field) => field in data);

/** The title of an example, in words. */
const captionOf = ({ input }: Example): Html => {
  const given = Object.entries(input);
  return given.length === 0
    ? html`Without parameters`
    : html`With ${given.map(([field, value]) => html`<code>${field}=${String(value)}</code>`)}`;
};

function forAgents(operation: Operation, reference: Reference): Html {
  const uris = [...resourcesOf(reference.operations)].filter(([, { operation: of }]) => of === operation);
  const tool = isTool(reference, operation)
    ? html`Tool <a href="${reference.site.path(`/docs/mcp#tool-${operation.name}`)}"><code>${operation.name}</code></a>`
    : html`No tool`;
  return html`<p>${tool}${uris.map(([uri]) => html`, resource <code>${uri}</code>`)}.</p>`;
}

function example(operation: Operation, reference: Reference): Html {
  const { name, rest } = operation;
  const { site } = reference;
  const [first, ...others] = reference.examples.get(name)!.calls;
  const ways = waysOf(operation, first!, reference);
  const status = `${rest.status ?? 200}`;
  const listed = listedIdOf(operation, first!, reference);
  return html`<fieldset class="ways">
<legend class="unseen">Ways to call it</legend>
${ways.map(
  ({ id, title }, index) =>
    html`<input type="radio" class="unseen" name="way-${name}" value="${id}" id="${name}-${id}"${
      index === 0 ? html` checked` : ''
    }><label for="${name}-${id}">${title}</label>
`,
)}</fieldset>
${ways.map(
  ({ id, code, note }) => html`<div class="way ${id}">
${code === undefined ? html`<p class="small">${note}</p>` : codeBlock(`${name}-${id}-code`, code, listed)}
${id === 'typescript' ? html`<p class="small soft">It needs <a href="${site.path('/docs/client#types')}">openapi-fetch and the types</a>, which two commands get once.</p>` : ''}
</div>
`,
)}
${tryIt(operation, first!, reference, name, html`Try it<span class="unseen">: ${operation.title}</span>`)}
${answerOf(operation, first!, reference, {
  id: `${name}-shown`,
  status: `${status} ${status === '200' ? 'OK' : status === '201' ? 'Created' : 'No Content'}`,
  data: first!.data,
  more: html`${others.map(
    (
      other,
    ) => html`<details data-target="${site.path(toTarget(operation, other))}"><summary>${rest.method} ${toTarget(operation, other)}</summary>
${toJsonHtml(other.data)}</details>
`,
  )}`,
})}`;
}

interface ShownAnswer {
  readonly id: string;
  readonly status: string;
  readonly data: unknown;
  readonly more?: Html;
}

/** Shows the answer of an example; with a token, that of this profile takes its place if it is one of a GET request. */
export function answerOf(operation: Operation, example: Example, reference: Reference, shown: ShownAnswer): Html {
  const { id, status, data, more = '' } = shown;
  const { method, path } = operation.rest;
  const listed = listedIdOf(operation, example, reference);
  // The script of the page puts an id of the list into the path.
  const target = reference.site.path(listed === undefined ? toTarget(operation, example) : path);
  return html`<div class="answer" id="${id}"${method === 'GET' ? html` data-target="${target}"` : ''}${
    method === 'GET' && listed !== undefined ? html` data-list="${listed.list}"` : ''
  }>
${caption(status, operation.kind === 'read' ? 'the sample profile’s answer' : 'an example')}
${data === undefined ? '' : toJsonHtml(data)}
${more}</div>`;
}

/** A text with the names of operations as links to them. */
function linked(text: string, { operations }: Reference): Html {
  const parts = text.split(/\b([a-z]+_[a-z_]+)\b/);
  return html`${parts.map((part) => {
    const named = operations.find(({ name }) => name === part);
    return named === undefined ? part : html`<a href="#${named.name}">${named.title}</a>`;
  })}`;
}
