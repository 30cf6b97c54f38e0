import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { Failure } from '../../../../model/failure.ts';
import type { DocumentVersion, VersionKind } from '../../../../model/profile/document-state.ts';
import { previewWidth } from '../../../../model/profile/printed-preview.ts';
import { previewProfile } from '../../../../operations/owner/preview.ts';
import { eraseHistory, getProfileDocument, getVersion, listVersions } from '../../../../operations/owner/profile.ts';
import { takeVersion } from '../../../../operations/owner/working-copy.ts';
import { type Html, inDetails, statusMessage, table } from '../../page.ts';
import { addScrubTo } from '../erasure.ts';
import type { Desk, DeskRouter } from '../router.ts';
import { differences, valuesInWords } from './differences.ts';
import { previewAddress } from './preview.ts';

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
    const changes = await Promise.all(
      versions.slice(0, maxInWords).map(async ({ id }) => changesOf(await run(getVersion, { id }))),
    );
    return {
      title: 'History',
      section: 'Profile',
      body: html`${linkTo('/desk/profile', 'Profile')}
<div class="head spread"><h1>History</h1><p class="soft small">${versions.length === 0 ? '' : pluralize(versions.length, 'version')}</p></div>
${query.get('done') === 'erased' ? erased : ''}
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
    };
  });

  const linkTo = (to: string, title: string): Html =>
    html`<p class="small"><a href="${site.path(to)}">${title}</a></p>`;

  desk.early.action(`${path}/:id/restore`, async ({ params, session }) => {
    await run(takeVersion, { id: versionOf(params.id), session: session.id });
    return '/desk/profile';
  });

  desk.early.page(`${path}/:id`, async ({ params, formToken, times }) => {
    const { version, before } = await run(getVersion, { id: versionOf(params.id) });
    const { id, text, at, kind } = version;
    const document = await run(getProfileDocument, {});
    const { revision } = await run(previewProfile, { text });
    const address = (name: string) => previewAddress(site, revision, name);
    return {
      title: `Version ${id}`,
      section: 'Profile',
      body: html`${linkTo(path, 'History')}
<div class="head spread"><h1>Version ${id}</h1><p class="soft small">${kindWords[kind]}, ${times.toExact(at)} (${times.timeElement(at)})</p></div>
<div class="with-picture"><div>
${
  version.revision === document.revision
    ? html`<p class="notice good">This is the profile as it is now.</p>`
    : html`<h2>What restoring it changes</h2>
${document.text === null ? '' : differences(document.text, text)}
${
  document.obstacle === null
    ? html`<form method="post" action="${site.path(`${path}/${id}/restore`)}">
${formToken}
<p class="soft small">Nobody sees it before you publish it, and it can be undone.</p>
<p class="actions"><button>Restore</button></p>
</form>`
    : html`<p class="notice">It cannot be restored here, because ${toVisible(document.obstacle)}.</p>`
}`
}
<h2>What it changed then</h2>
${before === null ? html`<p class="soft">It is the oldest version that is kept.</p>` : differences(before.text, text)}
${wholeText(version)}
${times.zoneNote()}
</div><p class="small"><a href="${address('1')}" target="_blank"><img src="${address('1')}" alt="The first page of its PDF" width="${previewWidth}" loading="lazy"></a><a href="${address('page')}" target="_blank">As the page</a></p></div>`,
    };
  });
}

/** Returns the number of a version in an address. Throws `NOT_FOUND`. */
function versionOf(text = ''): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Failure('NOT_FOUND');
  return Number(text);
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
