import { html } from 'hono/html';
import type { DeskRouter } from './router.ts';

/** Adds the room Profile. */
export function addProfileTo(desk: DeskRouter): void {
  desk.page('/desk/profile', async () => ({ title: 'Profile', room: 'Profile', body: html`<h1>Profile</h1>` }));
}
