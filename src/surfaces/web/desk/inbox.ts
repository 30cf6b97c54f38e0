import { html } from 'hono/html';
import type { DeskRouter } from './router.ts';

/** Adds the room Inbox. */
export function addInboxTo(desk: DeskRouter): void {
  desk.page('/desk/inbox', async () => ({ title: 'Inbox', room: 'Inbox', body: html`<h1>Inbox</h1>` }));
}
