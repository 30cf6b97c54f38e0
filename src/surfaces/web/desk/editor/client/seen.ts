import { html } from './ui.ts';

export const Seen = () => html`<p>Seen</p>`;
