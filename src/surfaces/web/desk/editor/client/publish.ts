import { html } from './ui.ts';

export const Publish = () => html`<p>Publish</p>`;
