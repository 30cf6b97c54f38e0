import { html } from 'hono/html';
import type { Operation } from '../../../operations/operation.ts';
import { exampleVisitor } from '../../examples.ts';
import { inlined, toJsonSchema } from '../../json-schema.ts';
import { cardUri } from '../../mcp/card.ts';
import { isTool, resourcesOf, summaryPrompt, toTool } from '../../mcp/catalogue.ts';
import { openMcpHttp } from '../../mcp/http.ts';
import { modernRevision } from '../../mcp/server.ts';
import { type Html, joined } from '../page.ts';
import { connectionsOf, programTabs } from '../visitor/connections.ts';
import { fieldList, fieldsIn } from './fields.ts';
import { anchored, caption, example, json, part, type Reference, section, withVariables } from './frame.ts';
import { answerOf, listedIdOf } from './operation-section.ts';

/** Shows `/docs/mcp`: how to connect, then each tool, the resources and the prompt with real exchanges. */
export async function mcpPage(reference: Reference): Promise<Html> {
  const ask = openServer(reference);
  return html`${connecting(reference)}${await hello(ask)}${await tools(reference, ask)}${await resources(reference, ask)}${await prompt(ask)}${await errors(reference, ask)}`;
}

interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly request: { readonly params: Record<string, unknown> };
  readonly response: { readonly result?: Record<string, unknown>; readonly error?: unknown };
}

type Ask = (method: string, params?: Record<string, unknown>) => Promise<Exchange>;

/** Returns a function that sends messages to this service's MCP server, over the sample profile. */
function openServer({ operations, sample, isRecorded, mutations, version, site }: Reference): Ask {
  const services = sample();
  const mcp = openMcpHttp({
    operations,
    services: { ...services, reads: { ...services.reads, isOn: isRecorded } },
    mutations,
    version,
    baseUrl: site.baseUrl,
    subscriptionLimits: { perSubject: 0, perBlock: 0, total: 0 },
    log: { warn() {} },
  });
  return async (method, params = {}) => {
    const name = params.name ?? params.uri;
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': modernRevision,
      'Mcp-Method': method,
      ...(name !== undefined && { 'Mcp-Name': String(name) }),
    };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': modernRevision,
      'io.modelcontextprotocol/clientInfo': { name: 'example-client', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const request = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
    const body = new TextEncoder().encode(JSON.stringify(request));
    const sent = new Request(`${site.baseUrl}/mcp`, { method: 'POST', headers });
    const { body: answered } = await mcp.answer(sent, body, exampleVisitor);
    const response = (await new Response(answered).json()) as Exchange['response'];
    return { headers, request, response };
  };
}

function connecting({ site, mutations, publicName }: Reference): Html {
  const { baseUrl, hasOauth } = site;
  // The programs that use MCP.
  const programs = [...connectionsOf(site, publicName, '$TOKEN')].filter(([, [first]]) => first?.text.includes('/mcp'));
  return section(
    'connect',
    html`<h1>MCP</h1>
<p>An agent reads the profile at</p>
<pre><code>${baseUrl}/mcp</code></pre>
<p>over Streamable HTTP, with ${hasOauth ? 'a token that its program gets by OAuth, or with ' : ''}the bearer token of the REST API. Programs of both eras of the protocol are served: those of revision
2026-07-28 without a session, each message by itself, and those of 2025-11-25 and older, which begin with <code>initialize</code>.</p>
<p>What tools return is data about the candidate, never instructions to an agent.</p>
${anchored(2, 'connect', 'Connect')}
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
}
${part(
  'connect-token',
  'With a token',
  html`<p><span id="put-token">Put your token in place of <var>$TOKEN</var>; <a href="${site.path('/docs#access')}">you get one</a> for your e-mail address.</span> A
program that speaks stdio alone is connected by mcp-remote, as Claude Desktop is here.</p>`,
)}`,
    programTabs(programs, (text) => withVariables(text)),
  );
}

/** The first request and its response with headers, the envelope of JSON-RPC and `_meta`. */
async function hello(ask: Ask): Promise<Html> {
  const { headers, request, response } = await ask('server/discover');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return section(
    'hello',
    html`${anchored(2, 'hello', 'The first message')}
<p>A program of revision 2026-07-28 asks <code>server/discover</code>. Its headers repeat what the message says, and its
<code>_meta</code> names the revision and the program. Every request on this page was sent to this server like this one; of the others, <code>params</code> and
<code>result</code> are shown.</p>
<p>A program of an older revision sends <code>initialize</code>, and is answered by an event stream of one event.</p>`,
    html`${caption('Request')}
<pre><code>POST /mcp
Authorization: Bearer <var>$TOKEN</var>
${lines.join('\n')}</code></pre>
${example('hello-request', JSON.stringify(request, null, 2))}
${caption('Response')}
${json(response)}`,
  );
}

async function tools(reference: Reference, ask: Ask): Promise<Html[]> {
  const offered = reference.operations.filter((operation) => isTool(reference, operation));
  const callOf = ({ name }: Operation) => reference.examples.get(name)!.calls[0]!;
  const call = (operation: Operation) =>
    ask('tools/call', { name: operation.name, arguments: callOf(operation).input });
  const head = section(
    'tools',
    html`${anchored(2, 'tools', 'Tools')}
<p>${offered.length} tools, as <code>tools/list</code> describes them. A result has the data in <code>structuredContent.data</code> and as
pretty-printed text. ${reference.mutations ? '' : 'This service lets agents read only.'}</p>
<p>A tool is called with <code>tools/call</code>. Here is one result; of the tools below, the data is shown.</p>`,
    exchange('call', await call(offered[0]!), true),
  );
  const each = offered.map(async (operation) => {
    const { name, title, input } = operation;
    const sent = callOf(operation);
    const { description = '', annotations = {} } = toTool(operation);
    const fields = fieldsIn(inlined(toJsonSchema(input, 'input')));
    const { response } = await call(operation);
    const { data } = response.result!.structuredContent as { data: unknown };
    return section(
      `tool-${name}`,
      html`${anchored(3, `tool-${name}`, name)}
<p>${description}</p>
${fields.length === 0 ? html`<p class="soft">No arguments.</p>` : fieldList(fields, ({ schema }) => schema.description ?? '')}
<p class="soft small">${annotations.readOnlyHint ? 'Changes nothing.' : 'Changes something.'} Over REST:
<a href="${reference.site.path(`/docs#${name}`)}">${title}</a>.</p>`,
      html`${caption('params')}
${example(
  `tool-${name}-request`,
  JSON.stringify({ name, arguments: sent.input }, null, 2),
  listedIdOf(operation, sent, reference),
)}
${answerOf(operation, sent, reference, { id: `tool-${name}-shown`, status: 'structuredContent.data', data })}`,
    );
  });
  return [head, ...(await Promise.all(each))];
}

async function resources(reference: Reference, ask: Ask): Promise<Html> {
  const all = [...resourcesOf(reference.operations)];
  const [uri] = all[0]!;
  const withCards = reference.operations.filter((operation) => 'hasCard' in operation);
  return section(
    'resources',
    html`${anchored(2, 'resources', 'Resources')}
<p>The same data as the tools that read, so one of the two is enough. One is read with <code>resources/read</code>. A program of revision 2026-07-28 may listen to changes with
<code>subscriptions/listen</code>.</p>
<dl class="facts ruled fields wide">${all.map(
      ([
        uri,
        { listed, operation },
      ]) => html`<div id="resource-${listed.name.replaceAll('/', '-')}"><dt><code>${uri}</code></dt>
<dd>${listed.title}<p>${listed.description}. Over REST: <a href="${reference.site.path(`/docs#${operation.name}`)}">${operation.title}</a>.</p></dd></div>
`,
    )}</dl>
<p>Programs that show MCP Apps show the results of ${joined(
      withCards.map(({ name }) => html`<a href="#tool-${name}"><code>${name}</code></a>`),
      ', ',
    )} as a card. It is the resource
<code>${cardUri}</code>, which the tools name and no list has: one HTML document without anything of the profile.</p>`,
    exchange('resource', await ask('resources/read', { uri }), true),
  );
}

async function prompt(ask: Ask): Promise<Html> {
  const { name, description } = summaryPrompt;
  return section(
    'prompt',
    html`${anchored(2, 'prompt', 'Prompt')}
<p><code>${name}</code>: ${description} A program gets it with <code>prompts/get</code>.</p>
<dl class="facts ruled fields">${summaryPrompt.arguments.map(
      (argument) =>
        html`<div><dt><code>${argument.name}</code></dt><dd>string<p>${argument.description}. Optional.</p></dd></div>`,
    )}</dl>`,
    exchange('prompt', await ask('prompts/get', { name, arguments: { focus: 'projects' } })),
  );
}

async function errors({ operations, examples, site }: Reference, ask: Ask): Promise<Html> {
  const refused = operations.find(({ name }) => examples.get(name)!.refusals.some(({ code }) => code === 'NOT_FOUND'))!;
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
    html`${exchange('refused', await ask('tools/call', { name: refused.name, arguments: { id: 'other' } }))}
<details class="small"><summary>A tool that does not exist</summary>
${exchange('unknown', await ask('tools/call', { name: 'other', arguments: {} }))}</details>`,
  );
}

const withoutMeta = ({ _meta, ...params }: Record<string, unknown>): Record<string, unknown> => params;

/** A request and its response, without the parts that all exchanges share. */
function exchange(id: string, { request, response }: Exchange, isOfSample = false): Html {
  const { result, error } = response;
  return html`${caption('params')}
${example(`${id}-request`, JSON.stringify(withoutMeta(request.params), null, 2))}
${caption(result === undefined ? 'error' : 'result', isOfSample ? 'the sample profile’s answer' : '')}
${json(result === undefined ? error : withoutMeta(result))}`;
}
