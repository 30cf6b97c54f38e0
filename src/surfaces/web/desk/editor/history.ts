import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import type {
  DocumentState,
  DocumentVersion,
  PublishRefusal,
  VersionKind,
} from '../../../../model/profile/document-state.ts';
import type { PrintedPreview } from '../../../../model/profile/printed-preview.ts';
import {
  eraseHistory,
  getProfileDocument,
  getVersion,
  listDrafts,
  listVersions,
  restoreVersion,
} from '../../../../operations/owner/profile.ts';
import { hidden } from '../../form.ts';
import { formatBytes } from '../../format.ts';
import { type Html, inDetails, statusMessage, table } from '../../page.ts';
import { addScrubTo } from '../erasure.ts';
import { publishedMessage } from '../prints.ts';
import type { Desk, DeskPage, DeskRequest, DeskRouter } from '../router.ts';
import { differences, valuesInWords } from './differences.ts';
import { readValues } from './document-values.ts';
import { besideOutline, contentId } from './outline.ts';
import { leftOutField, leftOutNotice, leftOutOf, previewPanel, toLeftOutKey } from './preview.ts';
import { versionOf } from './preview-files.ts';

const path = '/desk/profile/history';

const kindWords: Record<VersionKind, string> = {
  published: 'Published',
  restored: 'Restored',
  outside: 'Changed outside the desk',
};

const erased = statusMessage('good', 'Erased. Backups made before still hold the versions.');

/** Adds the versions of the profile document. */
export function addHistoryTo(desk: DeskRouter, { site, run }: Desk): void {
  const answerErasing = addScrubTo(desk, { site, section: 'Profile', path, run });

  desk.action(`${path}/erase`, async ({ formToken }) => answerErasing((await run(eraseHistory, {})).left, formToken));

  desk.early.page(path, async ({ query, formToken, times: { timeElement, zoneNote } }) => {
    const [versions, document] = [await run(listVersions, {}), await run(getProfileDocument, {})];
    const done = query.get('done');
    const changes = await Promise.all(
      versions.slice(0, maxInWords).map(async ({ id }) => changesOf(await run(getVersion, { id }))),
    );
    const drafts = (await run(listDrafts, {})).length;
    return {
      title: 'History',
      section: 'Profile',
      contentId,
      body: beside(
        { ...document, drafts },
        html`<div class="head spread"><h1>History</h1><p class="soft small">${versions.length === 0 ? '' : pluralize(versions.length, 'version')}</p></div>
${done === 'restored' ? await publishedMessage('Restored. Visitors get it from now on.', '?done=restored', { site, run }) : done === 'erased' ? erased : ''}
${
  versions.length === 0
    ? html`<p class="empty">No version is kept. Each text that you publish is kept here, and so is each change of the file by another program, unless that is switched off.</p>${inDetails(html`<p>The setting <code>KEEP_HISTORY</code> says how many are kept.</p>`)}`
    : html`${table(
        ['Version', 'Since', 'How'],
        versions.map((version, index) => [
          String(version.id),
          timeElement(version.at),
          html`${kindWords[version.kind]}${index === 0 && version.revision === document.revision ? html` <span class="good small">as it is now</span>` : ''} <a class="small" href="${site.path(`${path}/${version.id}`)}" aria-label="${index === 0 ? 'See' : 'See or restore'} version ${version.id}">${index === 0 ? 'See' : 'See or restore'}</a>${changes[index] ? html`<br><span class="small soft">${changes[index]}</span>` : ''}`,
        ]),
      )}
${zoneNote()}
<details class="erase">
<summary class="danger small">Erase the history …</summary>
<form method="post" action="${site.path(`${path}/erase`)}">
${formToken}
<p class="soft small">This erases ${pluralize(versions.length, 'version')}, but not the profile, and cannot be undone. Backups made before still hold them.</p>
<button class="danger">Erase for good</button>
</form>
</details>`
}`,
      ),
    };
  });

  desk.early.page(`${path}/:id`, async (request) => versionPage(request));

  desk.early.action(`${path}/:id/restore`, async (form) => {
    const id = versionOf(form.params.id ?? '');
    const leftOut = await leftOutOf(run, (await run(getVersion, { id })).version.text);
    if (leftOut.length > 0 && form.fields.get(leftOutField) !== toLeftOutKey(leftOut))
      return versionPage(form, { leftOut });
    const { refusal } = await run(restoreVersion, {
      id,
      base_revision: form.fields.get('revision') ?? '',
      session: form.session.id,
    });
    return refusal === null ? `${path}?done=restored` : versionPage(form, { refusal });
  });

  async function versionPage(request: DeskRequest, { refusal, leftOut = [] }: Unrestored = {}): Promise<DeskPage> {
    const { params, query, formToken, times } = request;
    const { version, before } = await run(getVersion, { id: versionOf(params.id ?? '') });
    const document = await run(getProfileDocument, {});
    const { text, readFaults, revision } = document;
    const obstacle = document.obstacle ?? (text === null ? `the file cannot be read: ${readFaults[0]?.message}` : null);
    const drafts = (await run(listDrafts, {})).length;
    const preview = {
      ...{ text: version.text, saved: version.text, draftId: null, versionId: version.id },
      ...{ path: `${path}/${version.id}`, asked: query.get('preview'), isOutdated: false },
    };
    const isCurrent = version.revision === revision;
    const isRestorable = refusal === undefined && leftOut.length === 0;
    return {
      title: isRestorable ? `Version ${version.id}` : `Not restored: version ${version.id}`,
      section: 'Profile',
      contentId,
      hasFrame: true,
      status: isRestorable ? 200 : 409,
      body: beside(
        { ...document, drafts, preview: await previewPanel({ site, run }, preview) },
        html`<p class="small"><a href="${site.path(path)}">History</a></p>
<div class="head spread"><h1>Version ${version.id}</h1><p class="soft small">${kindWords[version.kind]}</p></div>
${refusal === undefined ? '' : refusalNotice(refusal)}${leftOut.length === 0 ? '' : leftOutNotice(leftOut)}
<dl class="facts">
<div><dt>Since</dt><dd>${times.toExact(version.at)} <span class="soft small">(${times.timeElement(version.at)})</span></dd></div>
<div><dt>Size</dt><dd>${formatBytes(version.bytes)}</dd></div>
</dl>
${
  isCurrent
    ? html`<p class="notice good">This is the profile as it is now.</p>`
    : html`<h2>What restoring it changes</h2>
${text === null ? '' : differences(text, version.text)}
${
  obstacle === null
    ? html`<form class="restore" method="post" action="${site.path(`${path}/${version.id}/restore`)}">
${formToken}${hidden('revision', revision)}${leftOut.length === 0 ? '' : hidden(leftOutField, toLeftOutKey(leftOut))}
<p class="soft small">The text that it replaces is kept as a version, too.</p>
<button>${leftOut.length === 0 ? 'Restore and publish' : 'Publish all the same'}</button>
</form>`
    : html`<p class="notice">It cannot be restored here, because ${toVisible(obstacle)}.</p>`
}`
}
<h2>What it changed then</h2>
${before === null ? html`<p class="soft">It is the oldest version that is kept.</p>` : differences(before.text, version.text)}
${wholeText(version)}
${times.zoneNote()}`,
      ),
    };
  }

  /** Why a version was not restored: it was refused, or its PDF would leave out characters. */
  interface Unrestored {
    readonly refusal?: PublishRefusal;
    readonly leftOut?: PrintedPreview['leftOut'];
  }

  interface Beside extends Pick<DocumentState, 'text'> {
    readonly drafts: number;
    readonly preview?: Html;
  }

  const beside = ({ text, drafts, preview }: Beside, body: Html): Html =>
    besideOutline(
      { site, drafts, values: readValues(text ?? '') ?? {}, draftId: null, place: 'history', preview },
      body,
    );
}

/** The number of newest versions whose changes are listed: each one has to be compared with the version before. */
const maxInWords = 20;

const changesOf = ({
  version,
  before,
}: {
  readonly version: DocumentVersion;
  readonly before: DocumentVersion | null;
}) => (before === null ? null : valuesInWords(before.text, version.text)) ?? '';

const wholeText = ({ text }: DocumentVersion): Html =>
  html`<details class="whole"><summary>The whole text</summary><pre>${toVisible(text)}</pre></details>`;

const refusalNotice = ({ reason, message }: PublishRefusal): Html =>
  reason === 'changed'
    ? html`<p class="notice attention" role="alert">Not restored: the file was changed since you opened this page. What restoring changes is shown below as it is now.</p>`
    : html`<p class="notice bad" role="alert">Not restored: ${toVisible(reason === 'faulty' ? `this version has a fault. ${message}` : message)}.</p>`;
