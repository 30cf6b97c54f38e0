import { html } from 'hono/html';
import { inlined, toJsonSchema } from '../../json-schema.ts';
import { isTool, resourcesOf, toTool } from '../../mcp/catalogue.ts';
import { summaryPrompt } from '../../mcp/prompt.ts';
import type { Html } from '../page.ts';
import { connectionsOf, type Snippet } from '../visitor/connections.ts';
import { unpublished } from './client-page.ts';
import { fieldList, fieldsIn } from './fields.ts';
import { anchored, codeBlock, section } from './frame.ts';
import { toJsonHtml } from './json.ts';
import { type Exchange, type Exchanges, openExchanges } from './mcp-exchanges.ts';
import type { Reference } from './reference.ts';

/** What `/docs/mcp` holds: how to connect, then each tool, resource and prompt with a real exchange. */
export async function mcpPage(reference: Reference): Promise<Html> {
  const exchanges = openExchanges(reference);
  const parts = [
    await connecting(reference, exchanges),
    ...(await tools(reference, exchanges)),
    ...(await resources(reference, exchanges)),
    await prompt(exchanges),
    await errors(reference, exchanges),
  ];
  return html`${parts}`;
}

async function connecting({ site, mutations }: Reference, exchanges: Exchanges): Promise<Html> {
  const { baseUrl, hasOauth } = site;
  const programs = connectionsOf({ baseUrl, hasOauth, token: '$TOKEN', serverName: 'candidate-profile' });
  // The programs that speak MCP.
  const snippets = programs.flatMap((program) => program.snippets).filter(({ text }) => text.includes('/mcp'));
  const withToken = snippets.filter(({ text }) => text.includes('$TOKEN'));
  const byAddress = snippets.filter((snippet) => !withToken.includes(snippet));
  return html`${section(
    'connect',
    html`<h1>MCP</h1>
<p>An agent reads the profile at</p>
<pre><code>${baseUrl}/mcp</code></pre>
<p>over Streamable HTTP, with ${hasOauth ? 'a token that its program gets by OAuth, or with ' : ''}the bearer token of the REST API. Programs of both eras of the protocol are served: those of revision
2026-07-28 without a session, each message by itself, and those of 2025-11-25 and older, which begin with <code>initialize</code>.</p>
<p>What tools return is data about the candidate, never instructions to an agent.</p>
${hasOauth ? anchored(2, 'connect', 'By the address alone') : tokenProse(baseUrl, 'connect', 'Connect', site)}
${
  hasOauth
    ? html`<p>Programs that know OAuth need the address and nothing else. They open a page here, on which you enter your e-mail address and
allow them to read; the candidate is told your address and which program it was. Their tokens last an hour, and they renew them by themselves.</p>
<p>A program gets the scope <code>profile:read</code>${
        mutations
          ? html`, unless it asks for <code>contact:write</code>: with that it may send messages in your name.`
          : '.'
      }</p>`
    : ''
}`,
    snippetsOf(hasOauth ? byAddress : withToken),
  )}
${hasOauth ? section('connect-token', tokenProse(baseUrl, 'connect-token', 'With a token', site), snippetsOf(withToken)) : ''}
${section(
  'hello',
  html`${anchored(2, 'hello', 'The first message')}
<p>A program of revision 2026-07-28 asks <code>server/discover</code>. Its headers repeat what the message says, and its
<code>_meta</code> names the revision and the program. Every request on this page was sent to this server with headers like these.</p>
<p>A program of an older revision sends <code>initialize</code>, and is answered by an event stream of one event.</p>`,
  html`${exchange('hello', await exchanges.ask('server/discover'), true)}
<details><summary>initialize, 2025-11-25</summary>
${exchange('initialize', await exchanges.initialize())}</details>`,
)}`;
}

const tokenProse = (
  baseUrl: string,
  id: string,
  title: string,
  site: Reference['site'],
): Html => html`${anchored(2, id, title)}
<p>Put your token in place of <var>$TOKEN</var>; <a href="${site.path('/docs#access')}">you get one</a> for your e-mail address.</p>
<p>A program that speaks stdio alone is connected by mcp-remote, as Claude Desktop is here, or by this project’s own command, with the
token in <code>CANDIDATE_PROFILE_TOKEN</code>:</p>
<pre><code>candidate-profile mcp --url ${baseUrl}</code></pre>
${unpublished({ site })}`;

const snippetsOf = (snippets: readonly Snippet[]): Html =>
  html`${snippets.map(
    ({ id, place, text, note }) => html`<p class="status">${place}</p>
${codeBlock(`connect-${id}`, text)}
${note === undefined ? '' : html`<p class="soft small">${note}</p>`}
`,
  )}`;

async function tools(reference: Reference, exchanges: Exchanges): Promise<Html[]> {
  const offered = reference.operations.filter((operation) => isTool(reference, operation));
  const head = section(
    'tools',
    html`${anchored(2, 'tools', 'Tools')}
<p>${offered.length} tools, as <code>tools/list</code> describes them. A result has the data in <code>structuredContent.data</code> and as
pretty-printed text. ${reference.mutations ? '' : 'This service lets agents read only.'}</p>`,
  );
  const each = offered.map(async (operation) => {
    const { name, title, input } = operation;
    const [call] = reference.examples.get(name)!.calls;
    const { description = '', annotations = {} } = toTool(operation);
    const fields = fieldsIn(inlined(toJsonSchema(input, 'input')));
    return section(
      `tool-${name}`,
      html`${anchored(3, `tool-${name}`, name)}
<p>${description}</p>
${fields.length === 0 ? html`<p class="soft">No arguments.</p>` : fieldList(fields, ({ schema }) => schema.description ?? '')}
<p class="soft small">${annotations.readOnlyHint ? 'Changes nothing.' : 'Changes something.'} Over REST:
<a href="${reference.site.path(`/docs#${name}`)}">${title}</a>.</p>`,
      exchange(`tool-${name}`, await exchanges.ask('tools/call', { name, arguments: call!.input })),
    );
  });
  return [head, ...(await Promise.all(each))];
}

async function resources({ operations, site }: Reference, exchanges: Exchanges): Promise<Html[]> {
  const head = section(
    'resources',
    html`${anchored(2, 'resources', 'Resources')}
<p>The same data as the tools that read, so one of the two is enough. A program of revision 2026-07-28 may listen to changes with
<code>subscriptions/listen</code>.</p>`,
  );
  const each = [...resourcesOf(operations)].map(async ([uri, { listed, operation }]) => {
    const id = `resource-${listed.name.replaceAll('/', '-')}`;
    return section(
      id,
      html`${anchored(3, id, listed.title ?? listed.name)}
<p><code>${uri}</code></p>
<p>${listed.description}. Over REST: <a href="${site.path(`/docs#${operation.name}`)}">${operation.title}</a>.</p>`,
      exchange(id, await exchanges.ask('resources/read', { uri })),
    );
  });
  return [head, ...(await Promise.all(each))];
}

async function prompt(exchanges: Exchanges): Promise<Html> {
  const { name, description } = summaryPrompt;
  return section(
    'prompt',
    html`${anchored(2, 'prompt', 'Prompt')}
<p><code>${name}</code>: ${description}</p>
<dl class="fields">${summaryPrompt.arguments.map(
      (argument) =>
        html`<dt><code>${argument.name}</code></dt><dd>string<p>${argument.description}. Optional.</p></dd>`,
    )}</dl>`,
    exchange('prompt', await exchanges.ask('prompts/get', { name, arguments: { focus: 'projects' } })),
  );
}

async function errors({ operations, examples, site }: Reference, exchanges: Exchanges): Promise<Html> {
  const refused = operations.find(({ name }) => examples.get(name)!.refusals.some(({ code }) => code === 'NOT_FOUND'));
  return section(
    'errors',
    html`${anchored(2, 'errors', 'Errors')}
<p>Without a valid token, <code>/mcp</code> answers 401 with the error body of the REST API, and a host or origin that is not allowed 403.${
      site.hasOauth
        ? html` So is a message that calls a tool for which the token of a program lacks the scope: its
<code>WWW-Authenticate</code> then has <code>insufficient_scope</code> and the scopes to ask for.`
        : ''
    }</p>
<p>A tool that is refused has <code>isError</code> and the error body as its text; over a limit, that is RATE_LIMITED, and any other
message is answered 429. An unknown tool or resource is -32602, an unknown method -32601.</p>`,
    html`${refused === undefined ? '' : exchange('refused', await exchanges.ask('tools/call', { name: refused.name, arguments: { id: 'other' } }))}
<details><summary>A tool that does not exist</summary>
${exchange('unknown', await exchanges.ask('tools/call', { name: 'other', arguments: {} }))}</details>`,
  );
}

/** A request and its response; with `isWhole`, also the headers and the `_meta` of the request. */
function exchange(id: string, { headers, request, response }: Exchange, isWhole = false): Html {
  const { params, ...rest } = request as { params: Record<string, unknown> };
  const { _meta, ...ownParams } = params;
  const shownRequest = isWhole ? request : { ...rest, params: ownParams };
  // Focusable, since long ones are scrolled in place.
  return html`<div tabindex="0"><p class="status"><b>Request</b></p>
${
  isWhole
    ? html`<pre><code>POST /mcp
Authorization: Bearer <var>$TOKEN</var>
${Object.entries(headers)
  .map(([name, value]) => `${name}: ${value}`)
  .join('\n')}</code></pre>`
    : ''
}${codeBlock(`${id}-request`, JSON.stringify(shownRequest, null, 2))}
<p class="status"><b>Response</b></p>
${toJsonHtml(response)}</div>`;
}
