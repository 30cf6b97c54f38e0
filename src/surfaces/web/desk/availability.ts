import { html } from 'hono/html';
import { applyEdit } from '../../../formats/profile/edit.ts';
import { toFaultText } from '../../../formats/profile/profile-reader.ts';
import type { DocumentState, PublishRefusal } from '../../../model/profile/document-state.ts';
import { toVisible } from '../../../model/text.ts';
import { getStatus } from '../../../operations/owner/desk.ts';
import { getProfileDocument, publishProfile } from '../../../operations/owner/profile.ts';
import { type Html, statusMessage } from '../page.ts';
import type { Desk, DeskPage, DeskRouter } from './router.ts';

/** The lines of a file, counted from 1, that a text without line end would replace. */
interface LineChange {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

interface StatusRefusal extends PublishRefusal {
  /** The edit that the owner can make by hand; null if it is not known. */
  readonly change: LineChange | null;
}

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
    const refusal = await save(status, fields.get('revision') ?? '');
    if (refusal === null) return '/desk/availability?saved';
    return page({ formToken, status: 409, typed: status, refusal });
  });

  async function save(status: string, revision: string): Promise<StatusRefusal | null> {
    const document = await run(getProfileDocument, {});
    const { place, text } = document;
    if (place === 'address') return { reason: 'at-address', message: 'the profile is at an address', change: null };
    if (place === 'sample') return { reason: 'unwritable', message: 'it is the sample', change: null };
    if (text === null || document.revision !== revision) return { reason: 'changed', message: '', change: null };
    let edited: string;
    try {
      edited = applyEdit(text, { kind: 'set', path: ['availability', 'status'], value: status });
    } catch (error) {
      return { reason: 'unwritable', message: (error as Error).message, change: null };
    }
    const { refusal } = await run(publishProfile, { text: edited, base_revision: revision });
    return refusal && { ...refusal, change: edited === text ? null : toLineChange(text, edited) };
  }

  interface State {
    readonly formToken: Html;
    readonly status?: number;
    readonly isSaved?: boolean;
    readonly refusal?: StatusRefusal;
    /** The status as typed; that in the file if not given. */
    readonly typed?: string;
  }

  async function page({ formToken, status = 200, isSaved, refusal, typed }: State): Promise<DeskPage> {
    const { document, status: written, served } = await run(getStatus, {});
    return {
      title: status === 200 ? 'Availability' : 'Not saved: availability',
      section: 'Availability',
      status,
      body: html`<div class="head"><h1>Availability</h1></div>
${isSaved ? statusMessage('good', 'Saved.') : ''}${refusal === undefined ? '' : refusalNotice(refusal, document.name, written)}
<p class="lead">${served === '' ? 'Visitors are told nothing of it.' : html`Visitors get: “<bdi>${toVisible(served)}</bdi>”`}</p>
${
  document.place === 'address'
    ? addressAdvice(document.name)
    : document.place === 'sample'
      ? sampleAdvice()
      : written === null
        ? faultAdvice(document)
        : form({ formToken, value: typed ?? written, ...document })
}`,
    };
  }

  const form = (shownForm: {
    readonly formToken: Html;
    readonly value: string;
    readonly revision: string;
    readonly name: string;
  }): Html => html`<form class="field" method="post" action="${site.path('/desk/availability')}">
${shownForm.formToken}
<input type="hidden" name="revision" value="${shownForm.revision}">
<label for="status">Your status</label>
<p class="hint" id="status-hint">In your words, a few of them. People and programs read exactly what you write here. Leave it empty to say nothing.</p>
<input id="status" name="status" value="${shownForm.value}" list="statuses" autocomplete="off" dir="auto" aria-describedby="status-hint">
<datalist id="statuses">${usualStatuses.map((one) => html`<option value="${one}"></option>`)}</datalist>
<button>Save</button>
<p class="hint">Changes <code>availability.status</code> in <code>${toVisible(shownForm.name)}</code>, and nothing else in it.</p>
</form>`;

  const sampleAdvice =
    (): Html => html`<p class="notice">This is the sample profile, which is not yours to change. Make a profile of your own, and this page edits it:</p>
<pre>${commands.init}</pre>`;

  const addressAdvice = (
    address: string,
  ): Html => html`<p class="notice">Your profile is at an address, and edited there: change <code>availability.status</code> in the document, and it is served within half a minute.</p>
<pre>${toVisible(address)}</pre>`;

  const faultAdvice = ({
    faults: [first],
  }: DocumentState): Html => html`<p class="notice bad">The profile file has a fault, so nothing is changed in it. Correct it, and reload this page. <a href="${site.path('/desk/profile')}">See all findings</a></p>
<pre>${first === undefined ? '' : toVisible(`${first.line === null ? '' : `Line ${first.line}: `}${toFaultText(first)}`)}</pre>`;

  function refusalNotice({ reason, message, change }: StatusRefusal, path: string, status: string | null): Html {
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

/** Returns the lines that differ between a text and the edited one. */
function toLineChange(text: string, edited: string): LineChange {
  const [before, after] = [text, edited].map((one) => one.split(/\r?\n/)) as [string[], string[]];
  const first = before.findIndex((line, index) => line !== after[index]);
  const kept = before.toReversed().findIndex((line, index) => line !== after.at(-1 - index));
  return { first: first + 1, last: before.length - kept, text: after.slice(first, after.length - kept).join('\n') };
}

const byHand = ({ first, last, text }: LineChange, path: string): Html => html`<p>To change it yourself, let ${
  first === last ? `line ${first}` : `lines ${first} to ${last}`
} of <code>${toVisible(path)}</code> be:</p>
<pre id="line" data-text="${text}">${toVisible(text)}</pre>
<p><button class="secondary" type="button" data-copy="line" data-needs-script>Copy the line</button> It takes effect within a second.</p>`;
