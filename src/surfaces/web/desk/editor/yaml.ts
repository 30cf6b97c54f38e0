import { html } from 'hono/html';
import type { DocumentFault } from 'resume-profile/profile-reader';
import { toFaultText } from 'resume-profile/profile-reader';
import { pluralize, toVisible } from 'resume-profile/text';
import { nullIfNotFound } from '../../../../model/failure.ts';
import type { DocumentDraft, DocumentState } from '../../../../model/profile/document-state.ts';
import type { PrintedPreview } from '../../../../model/profile/printed-preview.ts';
import type { OutputOf } from '../../../../operations/owner/operation.ts';
import { previewProfile } from '../../../../operations/owner/preview.ts';
import {
  getDraft,
  getProfileDocument,
  listVersions,
  publishProfile,
  saveDraft,
} from '../../../../operations/owner/profile.ts';
import { type FormLimits, hidden } from '../../form.ts';
import { type Html, inDetails, type Site, statusMessage } from '../../page.ts';
import { publishedMessage } from '../prints.ts';
import type { Desk, DeskPage, DeskRequest, DeskRouter } from '../router.ts';
import { isLocal } from '../share.ts';
import { differences } from './differences.ts';
import { withLineEndsOf } from './lines.ts';
import { leftOutField, leftOutNotice, leftOutOf, previewPanel, previewResponse, toLeftOutKey } from './preview.ts';
import { ownPagePath } from './preview-files.ts';
import { textOf } from './source.ts';

const path = '/desk/profile/yaml';

// Enough for a document of 1 MiB, even if the form encodes each byte as three.
const limits: FormLimits = { bytes: 4 * 1024 ** 2, fields: 2_000 };

/** Adds the page that edits the profile document as text. */
export function addYamlTo(desk: DeskRouter, { site, run }: Desk): void {
  desk.early.page(path, async ({ query, formToken }) => {
    const document = await run(getProfileDocument, {});
    const id = query.get('draft');
    const draft = id === null ? null : await run(getDraft, { id }).catch(nullIfNotFound);
    if (draft === null && id !== null) return goneDraftPage(site);
    const text = draft?.text ?? document.text ?? '';
    const done = await doneNotice(query.get('done'), { site, run });
    return yamlPage({ site, run, query, formToken, document, text, draft, done });
  });

  desk.early.action(
    `${path}/preview`,
    async ({ fields, query }) => {
      const draftId = fields.get('draft');
      const draft = draftId === null ? null : await run(getDraft, { id: draftId }).catch(nullIfNotFound);
      const saved = (draft ?? (await run(getProfileDocument, {}))).text ?? '';
      const text = withLineEndsOf(saved, fields.get('text') ?? '');
      const looked = { text, asked: query.get('preview'), draftId, isSaved: text === saved };
      return previewResponse({ site, run }, looked);
    },
    { limits },
  );

  desk.early.action(
    `${path}/save`,
    async ({ fields, query, formToken, session }) => {
      const document = await run(getProfileDocument, {});
      const field = (name: string) => fields.get(name) ?? '';
      const base_revision = field('revision');
      const draft = field('draft') === '' ? null : { id: field('draft'), revision: field('draft_revision') };
      const baseText = await textOf(run, base_revision, document);
      const text = withLineEndsOf(baseText ?? document.text ?? '', field('text'));
      const written = { text, base_revision, ...(draft === null ? {} : { draft }) };
      const begun = field('begun') || base_revision;
      const page = { site, run, query, formToken, text, draft, begun, status: 409 };

      if (fields.get('do') === 'draft') {
        const { id, ...unsaved } = await run(saveDraft, { ...written, base_revision: begun, session: session.id });
        if (id !== null)
          return `${path}?draft=${id}&done=${draft !== null && draft.id !== id ? 'beside' : 'saved'}#${doneId}`;
        const notice = html`<p class="notice bad" role="alert">Not saved: ${unsavedReason(unsaved, site)}</p>`;
        return yamlPage({ ...page, document: { ...document, revision: base_revision }, notice });
      }
      const leftOut = await leftOutOf(run, text);
      if (leftOut.length > 0 && field(leftOutField) !== toLeftOutKey(leftOut))
        return yamlPage({ ...page, document: { ...document, revision: base_revision }, leftOut });
      const { refusal } = await run(publishProfile, { ...written, session: session.id });
      if (refusal === null) return `${path}?done=published#${doneId}`;
      // The file is read after the refusal, so that the next publish is based on the text that is shown.
      const now = await run(getProfileDocument, {});
      if (refusal.reason === 'changed')
        return yamlPage({ ...page, document: now, ...changedNotice(now, baseText, text, site) });
      const notice = html`<p class="notice bad" role="alert">Not published: ${
        refusal.reason === 'faulty'
          ? 'the text has faults. Nothing that you typed is lost.'
          : html`${toVisible(refusal.message)}. Nothing that you typed is lost.`
      }</p>`;
      return yamlPage({ ...page, document: { ...document, revision: base_revision }, notice });
    },
    { limits },
  );
}

/** The id of the message at the end of a saved form. */
export const doneId = 'done';

const allDrafts = (site: Site): Html => html`<a href="${site.path('/desk/profile/drafts')}">All drafts</a>`;

/** Returns why a draft was not saved, with a link to all drafts if there are too many. */
export const unsavedReason = ({ message, isFull }: Omit<OutputOf<typeof saveDraft>, 'id'>, site: Site): Html =>
  html`${message}${isFull ? html` ${allDrafts(site)}.` : ''}`;

/** Returns the notice for the query parameter `done`. */
export async function doneNotice(
  done: string | null,
  { site, run }: Pick<Desk, 'site' | 'run'>,
): Promise<Html | undefined> {
  const drafts = allDrafts(site);
  if (done === 'published') {
    const [, before] = await run(listVersions, {});
    const local = isLocal(site)
      ? html` So far, only this computer can open your page: <a href="${site.path('/desk/share')}">how others can</a>.`
      : '';
    return publishedMessage(
      'Published. Visitors get it from now on.',
      '?done=published',
      { site, run },
      html`${local} <a href="${site.path(ownPagePath)}" target="_blank">See your page</a>${before === undefined ? '' : html`. <a href="${site.path(`/desk/profile/history/${before.id}`)}">Undo it</a>`}`,
    );
  }
  if (done === 'saved')
    return statusMessage('good', html`Saved as a draft: nobody sees it until you publish it. ${drafts}`);
  if (done === 'beside')
    return statusMessage(
      'attention',
      html`The draft was changed elsewhere since you opened it, so yours is kept as another draft. ${drafts}`,
    );
  return undefined;
}

export const goneDraft = statusMessage('attention', 'That draft is not there any more: it was published or removed.');

/** The page instead of a draft that was published or removed. */
export const goneDraftPage = (site: Site): DeskPage => ({
  title: 'Drafts',
  section: 'Profile',
  status: 404,
  body: html`<h1>Drafts</h1>
${goneDraft}
<p>${allDrafts(site)}</p>`,
});

/** Says that the file has changed, and compares the text from before, the file and the owner's text. */
function changedNotice(document: DocumentState, baseText: string | null, text: string, site: Site) {
  const { name, text: now, readFaults } = document;
  const notice = html`<div class="notice attention" role="alert"><p>Not published: the file was changed since you opened it. Your text is below.</p>
<p>${
    now === null
      ? html`The file cannot be read now: ${toVisible(readFaults[0]?.message ?? '')}. Save your text as a draft until it can.`
      : html`Publish again to put your text in its place, which undoes what was changed there, or save yours as a draft and <a href="${site.path(path)}">go on from the file</a>.`
  }</p></div>`;
  if (now === null) return { notice };
  const details = html`${baseText === null ? '' : html`<h2>What changed in the file meanwhile</h2>\n${differences(baseText, now)}`}
<h2>What publishing your text would change</h2>
${differences(now, text)}
<details class="whole"><summary>The whole file as it is now, <code>${toVisible(name)}</code></summary><pre>${toVisible(now)}</pre></details>
<h2>Your text</h2>`;
  return { notice, details };
}

interface YamlPage extends Pick<DeskRequest, 'formToken' | 'query'>, Pick<Desk, 'site' | 'run'> {
  readonly document: DocumentState;
  readonly text: string;
  /** The draft that the text is of. */
  readonly draft: (Pick<DocumentDraft, 'id' | 'revision'> & Partial<DocumentDraft>) | null;
  /**
   * The revision of the file that a refused text was begun with: a draft of it keeps this revision, because the text
   * may lack the file's changes since.
   */
  readonly begun?: string;
  /** Why the text was not saved. */
  readonly notice?: Html | undefined;
  /** Says at the end of the form that the text was saved or published. */
  readonly done?: Html | undefined;
  /** The content between the notice and the text. */
  readonly details?: Html | undefined;
  readonly status?: number;
  /** The characters that the PDF would leave out: the form asks whether to publish it all the same. */
  readonly leftOut?: PrintedPreview['leftOut'];
}

/** The page that edits the profile document as text; each fault has a link to its line. */
export async function yamlPage(page: YamlPage): Promise<DeskPage> {
  const { site, run, query, document, text, draft, details, status = 200, leftOut = [] } = page;
  const { notice = leftOut.length === 0 ? '' : leftOutNotice(leftOut) } = page;
  const isRefused = status !== 200;
  const { place, obstacle } = document;
  const isEmpty = text === '' && (document.text === null || (place === 'none' && !isRefused));
  const faults = isEmpty ? document.readFaults : (await run(previewProfile, { text })).faults;
  const saved = draft?.text ?? document.text ?? '';
  const preview = { text, saved, asked: query.get('preview'), draftId: draft?.id ?? null, path, isOutdated: false };
  return {
    title: isRefused ? 'Not published: as YAML' : draft === null ? 'As YAML' : 'A draft as YAML',
    section: 'Profile',
    status,
    isEditor: true,
    hasFrame: true,
    body: html`<p class="small"><a href="${site.path('/desk/profile')}">Profile</a></p>
<div class="head spread"><h1>${draft === null ? 'As YAML' : 'A draft as YAML'}</h1>
<p class="soft small"><code>${toVisible(document.name)}</code></p></div>
${notice}
${place === 'none' && obstacle === null ? html`<p class="notice">There is no profile yet. Publishing makes the file <code>${toVisible(document.name)}</code> of your text.</p>` : ''}
${place === 'sample' && obstacle === null ? html`<p class="notice">This is the sample. Publishing makes the file <code>${toVisible(document.name)}</code> of your text; the sample stays as it is.</p>` : ''}
${obstacle === null || isRefused ? '' : obstacleNotice(document)}
${faultList(faults)}
${details ?? ''}
<div class="source-and-preview">
${form(page, faults)}
${isEmpty ? '' : previewPanel({ site, run }, preview)}
</div>`,
  };
}

/** Says why the document cannot be published from the desk. */
export const obstacleNotice = ({ place, obstacle, name }: DocumentState): Html =>
  place === 'address'
    ? html`<p class="notice">Your profile is at an address, and edited there: a new version is served within half a minute.</p>`
    : html`<div class="notice">It cannot be changed here, because ${toVisible(obstacle ?? '')}. ${place === 'sample' ? '' : html`Edit the file where it comes from: a change is served within a second.${inDetails(html`<p>The file is <code>${toVisible(name)}</code></p>`)}`}</div>`;

const faultList = (faults: readonly DocumentFault[]): Html | '' =>
  faults.length === 0
    ? ''
    : html`<h2>${pluralize(faults.length, 'fault')}</h2>
<ol class="rows findings">${faults.map(
        (fault) => html`
<li class="row"><span class="small figures">${fault.line === null ? '' : html`<a href="#line-${fault.line}">Line ${fault.line}</a>`}</span><span>${toVisible(toFaultText(fault))}</span></li>`,
      )}
</ol>`;

function form(
  { site, document, formToken, text, draft, begun, done, status, leftOut = [] }: YamlPage,
  faults: readonly DocumentFault[],
): Html {
  const isEditable = document.obstacle === null || status !== undefined;
  const editor = html`<label for="text">The whole text</label>
${lineEditor(text, faults, isEditable)}`;
  const saved = done === undefined ? '' : html`<div id="${doneId}"></div>`;
  if (!isEditable) return html`<div class="source">${editor}${saved}${done ?? ''}</div>`;
  return html`<form class="source" method="post" action="${site.path(`${path}/save`)}">
${formToken}
${hidden('revision', draft?.baseRevision ?? document.revision)}${begun === undefined ? '' : hidden('begun', begun)}${leftOut.length === 0 ? '' : hidden(leftOutField, toLeftOutKey(leftOut))}
${draft === null ? '' : html`${hidden('draft', draft.id)}${hidden('draft_revision', draft.revision)}`}
${editor}${saved}
<div class="save">${done ?? ''}
<p class="actions"><button name="do" value="publish">${leftOut.length === 0 ? 'Publish' : 'Publish all the same'}</button><button class="secondary" name="do" value="draft">Save as draft</button></p></div>
</form>`;
}

// Numbers for lines that are added in a browser that cannot make the field as high as its text.
const spareLines = 300;

/** A field with the numbers of its lines on one side and their faults on the other. */
function lineEditor(text: string, faults: readonly DocumentFault[], isEditable: boolean): Html {
  const byLine = Map.groupBy(faults, ({ line }) => line);
  // HTML drops the first line break of a `textarea` and of a `pre`.
  const shown = text.replace(/^\ufeff/, '');
  const { length } = shown.split(/\r\n?|\n/);
  const lines = Array.from({ length: length + spareLines }, (_, index) => index + 1);
  const last = Math.max(0, ...[...byLine.keys()].map((line) => line ?? 0));
  return html`<div class="lines">
<pre class="line-numbers" aria-hidden="true">${lines.map((line) => (byLine.has(line) ? html`<span id="line-${line}" class="bad">${line}</span>\n` : `${line}\n`))}</pre>
<textarea id="text" name="text" rows="${length + 1}" wrap="off" spellcheck="false" autocapitalize="off" autocomplete="off" dir="ltr"${isEditable ? '' : ' readonly'}${faults.length === 0 ? '' : html` aria-invalid="true"`}>\n${shown}</textarea>
<pre class="line-notes bad" aria-hidden="true">\n${lines.slice(0, last).map((line) => {
    const note = (byLine.get(line) ?? []).map((fault) => toVisible(toFaultText(fault))).join('; ');
    const isFree = !byLine.has(line + 1) && !byLine.has(line + 2);
    return html`<span${isFree ? html` class="free"` : ''}>${note}</span>`;
  })}</pre>
</div>`;
}
