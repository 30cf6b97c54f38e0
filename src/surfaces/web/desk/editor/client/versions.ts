import { html } from './ui.ts';

export const Versions = () => html`<p>Versions</p>`;
