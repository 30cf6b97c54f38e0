import { html } from './ui.ts';

export const Beside = () => html`<p>Beside</p>`;
