import { html } from 'hono/html';
import type { DeskRouter } from './router.ts';

/** Adds the room Mail. */
export function addMailTo(desk: DeskRouter): void {
  desk.page('/desk/mail', async () => ({ title: 'Mail', room: 'Mail', body: html`<h1>Mail</h1>` }));
}
