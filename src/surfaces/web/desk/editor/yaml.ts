import { randomBytes } from 'node:crypto';
import { html } from 'hono/html';
import { type DocumentFault, toFaultText } from 'resume-profile/profile-reader';
import { pluralize, toVisible } from 'resume-profile/text';
import { Failure } from '../../../../model/failure.ts';
import type { DocumentState } from '../../../../model/profile/document-state.ts';
import { previewProfile } from '../../../../operations/owner/preview.ts';
import { getProfileDocument } from '../../../../operations/owner/profile.ts';
import { changeText, getWorkingText, publishWorkingCopy } from '../../../../operations/owner/working-copy.ts';
import { type FormLimits, hidden } from '../../form.ts';
import { capitalize } from '../../format.ts';
import { type Html, inDetails, jsonForScript, statusMessage } from '../../page.ts';
import type { Desk, DeskPage, DeskRequest, DeskRouter } from '../router.ts';
import { differences } from './differences.ts';
import { fieldsByPath } from './fields.ts';
import { labelOf } from './labels.ts';
import { withLineEndsOf } from './lines.ts';

const path = '/desk/profile/yaml';

// Enough for a document of 1 MiB, even if the form encodes each byte as three.
const limits: FormLimits = { bytes: 4 * 1024 ** 2, fields: 2_000 };

/** Adds the page of the working copy as text, which works without scripts. */
export function addYamlTo(desk: DeskRouter, { site, run }: Desk): void {
  desk.early.page(path, async (request) => yamlPage(request, await run(getWorkingText, {})));

  desk.early.action(
    `${path}/save`,
    async (form) => {
      const { fields, session } = form;
      const now = await run(getWorkingText, {});
      const text = withLineEndsOf(now.text, fields.get('text') ?? '');
      const changed = { text, revision: fields.get('revision') ?? '', session: session.id };
      try {
        const { isStale } = await run(changeText, changed);
        return isStale ? yamlPage(form, { ...now, text }, elsewhere(text, now.text)) : `${path}?done=saved`;
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'UNAUTHORIZED') throw error;
        return yamlPage(form, { ...now, text }, refused(error.message));
      }
    },
    { limits },
  );

  // Only offered without scripts: with them, the editor lists first what is published.
  desk.early.action(`${path}/publish`, async (form) => {
    const revision = form.fields.get('revision') ?? '';
    const { refusal } = await run(publishWorkingCopy, { revision, session: form.session.id });
    if (refusal === null) return `${path}?done=published`;
    return yamlPage(form, await run(getWorkingText, {}), refused(`${capitalize(refusal.message)}.`, 'published'));
  });

  desk.early.action(
    `${path}/check`,
    async ({ fields }) => {
      const faults = await faultsOf(fields.get('text') ?? '');
      const found = faults.map((fault) => ({ line: fault.line, message: toVisible(toFaultText(fault)) }));
      return Response.json(found, { headers: { 'cache-control': 'no-store' } });
    },
    { limits },
  );

  const faultsOf = async (text: string): Promise<readonly DocumentFault[]> =>
    text.trim() === '' ? [] : (await run(previewProfile, { text })).faults;

  /** The page of a text; `refusal` says why it was not saved. */
  async function yamlPage(
    { query, formToken }: DeskRequest,
    { text, revision, name }: { readonly text: string; readonly revision: string; readonly name: string },
    refusal?: Html,
  ): Promise<DeskPage> {
    const document = await run(getProfileDocument, {});
    const isEditable = document.obstacle === null;
    const faults = await faultsOf(text);
    const styleNonce = randomBytes(16).toString('base64');
    // HTML drops the first line break of a `textarea`.
    const area = html`<label for="text">The whole text</label>
<textarea id="text" name="text" wrap="off" spellcheck="false" autocapitalize="off" autocomplete="off" dir="ltr" data-check="${site.path(`${path}/check`)}"${isEditable ? '' : ' readonly'}${faults.length === 0 ? '' : html` aria-invalid="true"`}>\n${text.replace(/^\ufeff/, '')}</textarea>`;
    return {
      title: 'The file (YAML)',
      section: 'Profile',
      status: refusal === undefined ? 200 : 409,
      scripts: ['yaml.js'],
      styleNonce,
      hasCode: true,
      body: html`<p class="small"><a href="${site.path('/desk/profile')}">Profile</a></p>
<div class="head spread"><h1>The file (YAML)</h1><p class="soft small"><code>${toVisible(name)}</code></p></div>
${query.get('done') === 'saved' ? statusMessage('good', html`Saved. Nobody sees it before you publish it <a href="${site.path('/desk/profile')}">in the editor</a>.`) : ''}
${query.get('done') === 'published' ? statusMessage('good', 'Published. Visitors get it from now on.') : ''}
${isEditable ? '' : obstacleNotice(document)}
${refusal ?? ''}
${faultList(faults)}
${
  isEditable
    ? html`<form class="source" method="post" action="${site.path(`${path}/save`)}">${formToken}${hidden('revision', revision)}\n${area}\n<p class="actions save"><button>Save</button> <span class="hint">Nobody sees it before you publish it.</span></p>\n</form>
<noscript><form method="post" action="${site.path(`${path}/publish`)}">${formToken}${hidden('revision', revision)}<button class="secondary">Publish what is saved</button></form></noscript>`
    : html`<div class="source">${area}</div>`
}
<script type="application/json" id="yaml-page">${jsonForScript({ keys: keysByPath(), nonce: styleNonce })}</script>`,
    };
  }
}

const refused = (reason: string, what: 'saved' | 'published' = 'saved'): Html =>
  html`<p class="notice bad" role="alert">Not ${what}: ${toVisible(reason)} Nothing that you typed is lost.</p>`;

const elsewhere = (text: string, now: string): Html =>
  html`<div class="notice attention" role="alert"><p>Not saved: it was changed elsewhere since you opened it. Your text is below. Saving it again puts it in the place of what is there now:</p></div>
${differences(now, text)}`;

/** The keys of each map and list with their labels, and the values of each choice. */
const keysByPath = () => ({
  ...Object.fromEntries(
    [...fieldsByPath().values()].flatMap((field): [string, { label: string; detail?: string }[]][] => {
      if ('fields' in field) return [[field.path, field.fields.map(keyOf)]];
      if (field.kind === 'flag') return [[field.path, [{ label: 'true' }, { label: 'false' }]]];
      return 'options' in field ? [[field.path, field.options.map((label) => ({ label }))]] : [];
    }),
  ),
  '': [...fieldsByPath().values()].filter(({ path }) => !path.includes('.')).map(keyOf),
});

const keyOf = (field: { readonly key: string; readonly path: string }) => ({
  label: field.key,
  detail: labelOf(field.path).label,
});

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
<li class="row"><span class="small figures">${fault.line === null ? '' : `Line ${fault.line}`}</span><span>${toVisible(toFaultText(fault))}</span></li>`,
      )}
</ol>`;
