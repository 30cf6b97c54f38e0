import { html } from './ui.ts';

export const Paper = () => html`<p>Paper</p>`;
