import { html } from 'hono/html';
import type { LineChange, StatusFileState, StatusRefusal } from '../../../model/profile/status-file.ts';
import { toVisible } from '../../../model/text.ts';
import { getStatus, setStatus } from '../../../operations/owner/desk.ts';
import { type Html, statusMessage } from '../page.ts';
import type { Desk, DeskPage, DeskRouter } from './router.ts';

const usualStatuses = [
  'open to opportunities',
  'open to conversations, not actively looking',
  'available for freelance work',
  'not looking at the moment',
];

/** Adds the section Availability. */
export function addAvailabilityTo(desk: DeskRouter, { site, run, commands }: Desk): void {
  desk.page('/desk/availability', async ({ query, formToken }) => page({ formToken, isSaved: query.has('saved') }));

  desk.action('/desk/availability', async ({ fields, formToken }) => {
    const status = (fields.get('status') ?? '').trim();
    const { refusal } = await run(setStatus, { status, revision: fields.get('revision') ?? '' });
    if (refusal === null) return '/desk/availability?saved';
    return page({ formToken, status: 409, typed: status, refusal });
  });

  interface State {
    readonly formToken: Html;
    readonly status?: number;
    readonly isSaved?: boolean;
    readonly refusal?: StatusRefusal;
    /** The status as typed; that in the file if not given. */
    readonly typed?: string;
  }

  async function page({ formToken, status = 200, isSaved, refusal, typed }: State): Promise<DeskPage> {
    const { file, served } = await run(getStatus, {});
    return {
      title: status === 200 ? 'Availability' : 'Not saved: availability',
      section: 'Availability',
      status,
      body: html`<div class="head"><h1>Availability</h1></div>
${isSaved ? statusMessage('good', 'Saved.') : ''}${refusal === undefined ? '' : refusalNotice(refusal, file)}
<p class="lead">${served === '' ? 'Visitors are told nothing of it.' : html`Visitors get: “<bdi>${toVisible(served)}</bdi>”`}</p>
${
  file.place === 'address'
    ? addressAdvice(file.path)
    : file.place === 'sample'
      ? sampleAdvice()
      : file.status === null
        ? faultAdvice(file)
        : form({ formToken, value: typed ?? file.status, ...file })
}`,
    };
  }

  const form = (shownForm: {
    readonly formToken: Html;
    readonly value: string;
    readonly revision: string;
    readonly path: string;
  }): Html => html`<form class="field" method="post" action="${site.path('/desk/availability')}">
${shownForm.formToken}
<input type="hidden" name="revision" value="${shownForm.revision}">
<label for="status">Your status</label>
<p class="hint" id="status-hint">In your words, a few of them. People and programs read exactly what you write here. Leave it empty to say nothing.</p>
<input id="status" name="status" value="${shownForm.value}" list="statuses" autocomplete="off" dir="auto" aria-describedby="status-hint">
<datalist id="statuses">${usualStatuses.map((one) => html`<option value="${one}"></option>`)}</datalist>
<button>Save</button>
<p class="hint">Changes <code>availability.status</code> in <code>${toVisible(shownForm.path)}</code>, and nothing else in it.</p>
</form>`;

  const sampleAdvice =
    (): Html => html`<p class="notice">This is the sample profile, which is not yours to change. Make a profile of your own, and this page edits it:</p>
<pre>${commands.init}</pre>`;

  const addressAdvice = (
    address: string,
  ): Html => html`<p class="notice">Your profile is at an address, and edited there: change <code>availability.status</code> in the document, and it is served within half a minute.</p>
<pre>${toVisible(address)}</pre>`;

  const faultAdvice = (
    file: StatusFileState,
  ): Html => html`<p class="notice bad">The profile file has a fault, so nothing is changed in it. Correct it, and reload this page. <a href="${site.path('/desk/profile')}">See all findings</a></p>
<pre>${toVisible(file.faults[0] ?? '')}</pre>`;

  function refusalNotice({ reason, message, change }: StatusRefusal, { status, path }: StatusFileState): Html {
    if (reason === 'changed')
      return html`<p class="notice attention" role="alert">Not saved: the file was changed since you opened this page. It says now: “<bdi>${toVisible(status ?? '')}</bdi>”. Save again to replace that.</p>`;
    if (reason === 'at-address')
      return html`<p class="notice bad" role="alert">Not saved: ${message}, and edited there.</p>`;
    if (reason === 'faulty')
      return html`<p class="notice bad" role="alert">Not saved: the profile would not be valid. ${toVisible(message)}</p>`;
    return html`<div class="notice bad" role="alert"><p>Not saved: the file could not be replaced, because ${toVisible(message)}.</p>
${change === null ? '' : byHand(change, path)}</div>`;
  }
}

const byHand = ({ first, last, text }: LineChange, path: string): Html => html`<p>To change it yourself, let ${
  first === last ? `line ${first}` : `lines ${first} to ${last}`
} of <code>${toVisible(path)}</code> be:</p>
<pre id="line" data-text="${text}">${toVisible(text)}</pre>
<p><button class="secondary" type="button" data-copy="line" data-needs-script>Copy the line</button> It takes effect within a second.</p>`;
