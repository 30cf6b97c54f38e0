import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import {
  type DocumentDraft,
  type DocumentState,
  draftDays,
  maxDrafts,
} from '../../../../model/profile/document-state.ts';
import { getDraft, getProfileDocument, listDrafts, removeDraft } from '../../../../operations/owner/profile.ts';
import { type Html, redirectTo, type Site, statusMessage } from '../../page.ts';
import { askInPlace } from '../elements.ts';
import type { Desk, DeskRequest, DeskRouter } from '../router.ts';
import type { Times } from '../time.ts';
import { valuesInWords } from './differences.ts';
import { readValues } from './document-values.ts';
import { besideOutline, contentId, pathOf, yamlPathOf } from './outline.ts';
import { changedPlace, type Place } from './part-values.ts';
import { textOf } from './source.ts';
import { doneNotice } from './yaml.ts';

const path = '/desk/profile/drafts';

interface RemoveForm extends Pick<DeskRequest, 'formToken'>, Pick<Times, 'toExact'> {
  readonly site: Site;
  readonly label: string;
}

/** The description of a draft in the list. */
interface Begun {
  readonly title: Html;
  readonly place: Place;
  readonly changes: Html;
}

/** A button that removes a draft, after it has asked. */
export const removeForm = (
  { id, savedAt }: Pick<DocumentDraft, 'id' | 'savedAt'>,
  { site, formToken, toExact, label }: RemoveForm,
): Html =>
  askInPlace({
    action: site.path(`${path}/${id}/remove`),
    label,
    fields: formToken,
    question: html`Removes the draft of ${toExact(savedAt)}. It cannot be undone.`,
    button: 'Remove the draft',
  });

/** Adds the texts of the profile document that are not published yet. */
export function addDraftsTo(desk: DeskRouter, { site, run }: Desk): void {
  desk.early.page(path, async ({ query, formToken, times }) => {
    const document = await run(getProfileDocument, {});
    const drafts = await Promise.all(
      (await run(listDrafts, {})).map(async (draft) => ({ ...draft, ...(await begunIn(draft, document)) })),
    );
    const done = query.get('done');
    const notice =
      done === 'removed' ? statusMessage('good', 'The draft is removed.') : await doneNotice(done, { site, run });
    return {
      title: 'Drafts',
      section: 'Profile',
      contentId,
      body: besideOutline(
        { site, drafts: drafts.length, values: readValues(document.text ?? '') ?? {}, draftId: null, place: 'drafts' },
        html`<div class="head spread"><h1>Drafts</h1><p class="soft small">${drafts.length === 0 ? '' : `${drafts.length} of at most ${maxDrafts}`}</p></div>
${notice ?? ''}
${
  drafts.length === 0
    ? html`<p class="empty">Nothing is saved as a draft. <a href="${site.path('/desk/profile')}">Edit the profile</a></p>`
    : html`<ul class="rows">${drafts.map((draft) => row(draft, draft.baseRevision !== document.revision, document.obstacle === null, { formToken, times }))}
</ul>`
}
<p class="small soft">A draft is seen by you alone, and goes ${draftDays} days after it was last saved. <a href="${site.path('/desk/profile/import')}">Begin one from a resume</a></p>
${drafts.length === 0 ? '' : times.zoneNote()}`,
      ),
    };
  });

  /** Returns the title of a draft (its source or its changes), the form to go on with, and what publishing it does. */
  async function begunIn(
    { id, name, baseRevision }: Omit<DocumentDraft, 'text'>,
    document: DocumentState,
  ): Promise<Begun> {
    const { text } = await run(getDraft, { id });
    const base = await textOf(run, baseRevision, document);
    const isBehind = base !== null && baseRevision !== document.revision;
    const words = document.place === 'file' ? valuesInWords(isBehind ? base : (document.text ?? ''), text) : null;
    const changes =
      words === null
        ? html`Visitors get it from then on.`
        : html`Changes what visitors get: ${words}.${isBehind ? ' Changes made to the profile since then are kept. You see both before anything is published.' : ''}`;
    if (name !== '') return { title: html`<bdi>${toVisible(name)}</bdi>`, place: changedPlace({}, {}), changes };
    const place = changedPlace(readValues(base ?? '') ?? {}, readValues(text) ?? {});
    if (text === base) return { title: html`Nothing changed yet`, place, changes };
    return { title: (base === null ? null : valuesInWords(base, text)) ?? html`The profile`, place, changes };
  }

  const row = (
    { id, title, place, savedAt, changes }: Omit<DocumentDraft, 'text'> & Begun,
    hasChanged: boolean,
    isWritable: boolean,
    { formToken, times: { timeElement, toExact } }: Pick<DeskRequest, 'formToken' | 'times'>,
  ): Html => html`
<li class="row"><span><a href="${site.path(pathOf(place, id))}">${title}</a> <span class="soft small">${timeElement(savedAt)}</span>${hasChanged ? html`<br><span class="attention small">The profile was changed since it was begun.</span>` : ''}</span>
<div class="row-end actions small">${html`<a href="${site.path(yamlPathOf(id))}">As YAML</a>${
    isWritable
      ? askInPlace({
          action: site.path(`${path}/${id}/publish`),
          label: 'Publish',
          fields: formToken,
          question: changes,
          button: 'Publish the draft',
          isSafe: true,
        })
      : ''
  }`}${removeForm({ id, savedAt }, { site, formToken, toExact, label: 'Remove' })}</div></li>`;

  // A GET of the address of a form, such as after a reload, is redirected to this address.
  desk.early.page(`${path}/:id`, async () => redirectTo(site.path(path)));

  desk.early.action(`${path}/:id/remove`, async ({ params: { id = '' } }) => {
    await run(removeDraft, { id });
    return `${path}?done=removed`;
  });
}
