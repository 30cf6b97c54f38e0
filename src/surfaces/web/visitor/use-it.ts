import { html } from 'hono/html';
import type { Html, Site } from '../page.ts';
import { connectionsOf, type Snippet } from './connections.ts';

const byAddress =
  'An assistant needs the address alone: it opens a page here, on which you enter your e-mail address and allow it.';

/**
 * Shows how to use the profile from programs, with a token; without one, how to connect an assistant by the address alone.
 * The tabs are radio buttons, so they work without JavaScript.
 */
export function useIt(site: Site, candidateName: string, token: string | null): Html {
  const connections = [...connectionsOf(site, candidateName, token)];
  const lead =
    token === null
      ? html`<p>As a connector, which some programs call an MCP server. ${byAddress}</p>`
      : site.hasOauth
        ? html`<p class="small">${byAddress}</p>`
        : '';
  return html`<section class="use-it no-print" aria-labelledby="use-it">
<h2 id="use-it">${token === null ? 'Or add it to your assistant' : 'Use it'}</h2>
${lead}
<fieldset class="tabs">
<legend class="unseen">Program</legend>
${connections.map(
  ([tab], index) =>
    html`<input type="radio" name="program" class="unseen" id="${idOf(tab)}"${index === 0 ? html` checked` : ''}><label for="${idOf(tab)}">${tab}</label>`,
)}
${connections.map(
  ([tab, snippets]) => html`<div class="panel" data-tab="${idOf(tab)}">
${snippets.map((snippet) => {
  const shown = snippetOf(snippet, token);
  return snippet.other === undefined
    ? shown
    : html`<details class="small"><summary>${snippet.other}</summary>${shown}</details>`;
})}
</div>`,
)}
</fieldset>
</section>`;
}

const idOf = (tab: string): string => `tab-${tab.toLowerCase().replace(' ', '-')}`;

const snippetOf = (
  { id, place, text, note, link }: Snippet,
  token: string | null,
): Html => html`<p class="small soft">${place}</p>
<pre id="${id}" tabindex="0">${token === null ? text : withMasked(text, token)}</pre>
<p class="small under">${copyButton(id)}${link === undefined ? '' : html`<a href="${link.url}">${link.label}</a>`}</p>
${note === undefined ? '' : html`<p class="small soft">${note}</p>`}`;

/** The token is cut off by the style sheet alone, so that a selection copies all of it. */
function withMasked(text: string, token: string): Html {
  const [before = '', ...after] = text.split(token);
  return html`${before}${after.map((rest) => html`<span class="masked">${token}</span>${rest}`)}`;
}

/** A button that copies the text of an element; shown if the browser lets a page copy. */
export const copyButton = (id: string): Html =>
  html`<button type="button" class="plain" data-copy="${id}" data-needs-script>Copy</button>`;
