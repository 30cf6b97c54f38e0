import type { Hono } from 'hono';
import { html } from 'hono/html';
import { namesOf, type Operation } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/ports.ts';
import type { Examples } from '../../examples.ts';
import type { Connection } from '../../request.ts';
import { type Document, documentOf, documentResponse, keepLatest } from '../../rest/documents.ts';
import { kinds, type OpenApi } from '../../rest/openapi.ts';
import { type Html, openPublicPage } from '../page.ts';
import { headingOf, publicProfileOf } from '../public/public-profile.ts';
import { clientFile, clientPage } from './client.ts';
import { errorsSection, limitsSection } from './errors.ts';
import { anchored, caption, type DocsPage, example, framed, type Reference, section } from './frame.ts';
import { operationSection, tryIt } from './operation-section.ts';

type Settings = 'site' | 'mutations' | 'limits' | 'version' | 'sample' | 'readClientExample';

interface DocsOptions extends Pick<Reference, Settings> {
  readonly services: Pick<Services, 'edition' | 'reads'>;
  /** Returns the operations that visitors can currently call. */
  offered(): readonly Operation[];
  examples(): Promise<Examples>;
  openApi(operations: readonly Operation[]): Promise<OpenApi>;
}

const mcp = async (reference: Reference) => (await import('./mcp-page.ts')).mcpPage(reference);

const pages: readonly DocsPage[] = [
  { path: '/docs', title: 'Reference', hasExamples: true, body: referencePage },
  { path: '/docs/mcp', title: 'MCP', hasExamples: true, body: mcp },
  { path: '/docs/client', title: 'TypeScript', hasExamples: false, body: clientPage },
];

/** Adds the reference and the client. They show the public part of the profile and the offered operations. */
export function addDocsTo(http: Hono<{ Bindings: Connection }>, options: DocsOptions): void {
  const { services, offered, examples, openApi, ...settings } = options;
  async function toReference(): Promise<Reference> {
    const operations = offered();
    const [calls, document] = await Promise.all([examples(), openApi(operations)]);
    return {
      ...settings,
      operations,
      document,
      examples: calls,
      publicName: publicProfile().name ?? '',
      isRecorded: services.reads.isOn,
    };
  }
  const publicProfile = () => publicProfileOf(services.edition(null).profile);
  const heading = () => headingOf(publicProfile());
  for (const page of pages) {
    const respond = openPublicPage(
      settings.site,
      () => `${heading()} ${namesOf(offered())}`,
      async () => framed(page, heading(), await toReference()),
    );
    http.get(page.path, ({ req }) => respond(req.raw));
  }
  const latestClient = keepLatest<Document>();
  http.get('/docs/client.ts', async ({ req }) => {
    const operations = offered();
    const document = await latestClient(namesOf(operations), async () =>
      // Plain text, because browsers show it and have no other type for it.
      documentOf('text/plain; charset=utf-8', clientFile(operations, await openApi(operations), settings.site.baseUrl)),
    );
    return documentResponse(document, req.raw);
  });
}

/** Shows `/docs`: access, errors and limits, then each operation. */
function referencePage(reference: Reference): Html {
  return html`${access(reference)}
${errorsSection(reference)}
${limitsSection(reference)}
${Object.keys(kinds).map((kind) =>
  reference.operations
    .filter((operation) => operation.kind === kind)
    .map((operation) => operationSection(operation, reference)),
)}`;
}

function access(reference: Reference): Html {
  const { site, operations, examples, isRecorded } = reference;
  const issuing = operations.find(({ access }) => access === 'open')!;
  const [call] = examples.get(issuing.name)!.calls;
  const line = `TOKEN=$(curl -s ${site.baseUrl}${issuing.rest.path} \\
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
    html`${caption('In a terminal')}
${example('access-code', line)}
<div class="get-token no-print" data-needs-script>
${caption('Or on this page', 'for all examples, until you leave it')}
<p class="small">With it, the page reads this profile for its examples${isRecorded ? ', which the candidate sees' : ''}. If the profile is open in
your browser, you need not ask: the token of that visit is used, from your first call on.</p>
${tryIt(issuing, call!, reference, 'access', html`Get a token`)}
<div id="access-shown"></div>
<div id="held" class="small" hidden>
<p>What you call on this page has your token.</p>
<p><button type="button" class="plain" id="forget">Forget it</button></p>
</div>
</div>`,
  );
}
