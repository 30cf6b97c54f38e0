import { html } from 'hono/html';
import { kinds } from '../../rest/openapi.ts';
import type { Html } from '../page.ts';
import { errorsSection, limitsSection } from './errors.ts';
import { anchored, codeBlock, section } from './frame.ts';
import { operationSection } from './operation-section.ts';
import type { Reference } from './reference.ts';
import { tryIt } from './try-it.ts';

/** What `/docs` holds: access, errors and limits, then each operation. */
export const referencePage = (reference: Reference): Html => html`${access(reference)}
${errorsSection(reference)}
${limitsSection(reference)}
${Object.keys(kinds).map((kind) =>
  reference.operations
    .filter((operation) => operation.kind === kind)
    .map((operation) => operationSection(operation, reference)),
)}`;

function access({ site, operations, examples, isRecorded }: Reference): Html {
  const issuing = operations.find(({ access }) => access === 'open');
  const [call] = issuing === undefined ? [] : examples.get(issuing.name)!.calls;
  const line = `TOKEN=$(curl -s ${site.baseUrl}${issuing?.rest.path} \\
  -H "Content-Type: application/json" \\
  -d '{"email":"you@example.org"}' \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  return section(
    'access',
    html`<h1>Reference</h1>
<p>The profile over REST, from TypeScript, and for agents over MCP: the same answers each way. What you see here is generated from the
service that you are looking at. Without a token, answers and ids are those of a sample profile; with one, those of this profile.</p>
${anchored(2, 'access', 'Get access')}
<p>Every call but one needs a bearer token. You get it for your e-mail address, at once; the candidate is told your address${isRecorded ? ' and sees\nwhat you read' : ''}. Send it with each call:</p>
<pre><code>Authorization: Bearer <var>$TOKEN</var></code></pre>
<p>The token is valid until it expires or the candidate revokes it; from then on, calls are answered 401, and you ask for a new one.
It is worth as much as what it opens: keep it to yourself.</p>
${
  site.hasOauth
    ? html`<p>A program that knows OAuth needs no token of yours: it finds in the 401 where to send you for it
(<a href="${site.path('/docs/mcp#connect')}">how MCP clients connect</a>).</p>`
    : ''
}
<p>Requests and answers are JSON. Dates are <code>YYYY-MM-DD</code>, and an end date of <code>null</code> means that it goes on.
The exact contract is the <a href="${site.path('/openapi.json')}">OpenAPI document</a>.</p>`,
    html`<p class="status"><b>In a terminal</b></p>
${codeBlock('access-code', line)}
${
  issuing === undefined
    ? ''
    : html`<div class="get-token">
<p class="status"><b>Or on this page</b> <span class="soft">for all examples, until you leave it</span></p>
<p class="small">With it, the page reads this profile for its examples${isRecorded ? ', which the candidate sees' : ''}.</p>
${tryIt(issuing, call!, { site, place: 'access', button: html`Get a token` })}
<div id="access-shown"></div>
<div id="held" class="small" hidden>
<p>The examples have your token and are of this profile.</p>
<p class="held"><label class="inline"><input type="checkbox" id="remember"> Keep it in this browser, so that this page and the profile open with it</label>
<button type="button" class="plain" id="forget">Forget it</button></p>
</div>
</div>`
}`,
  );
}
