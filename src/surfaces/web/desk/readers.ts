import { html } from 'hono/html';
import type { DeskRouter } from './router.ts';

/** Adds the room Readers. */
export function addReadersTo(desk: DeskRouter): void {
  desk.page('/desk/readers', async () => ({ title: 'Readers', room: 'Readers', body: html`<h1>Readers</h1>` }));
}
