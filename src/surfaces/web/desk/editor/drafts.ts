import { html } from 'hono/html';
import { nullIfNotFound } from '../../../../model/failure.ts';
import {
  type DocumentDraft,
  type DocumentState,
  draftDays,
  maxDrafts,
} from '../../../../model/profile/document-state.ts';
import { toVisible } from '../../../../model/text.ts';
import {
  getDraft,
  getProfileDocument,
  getTextOfRevision,
  listDrafts,
  publishProfile,
  removeDraft,
} from '../../../../operations/owner/profile.ts';
import { type Html, statusMessage } from '../../page.ts';
import type { Desk, DeskRequest, DeskRouter } from '../router.ts';
import { valuesInWords } from './differences.ts';
import { besideOutline, contentId, yamlPathOf } from './outline.ts';
import { readValues } from './part-values.ts';
import { changedNotice, goneDraftPage, yamlPage } from './yaml.ts';

const path = '/desk/profile/drafts';

const done = new Map([
  ['published', 'Published. Visitors get it from now on.'],
  ['removed', 'The draft is removed.'],
]);

/** Adds the texts of the profile document that are not published yet. */
export function addDraftsTo(desk: DeskRouter, { site, run }: Desk): void {
  desk.page(path, async ({ query, formToken, times }) => {
    const document = await run(getProfileDocument, {});
    const drafts = await Promise.all(
      (await run(listDrafts, {})).map(async (draft) => ({ ...draft, title: await titleOf(draft, document) })),
    );
    const notice = done.get(query.get('done') ?? '');
    return {
      title: 'Drafts',
      section: 'Profile',
      contentId,
      body: besideOutline(
        { site, values: readValues(document.text ?? '') ?? {}, draftId: null, place: 'drafts' },
        html`<div class="head"><h1>Drafts</h1><p class="soft small">${drafts.length === 0 ? '' : `${drafts.length} of at most ${maxDrafts}`}</p></div>
${notice === undefined ? '' : statusMessage('good', notice)}
${
  drafts.length === 0
    ? html`<p class="empty">Nothing is saved as a draft. <a href="${site.path('/desk/profile')}">Edit the profile</a></p>`
    : html`<ul class="rows unmarked">${drafts.map((draft) => row(draft, draft.baseRevision !== document.revision, document.obstacle === null, { formToken, times }))}
</ul>`
}
<p class="small soft">A draft is seen by you alone, and goes ${draftDays} days after it was last saved.</p>
${drafts.length === 0 ? '' : times.zoneNote()}`,
      ),
    };
  });

  /** Returns the name of what a draft was made from, or what it changes. */
  async function titleOf({ id, name, baseRevision }: Omit<DocumentDraft, 'text'>, document: DocumentState) {
    if (name !== '') return html`<bdi>${toVisible(name)}</bdi>`;
    const { text } = await run(getDraft, { id });
    const base =
      baseRevision === document.revision ? document : await run(getTextOfRevision, { revision: baseRevision });
    if (text === base.text) return html`Nothing changed yet`;
    return (base.text === null ? null : valuesInWords(base.text, text)) ?? html`The profile`;
  }

  const row = (
    { id, title, savedAt }: Omit<DocumentDraft, 'text'> & { readonly title: Html },
    hasChanged: boolean,
    isWritable: boolean,
    { formToken, times: { timeElement, toExact } }: Pick<DeskRequest, 'formToken' | 'times'>,
  ): Html => html`
<li class="row"><span><a href="${site.path(`/desk/profile/edit/contact?draft=${id}`)}">${title}</a> <span class="soft small">${timeElement(savedAt)}</span>${hasChanged ? html`<br><span class="attention small">The file has changed since it was begun.</span>` : ''}</span>
<div class="row-end actions small">${html`<a href="${site.path(yamlPathOf(id))}">As YAML</a>${
    isWritable
      ? html`<form method="post" action="${site.path(`${path}/${id}/publish`)}">${formToken}<button class="plain">Publish</button></form>`
      : ''
  }`}<details class="in-place"><summary class="danger">Remove</summary><form method="post" action="${site.path(`${path}/${id}/remove`)}">${formToken}<p>This removes the draft of ${toExact(savedAt)}. It cannot be undone.</p><button class="danger">Remove it</button></form></details></div></li>`;

  desk.action(`${path}/:id/publish`, async ({ params: { id = '' }, query, formToken, session }) => {
    const draft = await run(getDraft, { id }).catch(nullIfNotFound);
    if (draft === null) return goneDraftPage(site);
    const { text, baseRevision } = draft;
    const { refusal } = await run(publishProfile, {
      ...{ text, base_revision: baseRevision, draft },
      session: session.id,
    });
    if (refusal === null) return `${path}?done=published`;
    const document = await run(getProfileDocument, {});
    const page = { site, run, query, formToken, document, text, status: 409 };
    if (refusal.reason !== 'changed')
      return yamlPage({
        ...page,
        draft,
        notice: html`<p class="notice bad" role="alert">Not published: ${refusal.reason === 'faulty' ? 'the draft has faults.' : `${toVisible(refusal.message)}.`}</p>`,
      });
    const base = await run(getTextOfRevision, { revision: baseRevision });
    const { id: draftId, revision } = draft;
    return yamlPage({
      ...page,
      draft: { id: draftId, revision },
      begun: baseRevision,
      ...changedNotice(document, base.text, text, site),
    });
  });

  desk.action(`${path}/:id/remove`, async ({ params: { id = '' } }) => {
    await run(removeDraft, { id });
    return `${path}?done=removed`;
  });
}
