import { html } from './ui.ts';

export const Rail = () => html`<p>Rail</p>`;
