import { html } from 'hono/html';
import type { Html } from '../page.ts';

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
export const askInPlace = ({
  action,
  label,
  fields,
  question,
  button,
  isSafe,
}: Question): Html => html`<details class="in-place">
<summary>${label}</summary>
<form method="post" action="${action}">
${fields}
<p>${question}</p>
<button${isSafe ? '' : html` class="danger"`}>${button}</button>
</form>
</details>`;
