import { html } from 'hono/html';
import { toVisible } from '../../../model/visible-text.ts';
import { kinds } from '../../rest/openapi.ts';
import type { Html, Page } from '../page.ts';
import type { Reference } from './reference.ts';

interface Link {
  readonly href: string;
  readonly text: string;
}

interface Framed {
  readonly title: string;
  /** The path of the page, which the contents mark. */
  readonly path: string;
  /** The name of the candidate if it is public, otherwise neutral words. */
  readonly heading: string;
  readonly body: Html;
}

/** Puts the contents of the reference beside a page of it. */
export function framed({ title, path, heading, body }: Framed, reference: Reference): Page {
  const { site } = reference;
  return {
    title: `${title} – ${heading}`,
    layout: 'docs',
    scripts: ['page.js', 'docs.js'],
    hasCode: true,
    body: html`<header class="contents">
<p class="contents-title"><a href="${site.path('/')}"><bdi>${toVisible(heading)}</bdi></a></p>
<details>
<summary>Contents</summary>
<nav aria-label="Reference">
${contentsOf(reference).map(
  ({ heading, links }) => html`${heading === '' ? '' : html`<p class="soft">${heading}</p>`}
<ul>
${links.map(
  ({ href, text }) =>
    html`<li><a href="${site.path(href)}"${href === path ? html` aria-current="page"` : ''}>${text}</a></li>
`,
)}</ul>
`,
)}</nav>
</details>
</header>
<main id="main">
${body}
</main>`,
  };
}

function contentsOf({ operations }: Reference): readonly { heading: string; links: readonly Link[] }[] {
  const groups = Object.entries(kinds).map(([kind, { title }]) => ({
    heading: title,
    links: operations
      .filter((operation) => operation.kind === kind)
      .map(({ name, title }) => ({ href: `/docs#${name}`, text: title })),
  }));
  return [
    {
      heading: '',
      links: [
        { href: '/docs#access', text: 'Get access' },
        { href: '/docs#errors', text: 'Errors' },
        { href: '/docs#limits', text: 'Limits' },
      ],
    },
    ...groups.filter(({ links }) => links.length > 0),
    {
      heading: 'Agents',
      links: [
        { href: '/docs/mcp', text: 'MCP' },
        { href: '/docs/mcp#tools', text: 'Tools' },
        { href: '/docs/mcp#resources', text: 'Resources' },
        { href: '/docs/mcp#prompt', text: 'Prompt' },
      ],
    },
    {
      heading: 'Programs',
      links: [
        { href: '/docs/client', text: 'Typed client' },
        { href: '/openapi.json', text: 'OpenAPI' },
      ],
    },
  ];
}

/** A heading that is its own anchor. */
export const anchored = (level: 2 | 3, id: string, text: string): Html =>
  level === 2
    ? html`<h2 id="${id}"><a href="#${id}">${text}</a></h2>`
    : html`<h3 id="${id}"><a href="#${id}">${text}</a></h3>`;

/** A part of a page: prose, and the example that it refers to beside it. */
export const section = (id: string, prose: Html, example: Html | string = ''): Html =>
  html`<section aria-labelledby="${id}">
<div class="prose">
${prose}
</div>
<div class="example"><div class="pinned">
${example}
</div></div>
</section>
`;

/** Code in which `$TOKEN` becomes the token that was got on the page, with a button that copies it. */
export const codeBlock = (id: string, code: string): Html => html`<pre><code id="${id}">${withTokens(code)}</code></pre>
<p class="under"><button class="plain small" data-copy="${id}" data-needs-script>Copy</button></p>`;

const withTokens = (code: string): Html =>
  html`${code.split('$TOKEN').map((part, index) => html`${index === 0 ? '' : html`<var>$TOKEN</var>`}${part}`)}`;
