import { html } from 'hono/html';
import type { Html } from './page.ts';

/** A line on what was just done, or why it was not, which screen readers say. */
export const notice = (kind: 'good' | 'attention' | 'bad', content: Html | string): Html =>
  html`<p class="notice ${kind}" role="status">${content}</p>`;
