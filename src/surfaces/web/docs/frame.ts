import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import type { Operation } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/ports.ts';
import type { Examples } from '../../examples.ts';
import { kinds, type OpenApi } from '../../rest/openapi.ts';
import type { Html, Page, Site } from '../page.ts';

/** The facts that the reference is generated from. */
export interface Reference {
  readonly site: Site;
  readonly operations: readonly Operation[];
  readonly examples: Examples;
  readonly document: OpenApi;
  /** Services over the sample profile, which store nothing. */
  readonly sample: Services;
  /** Whether agents may use the operations that change something. */
  readonly mutations: boolean;
  /** The factor of every quota; infinite turns them off. */
  readonly limits: number;
  readonly version: string;
  /** The candidate's name; empty unless it is public. */
  readonly publicName: string;
  /** Whether the candidate sees what visitors read. */
  readonly isRecorded: boolean;
  /** The text of a program that uses the typed client. */
  readonly clientExample: string;
}

/** A page of the reference, before the contents are put beside it. */
export interface DocsPage {
  readonly title: string;
  /** The path of the page, which the contents mark. */
  readonly path: string;
  /** Whether it shows a profile, and has enough to be filtered. */
  readonly hasExamples: boolean;
  body(reference: Reference): Html | Promise<Html>;
}

/** Puts the contents of the reference beside a page of it. `owner` is the candidate's public name, or neutral words. */
export async function framed(page: DocsPage, owner: string, reference: Reference): Promise<Page> {
  const { site, operations } = reference;
  return {
    title: `${page.title} – ${owner}`,
    layout: 'docs',
    scripts: ['page.js', 'docs.js', 'contents.js'],
    hasCode: true,
    body: html`<header class="contents">
<p class="contents-title"><a href="${site.path('/')}"><bdi>${toVisible(owner)}</bdi></a></p>
${
  page.hasExamples
    ? html`<p class="small soft" id="whose" role="status" data-session="${site.path('/profile/session')}">Examples are of a <a href="${site.path('/docs#access')}">sample profile</a>.</p>
<p class="filter" data-needs-script><label for="filter">Filter</label>
<input type="search" id="filter" autocomplete="off" spellcheck="false" aria-describedby="filter-count">
<span class="small soft" id="filter-count" role="status"></span></p>
`
    : ''
}<details>
<summary>Contents</summary>
<nav aria-label="Reference">
${contentsOf(operations).map(
  ({ heading, links }) => html`${heading === '' ? '' : html`<p class="soft">${heading}</p>`}
<ul>
${links.map(
  ([href, text]) =>
    html`<li><a href="${site.path(href)}"${href === page.path ? html` aria-current="page"` : ''}>${text}</a></li>
`,
)}</ul>
`,
)}</nav>
</details>
</header>
<main id="main">
${await page.body(reference)}
</main>`,
  };
}

interface Links {
  readonly heading: string;
  readonly links: readonly (readonly [href: string, text: string])[];
}

function contentsOf(operations: readonly Operation[]): readonly Links[] {
  const groups = Object.entries(kinds).map(([kind, { title }]): Links => {
    const ofKind = operations.filter((operation) => operation.kind === kind);
    return { heading: title, links: ofKind.map(({ name, title }) => [`/docs#${name}`, title]) };
  });
  const [access, errors, limits] = ['/docs#access', '/docs#errors', '/docs#limits'];
  const [mcp, client] = ['/docs/mcp', '/docs/client'];
  return [
    {
      heading: '',
      links: [
        [access, 'Get access'],
        [errors, 'Errors'],
        [limits, 'Limits'],
      ],
    },
    ...groups.filter(({ links }) => links.length > 0),
    {
      heading: 'Agents',
      links: [
        [mcp, 'MCP'],
        [`${mcp}#tools`, 'Tools'],
        [`${mcp}#resources`, 'Resources'],
        [`${mcp}#prompt`, 'Prompt'],
      ],
    },
    {
      heading: 'Programs',
      links: [
        [client, 'TypeScript'],
        ['/openapi.json', 'OpenAPI'],
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

/** A line above code or an answer. */
export const caption = (title: string, remark: string | null = null): Html =>
  html`<p class="status"><b>${title}</b>${remark === null ? '' : html` <span class="soft">${remark}</span>`}</p>`;

/** An id in an example, and the path of the list that it is from. */
export interface ListedId {
  readonly id: string;
  readonly list: string;
}

/** Code with a button that copies it. A page's script replaces `$TOKEN` and the sample's id by those of the visitor. */
export const codeBlock = (id: string, code: string, listed?: ListedId): Html => html`<pre><code id="${id}">${
  listed === undefined
    ? withTokens(code)
    : code
        .split(listed.id)
        .map(
          (part, index) =>
            html`${index === 0 ? '' : html`<var data-list="${listed.list}">${listed.id}</var>`}${withTokens(part)}`,
        )
}</code></pre>
<p class="under"><button class="plain small" data-copy="${id}" data-needs-script>Copy</button></p>`;

const withTokens = (code: string): Html =>
  html`${code.split('$TOKEN').map((part, index) => html`${index === 0 ? '' : html`<var>$TOKEN</var>`}${part}`)}`;

const longestText = 600;
const longestList = 3;

/** Shows JSON, one entry a line. All but the first object of an array, long lists and long texts are folded up. */
export const toJsonHtml = (value: unknown): Html => html`<div class="json">${toHtml(value, '')}</div>`;

/** `tail` is the comma after the value, if there is more. */
function toHtml(value: unknown, tail: string): Html {
  if (Array.isArray(value)) return arrayToHtml(value, tail);
  if (typeof value === 'object' && value !== null) return objectToHtml(value as Record<string, unknown>, tail);
  const text = JSON.stringify(value) + tail;
  if (text.length <= longestText) return html`${text}`;
  return html`<details><summary>${text.slice(0, 50)}… ${text.length.toLocaleString('en')} characters</summary><div>${text}</div></details>`;
}

function objectToHtml(object: Record<string, unknown>, tail: string): Html {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return html`{}${tail}`;
  return html`{${entries.map(
    ([key, value], index) => html`<div><b>"${key}"</b>: ${toHtml(value, commaAfter(index, entries))}</div>`,
  )}<i>}${tail}</i>`;
}

function arrayToHtml(items: readonly unknown[], tail: string): Html {
  if (items.length === 0) return html`[]${tail}`;
  const lines = items.map((item, index) => html`<div>${toHtml(item, commaAfter(index, items))}</div>`);
  const shown = typeof items[0] === 'object' ? 1 : items.length > longestList ? 0 : items.length;
  const folded = lines.slice(shown);
  if (folded.length === 0) return html`[${lines}<i>]${tail}</i>`;
  const count = shown === 0 ? `${folded.length} items` : `${folded.length} more`;
  return html`[${lines.slice(0, shown)}<details><summary>${count}</summary>${folded}</details><i>]${tail}</i>`;
}

const commaAfter = (index: number, { length }: readonly unknown[]): string => (index < length - 1 ? ',' : '');
