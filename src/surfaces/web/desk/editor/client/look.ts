import { html } from './ui.ts';

export const Look = () => html`<p>Look</p>`;
