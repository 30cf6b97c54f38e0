import { html } from 'hono/html';
import { toVisible } from '../../../../model/visible-text.ts';
import type { Html } from '../../page.ts';

/** How many tokens of an address are told of: anybody can ask for ten a minute, and name the address of somebody else. */
export const maxTokens = 100;

interface Revoking {
  readonly action: string;
  /** What opens the question. */
  readonly label: string;
  readonly address: string;
  /** How many valid tokens there are, `maxTokens` if there may be more. */
  readonly count: number;
  readonly formToken: Html;
  /** The one token that ends; without it all of the address end. */
  readonly jti?: string;
}

/** A button that asks in place, naming what ends, before it revokes. */
export function revokeForm({ action, label, address, count, formToken, jti }: Revoking): Html {
  const hasOthers = count > 1;
  const number = count < maxTokens ? count : 'all';
  const all = hasOthers ? `${count < maxTokens ? `the ${count}` : 'all'} valid tokens` : 'the valid token';
  const [ends, then] =
    jti !== undefined && hasOthers
      ? ['this token', 'Their other tokens stay valid.']
      : [all, 'A visitor who asks again gets a new one.'];
  return html`<details class="in-place">
<summary>${label}</summary>
<form method="post" action="${action}">
${formToken}
${jti === undefined ? '' : html`<input type="hidden" name="jti" value="${jti}">`}
<p>Ends ${ends} of <bdi>${toVisible(address)}</bdi>. ${then}</p>
<button class="danger">Revoke ${jti === undefined && hasOthers ? `${number} tokens` : 'the token'}</button>
</form>
</details>`;
}
