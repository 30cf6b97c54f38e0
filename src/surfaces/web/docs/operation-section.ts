import { STATUS_CODES } from 'node:http';
import { html } from 'hono/html';
import type { Operation } from '../../../operations/operation.ts';
import { type Example, listOf } from '../../examples.ts';
import { inlined, type JsonSchema, toJsonSchema } from '../../json-schema.ts';
import { isTool, resourcesOf } from '../../mcp/catalogue.ts';
import { type Html, tabs } from '../page.ts';
import { clientProgram } from '../visitor/connections.ts';
import { errorList } from './errors.ts';
import { type About, type Field, fieldList, fieldsIn } from './fields.ts';
import { anchored, caption, example, json, type ListedId, part, type Reference, section } from './frame.ts';

/** Shows one operation: its purpose, input and answer, and the ways to call it. */
export function operationSection(operation: Operation, reference: Reference): Html {
  const { name, title, summary, rest, access } = operation;
  return section(
    name,
    html`${anchored(2, name, title)}
<p class="address"><b>${rest.method}</b> ${rest.path}${rest.alias === undefined ? '' : html`, also ${rest.alias}`}</p>
<p>${summary}${access === 'open' ? ' It needs no token.' : ''}</p>
${parameters(operation, reference)}
${part(`${name}-answer`, 'Answer', answerFields(operation, reference))}
${part(`${name}-errors`, 'Errors', errorList(operation, reference))}
${part(`${name}-agents`, 'For agents', forAgents(operation, reference))}`,
    examples(operation, reference),
  );
}

const isInPath = ({ rest }: Operation, name: string): boolean => rest.path.includes(`{${name}}`);

function parameters(operation: Operation, reference: Reference): Html {
  const { name, rest, input } = operation;
  const fields = Object.groupBy(fieldsIn(inlined(toJsonSchema(input, 'body'))), ({ name }) =>
    isInPath(operation, name) ? 'Path' : rest.method === 'POST' ? 'Body' : 'Query',
  );
  const hasKey = operation.kind === 'mutation' && operation.acceptsIdempotencyKey;
  const { description } = reference.document.components.parameters.IdempotencyKey;
  const key: Field = { name: 'Idempotency-Key', schema: { type: 'string', description }, isRequired: false };
  return html`${Object.entries({ ...fields, ...(hasKey && { Header: [key] }) }).map(([title, listed]) =>
    part(
      `${name}-${title.toLowerCase()}`,
      title,
      fieldList(listed, ({ schema, isRequired }) => linked(constraintsOf(schema, isRequired), reference)),
    ),
  )}`;
}

function constraintsOf({ description = '', maxLength, default: preset }: JsonSchema, isRequired: boolean): string {
  const sentences = [
    description.replace(/\.?$/, '.'),
    ...(maxLength === undefined ? [] : [`At most ${maxLength.toLocaleString('en')} characters.`]),
    ...(preset === undefined ? (isRequired ? [] : ['Optional.']) : [`Optional, ${preset} unless given.`]),
  ];
  return sentences.join(' ');
}

function answerFields({ name, rest, output }: Operation, { operations, examples }: Reference): Html {
  const status = rest.status ?? 200;
  if (status === 204) return html`<p><code>204</code> without a body.</p>`;
  const schema = inlined(toJsonSchema(output, 'output'));
  const taker = operations.find((one) => listOf(one, operations)?.name === name);
  const about: About = ({ schema: { description = '' }, isRequired }, path) =>
    html`${description}${isRequired ? '' : `${description === '' ? 'M' : '; m'}ay be absent`}${
      path === 'id' && taker !== undefined ? html`. Pass it to <a href="#${taker.name}">${taker.title}</a>.` : ''
    }`;
  const variants = (schema.anyOf as readonly JsonSchema[] | undefined) ?? [schema];
  const { calls } = examples.get(name)!;
  return html`<p class="soft small"><code>${status}</code>, ${schema.items === undefined ? 'an object' : 'an array of objects'} with these fields</p>
${variants.map((variant) => {
  const call = variants.length === 1 ? undefined : calls.find(({ data }) => isOf(variant, data));
  return html`${call === undefined ? '' : html`<p class="variant small">${captionOf(call)}</p>`}
${fieldList(fieldsIn(variant), about)}`;
})}`;
}

const isOf = ({ required = [] }: JsonSchema, data: unknown): boolean =>
  typeof data === 'object' && data !== null && required.every((field) => field in data);

const captionOf = ({ input }: Example): Html => {
  const fields = Object.entries(input);
  return fields.length === 0
    ? html`Without parameters`
    : html`With ${fields.map(([field, value]) => html`<code>${field}=${String(value)}</code>`)}`;
};

function forAgents(operation: Operation, reference: Reference): Html {
  const uris = [...resourcesOf(reference.operations)].filter(([, { operation: of }]) => of === operation);
  const tool = isTool(reference, operation)
    ? html`Tool <a href="${reference.site.path(`/docs/mcp#tool-${operation.name}`)}"><code>${operation.name}</code></a>`
    : html`No tool`;
  return html`<p>${tool}${uris.map(([uri]) => html`, resource <code>${uri}</code>`)}.</p>`;
}

/** A text in which the names of operations are links to them. */
function linked(text: string, { operations }: Reference): Html {
  const words = text.split(/\b([a-z]+_[a-z_]+)\b/).map((word) => {
    const named = operations.find(({ name }) => name === word);
    return named === undefined ? word : html`<a href="#${named.name}">${named.title}</a>`;
  });
  return html`${words}`;
}

function examples(operation: Operation, reference: Reference): Html {
  const { name, title, rest } = operation;
  const { site } = reference;
  const [first, ...others] = reference.examples.get(name)!.calls;
  const listed = listedIdOf(operation, first!, reference);
  const way = (value: string, title: string, code: string, note: Html | '' = '') => {
    const id = `${name}-${value}`;
    return { id, value, title, content: html`${code === '' ? '' : example(`${id}-code`, code, listed)}${note}` };
  };
  const { status = 200 } = rest;
  return html`${tabs({ name: `way-${name}`, legend: 'Ways to call it' }, [
    way('curl', 'curl', toCurl(operation, first!, site.baseUrl)),
    way(
      'typescript',
      'TypeScript',
      toTypeScript(operation, first!, site.baseUrl),
      html`<p class="small soft">It needs <a href="${site.path('/docs/client#types')}">openapi-fetch and the types</a>, which two commands get once.</p>`,
    ),
    isTool(reference, operation)
      ? way('mcp', 'MCP', toToolCall(operation, first!))
      : way('mcp', 'MCP', '', html`<p class="small">${noteWithoutTool(operation)}</p>`),
  ])}
${tryIt(operation, first!, reference, name, html`Try it<span class="unseen">: ${title}</span>`)}
${answerOf(operation, first!, reference, {
  id: `${name}-shown`,
  status: `${status} ${STATUS_CODES[status]}`,
  data: first!.data,
  more: html`${others.map((other) => {
    const target = toTarget(operation, other);
    return html`<details class="small" data-target="${site.path(target)}"><summary>${rest.method} ${target}</summary>
${json(other.data)}</details>
`;
  })}`,
})}`;
}

/** Shows the answer of an example. With a token, the answer to the same GET request for this profile replaces it. */
export function answerOf(
  operation: Operation,
  call: Example,
  reference: Reference,
  { id, status, data, more = '' }: { id: string; status: string; data: unknown; more?: Html | '' },
): Html {
  const { method, path } = operation.rest;
  const listed = listedIdOf(operation, call, reference);
  // The script of the page inserts an id of the list into the path.
  const target = reference.site.path(listed === undefined ? toTarget(operation, call) : path);
  return html`<div class="answer" id="${id}"${method === 'GET' ? html` data-target="${target}"` : ''}${
    method === 'GET' && listed !== undefined ? html` data-list="${listed.list}"` : ''
  }>
${caption(status, operation.kind === 'read' ? 'the sample profile’s answer' : 'an example')}
${data === undefined ? '' : json(data)}
${more}</div>`;
}

/** Returns the id in an example's call, if an operation lists such ids. */
export function listedIdOf(
  operation: Operation,
  { input }: Example,
  { operations, site }: Pick<Reference, 'operations' | 'site'>,
): ListedId | undefined {
  const list = listOf(operation, operations);
  return list === undefined ? undefined : { id: String(input.id), list: site.path(list.rest.path) };
}

/** The path of the call, with its query. */
function toTarget(operation: Operation, { input }: Example): string {
  const { rest } = operation;
  const path = rest.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const others = Object.entries(input).filter(([name]) => rest.method !== 'POST' && !isInPath(operation, name));
  const query = new URLSearchParams(others.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? path : `${path}?${query}`;
}

function toCurl(operation: Operation, call: Example, baseUrl: string): string {
  const { rest, access } = operation;
  const { method } = rest;
  const body = JSON.stringify(call.input, null, Object.keys(call.input).length > 1 ? 2 : undefined);
  return [
    `curl ${method === 'GET' || method === 'POST' ? '' : `-X ${method} `}${inShell(baseUrl + toTarget(operation, call))}`,
    ...(access === 'open' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(method === 'POST' ? ['-H "Content-Type: application/json"', `-d ${inShell(body)}`] : []),
  ].join(' \\\n  ');
}

/** Quotes a text as one word of a POSIX shell, and of zsh, which expands `?` in words without quotes. */
const inShell = (text: string): string => (/^[\w@%+:,./=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A program that uses openapi-fetch and the types from openapi-typescript. */
function toTypeScript(operation: Operation, { input }: Example, baseUrl: string): string {
  const { rest, access } = operation;
  const params = Object.entries(
    Object.groupBy(Object.entries(input), ([name]) => (isInPath(operation, name) ? 'path' : 'query')),
  ).map(([place, fields]) => [place, Object.fromEntries(fields)]);
  const options = rest.method === 'POST' ? { body: input } : { params: Object.fromEntries(params) };
  const hasOptions = rest.method === 'POST' || params.length > 0;
  return `${clientProgram(baseUrl, access === 'open' ? null : '$TOKEN')}
const { data, error } = await client.${rest.method}('${rest.path}'${hasOptions ? `, ${toLiteral(options)}` : ''});
console.log(error ?? data);`;
}

/** An object literal for a program: its content on one line, if it has one field. */
function toLiteral(value: unknown): string {
  const oneLine = (text: string) => text.replace(/\{\n +([^\n ][^\n]*)\n +\}/g, '{ $1 }');
  return oneLine(oneLine(JSON.stringify(value, null, 2).replace(/"(\w+)":/g, '$1:')));
}

const toToolCall = ({ name }: Operation, { input }: Example): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }, null, 2);

/**
 * A form that calls the operation from the page, for browsers that run scripts. `place` makes its ids unique; the answer
 * replaces the content of the element `PLACE-shown`.
 */
export function tryIt(
  operation: Operation,
  call: Example,
  reference: Pick<Reference, 'operations' | 'site'>,
  place: string,
  button: Html,
): Html {
  const listed = listedIdOf(operation, call, reference);
  const { access, summary, rest, input } = operation;
  const isSafe = rest.method === 'GET';
  const fields = fieldsIn(inlined(toJsonSchema(input, 'body')));
  const warning =
    access === 'open'
      ? summary
      : html`<b>This call is real.</b> ${summary} <label class="choice"><input type="checkbox" required> <b>Yes, do this</b></label>`;
  return html`<form class="try compact no-print" data-needs-script data-method="${rest.method}" data-path="${reference.site.path(rest.path)}" data-answer="${place}-shown">
${fields.map((field) => {
  const id = `${place}-try-${field.name}`;
  return html`<p class="field"><label for="${id}">${field.name}</label>${control(id, field, isSafe ? call.input[field.name] : undefined, listed)}</p>
`;
})}${isSafe ? '' : html`<p class="small">${warning}</p>\n`}<p class="go"><button>${button}</button></p>
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

const noteWithoutTool = ({ kind }: Operation): string =>
  kind === 'mutation'
    ? 'This service lets agents read only: it does not offer this tool.'
    : 'This is not offered over MCP.';
