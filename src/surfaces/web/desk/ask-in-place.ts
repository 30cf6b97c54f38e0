import { html } from 'hono/html';
import type { Html } from '../page.ts';

interface Question {
  readonly action: string;
  /** The summary that opens the question. */
  readonly label: string;
  readonly fields: Html;
  readonly question: Html;
  readonly button: string;
}

/** A button that asks in place before it does what cannot be undone. */
export const askInPlace = ({
  action,
  label,
  fields,
  question,
  button,
}: Question): Html => html`<details class="in-place">
<summary>${label}</summary>
<form method="post" action="${action}">
${fields}
<p>${question}</p>
<button class="danger">${button}</button>
</form>
</details>`;
