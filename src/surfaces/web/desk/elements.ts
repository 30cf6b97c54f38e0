import { html } from 'hono/html';
import type { Html } from '../page.ts';

export const head = (heading: Html | string, remark: Html | string): Html => html`<div class="head spread">
<h1>${heading}</h1>
<p class="soft small">${remark}</p>
</div>`;

interface Question {
  readonly action: string;
  /** The summary that opens the question. */
  readonly label: string;
  readonly fields: Html;
  readonly question: Html;
  readonly button: string;
  /** Whether it destroys nothing. */
  readonly isSafe?: true;
}

/** A button that asks in place before it does what is not easily undone. */
export const askInPlace = (asked: Question): Html => html`<details class="in-place">
<summary>${asked.label}</summary>
<form method="post" action="${asked.action}">
${asked.fields}
<p>${asked.question}</p>
<button${asked.isSafe ? '' : html` class="danger"`}>${asked.button}</button>
</form>
</details>`;
