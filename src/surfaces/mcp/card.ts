import { readFileSync } from 'node:fs';
import type { ReadResourceResult } from '@modelcontextprotocol/server';
import { html, raw } from 'hono/html';

/** The URI of the card; hosts find it by the tools whose results it shows, so `resources/list` leaves it out. */
export const cardUri = 'ui://candidate-profile/card';

/** The extension of MCP by which hosts show a tool's result in a document of the server (MCP Apps, 2026-01-26). */
export const appsExtension = { 'io.modelcontextprotocol/ui': {} };

/** All of these empty: the document connects to nothing, loads nothing and embeds nothing. */
const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };

const read = (name: string) => raw(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** Returns the card, one document for all visitors. Its links lead to `pageUrl`, null if the page may not be served. */
export function toCard(pageUrl: string | null): ReadResourceResult {
  const linkTo = (path: string, words: string) =>
    pageUrl === null ? '' : html` <a class="button secondary" href="${pageUrl}${path}">${words}</a>`;
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Candidate profile</title>
<meta name="viewport" content="width=device-width">
<style>${read('../web/static/base.css')}${read('card.css')}</style>
</head>
<body class="card">
<main aria-busy="true"><h1>Candidate profile</h1>
<p class="soft">The profile appears here when the tool has answered.</p></main>
<footer hidden>
<p class="actions compact"><button type="button" hidden>Download PDF</button>${linkTo('/', 'Open page')}${linkTo('/#write', 'Write')}</p>
<p role="status"></p>
</footer>
<script type="module">${read('card.js')}</script>
</body>
</html>
`;
  const _meta = { ui: { csp, prefersBorder: true } };
  return { contents: [{ uri: cardUri, mimeType: 'text/html;profile=mcp-app', text: String(text), _meta }] };
}
