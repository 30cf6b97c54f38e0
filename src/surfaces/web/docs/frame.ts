import { html, raw } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import type { Operation } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/ports.ts';
import type { Examples } from '../../examples.ts';
import { kinds, type OpenApi } from '../../rest/openapi.ts';
import { codeBlock, type Html, joined, type Page, type Site } from '../page.ts';
import { toJsonHtml } from '../static/json.js';

/** The facts that the reference is generated from. */
export interface Reference {
  readonly site: Site;
  readonly operations: readonly Operation[];
  readonly examples: Examples;
  readonly document: OpenApi;
  /** Services over the sample profile, which store nothing. */
  sample(): Services;
  /** Whether agents may use operations that change data. */
  readonly mutations: boolean;
  /** The multiplier of every quota; infinite turns quotas off. */
  readonly limits: number;
  readonly version: string;
  /** The candidate's name; empty unless it is public. */
  readonly publicName: string;
  /** Whether the candidate sees what visitors read. */
  readonly isRecorded: boolean;
  /** Reads the example program of the typed client. */
  readClientExample(): string;
}

/** A page of the reference, before the contents are added. */
export interface DocsPage {
  readonly title: string;
  /** The path of the page, which is highlighted in the contents. */
  readonly path: string;
  /** Whether it shows a profile. */
  readonly hasExamples: boolean;
  body(reference: Reference): Html | Promise<Html>;
}

/** Adds the contents of the reference beside a page. `owner` is the candidate's public name, or neutral words. */
export async function framed(page: DocsPage, owner: string, reference: Reference): Promise<Page> {
  const { site, operations } = reference;
  return {
    title: `${page.title} – ${owner}`,
    layout: 'docs',
    scripts: ['page.js', 'docs.js'],
    hasCode: true,
    body: html`<header class="contents no-print">
<p class="contents-title"><a href="${site.path('/')}"><bdi>${toVisible(owner)}</bdi></a></p>
${
  page.hasExamples
    ? html`<p class="small soft" id="whose" role="status" data-session="${site.path('/profile/session')}">Examples are of a <a href="${site.path('/docs#access')}">sample profile</a>.</p>
`
    : ''
}<details>
<summary>Contents</summary>
<nav class="small" aria-label="Reference">
${contentsOf(operations).map(
  ([heading, ...links]) => html`${heading === '' ? '' : html`<p class="soft">${heading}</p>`}
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

type Links = readonly [heading: string, ...links: readonly (readonly [href: string, text: string])[]];

function contentsOf(operations: readonly Operation[]): readonly Links[] {
  const groups = Object.entries(kinds).map(([kind, { title }]): Links => {
    const ofKind = operations.filter((operation) => operation.kind === kind);
    return [title, ...ofKind.map(({ name, title }) => [`/docs#${name}`, title] as const)];
  });
  return [
    ['', ['/docs#access', 'Get access'], ['/docs#errors', 'Errors'], ['/docs#limits', 'Limits']],
    ...groups.filter(([, ...links]) => links.length > 0),
    [
      'Agents',
      ['/docs/mcp', 'MCP'],
      ['/docs/mcp#tools', 'Tools'],
      ['/docs/mcp#resources', 'Resources'],
      ['/docs/mcp#prompt', 'Prompt'],
    ],
    ['Programs', ['/docs/client', 'TypeScript'], ['/openapi.json', 'OpenAPI']],
  ];
}

/** A heading that is its own anchor. */
export const anchored = (level: 2 | 3, id: string, text: string): Html =>
  html`<${raw(`h${level}`)} id="${id}"><a href="#${id}">${text}</a></${raw(`h${level}`)}>`;

/** A part of a page: prose, with its example beside it. */
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

/** A part of the prose of a section, under a heading of its own. */
export const part = (id: string, title: string, content: Html): Html => html`<div class="part">
${anchored(3, id, title)}
${content}
</div>`;

/** A line above code or an answer. */
export const caption = (title: string, remark = ''): Html =>
  html`<p class="spread status small"><b>${title}</b>${remark === '' ? '' : html` <span class="soft">${remark}</span>`}</p>`;

export const json = (value: unknown): Html => html`<div class="json">${raw(toJsonHtml(value))}</div>`;

/** An id in an example, and the path of the list that contains it. */
export interface ListedId {
  readonly id: string;
  readonly list: string;
}

/** Code with a copy button. The script of the page replaces `$TOKEN` and the sample's id by the visitor's. */
export const example = (id: string, code: string, listed?: ListedId): Html =>
  codeBlock(id, withVariables(code, listed));

export function withVariables(code: string, listed?: ListedId): Html {
  const withTokens = (text: string) => joined(text.split('$TOKEN'), html`<var>$TOKEN</var>`);
  if (listed === undefined) return withTokens(code);
  const { id, list } = listed;
  return joined(code.split(id).map(withTokens), html`<var data-list="${list}">${id}</var>`);
}
