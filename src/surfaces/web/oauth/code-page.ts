import { html } from 'hono/html';
import type { Failure } from '../../../model/failure.ts';
import { type CodeFault, codeSeconds, codeTries } from '../../../model/oauth/verification-code.ts';
import { toVisible } from '../../../model/visible-text.ts';
import { formatDuration, formatWait } from '../format.ts';
import { type Html, type Page, statusMessage } from '../page.ts';
import { clientOf, type RequestPage, toPage } from './request-page.ts';

interface CodePage extends RequestPage {
  readonly address: string;
  readonly fault?: string;
}

const validity = formatDuration(codeSeconds);

/** The second page of a request: asks for the code that was sent to the address. */
export function codePage(shown: CodePage): Page {
  const { address, action, formToken, fault } = shown;
  return toPage(shown, {
    title: `${fault === undefined ? '' : 'Error: '}Enter the code`,
    heading: html`Enter the code`,
    body: html`<p>An e-mail with six digits was sent to <strong><bdi>${toVisible(address)}</bdi></strong>. Enter them to connect ${clientOf(shown)}.</p>
<form method="post" action="${action}">
${formToken}
<label for="code">The code</label>
${fault === undefined ? '' : html`<p class="bad small" id="code-fault">${fault}</p>`}
<p class="ask"><input class="code" id="code" name="code" required maxlength="40" inputmode="numeric" autocomplete="one-time-code" spellcheck="false"${
      fault === undefined ? '' : html` aria-invalid="true" aria-describedby="code-fault" autofocus`
    }><button name="step" value="code">Continue</button></p>
</form>
<form method="post" action="${action}">
${formToken}
<p class="small soft">A code works once, for ${validity}. If none has come, look among the spam too.</p>
<p class="small actions"><button class="plain" name="step" value="new_code">Send a new code</button> <button class="plain" name="step" value="back">Use another address</button></p>
</form>`,
  });
}

/** What the page says of something else than six digits, which is not counted as a try. */
export const wrongDigits = 'Enter the six digits from the e-mail.';

export const newCodeSent = statusMessage('good', 'A new code was sent. The ones before it do not work any more.');

/** What the page says if no new code could be sent; the one before may still work. */
export function codeNotSent({ code, message, retryAfterSeconds: seconds }: Failure): Html {
  const isLimit = code === 'RATE_LIMITED' && seconds !== null;
  const reason = isLimit ? `There were too many within the hour. Try again in ${formatWait(seconds)}.` : message;
  return statusMessage('bad', `No new code was sent. ${reason}`);
}

/** What the page says of a code that is not accepted: below its label if another try may succeed, otherwise above. */
export function toOutcome(fault: CodeFault): Pick<CodePage, 'fault' | 'notice'> {
  if (typeof fault === 'object')
    return {
      fault: `This is not the code that was sent last. ${
        fault.triesLeft === 1 ? 'One try is' : `${fault.triesLeft} tries are`
      } left.`,
    };
  return {
    notice: statusMessage(
      'bad',
      fault === 'used up'
        ? `The code was entered wrongly ${codeTries} times, and does not work any more. Send a new one.`
        : `This code does not work any more: it works once, for ${validity}. Send a new one.`,
    ),
  };
}
