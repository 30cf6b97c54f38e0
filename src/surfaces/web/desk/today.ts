import { html } from 'hono/html';
import type { DeskRouter } from './router.ts';

/** Adds the room Today. */
export function addTodayTo(desk: DeskRouter): void {
  desk.page('/desk', async () => ({ title: 'Today', room: 'Today', body: html`<h1>Today</h1>` }));
}
