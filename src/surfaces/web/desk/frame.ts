import { html } from 'hono/html';
import type { Html, Site } from '../page.ts';

/** The sections of the desk, in the order of the navigation. */
const sections = [
  { path: '/desk', title: 'Today' },
  { path: '/desk/readers', title: 'Readers' },
  { path: '/desk/inbox', title: 'Inbox' },
  { path: '/desk/availability', title: 'Availability' },
  { path: '/desk/profile', title: 'Profile' },
  { path: '/desk/mail', title: 'Mail' },
] as const;

export type Section = (typeof sections)[number]['title'];

/** How much in each section waits for the owner; absent if nothing can. */
export type Pending = Readonly<Partial<Record<Section, number>>>;

interface Frame {
  readonly site: Site;
  /** The section that the page is in. */
  readonly section: Section;
  readonly pending: Pending;
  /** The hidden field that each form needs. */
  readonly formToken: Html;
}

/** Puts the navigation and the forms for signing out around a page of the desk. */
export const framed = (body: Html, { site, section, pending, formToken }: Frame): Html => html`<header class="bar">
<p class="bar-title">Your desk</p>
<nav aria-label="Desk">
${sections.map(
  ({ path, title }) =>
    html`<a href="${site.path(path)}"${title === section ? html` aria-current="page"` : ''}>${title}${
      pending[title] ? html`<sup>${pending[title]}<span class="unseen"> to see to</span></sup>` : ''
    }</a>`,
)}
</nav>
<form method="post" action="${site.path('/desk/sign-out')}">${formToken}<button class="plain">Sign out</button></form>
</header>
<main id="main">
${body}
</main>
<footer class="desk-foot small soft no-print">
<form method="post" action="${site.path('/desk/sign-out-everywhere')}">${formToken}<button class="plain">Sign out everywhere</button> ends every session at this desk, on all your devices.</form>
</footer>`;
