import { html } from 'hono/html';
import type { DeskRouter } from './router.ts';

/** Adds the room Availability. */
export function addAvailabilityTo(desk: DeskRouter): void {
  desk.page('/desk/availability', async () => ({
    title: 'Availability',
    room: 'Availability',
    body: html`<h1>Availability</h1>`,
  }));
}
