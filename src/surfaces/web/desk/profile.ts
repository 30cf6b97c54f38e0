import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { getProfileState } from '../../../operations/owner/desk.ts';
import { getDraft, getProfileDocument, listDrafts } from '../../../operations/owner/profile.ts';
import type { DeskServices } from '../../../operations/owner/services.ts';
import { type Html, inDetails } from '../page.ts';
import { readValues } from './editor/document-values.ts';
import { fieldOf, lineWithLink } from './editor/form-faults.ts';
import { outline } from './editor/outline.ts';
import { previewPanel } from './editor/preview.ts';
import { printFaults } from './prints.ts';
import type { Desk, DeskRouter } from './router.ts';

/** Adds the section Profile. */
export function addProfileTo(desk: DeskRouter, { site, run }: Desk): void {
  desk.page('/desk/profile', async ({ query, formToken, times: { timeElement, toExact } }) => {
    const profile = await run(getProfileState, {});
    const document = await run(getProfileDocument, {});
    const drafts = await run(listDrafts, {});
    // Before the first publish the sample is served, and the profile is a draft.
    const [own] = profile.isSample ? drafts : [];
    const { text } = own === undefined ? document : await run(getDraft, { id: own.id });
    const draftId = own?.id ?? null;
    const values = readValues(text ?? '') ?? {};
    const { loadedAt, resumeUrl } = profile;
    const preview = { path: '/desk/profile', asked: query.get('preview'), draftId, isOutdated: false };
    return {
      title: 'Profile',
      section: 'Profile',
      hasFrame: true,
      body: html`<div class="editor">
<div class="overview">
<h1>Profile</h1>
${own !== undefined ? html`<p class="notice attention">Yours is a draft, saved ${timeElement(own.savedAt)}: visitors get the sample until you publish it. <a href="${site.path('/desk/profile/drafts')}">Publish it, or remove it</a></p>` : profile.isSample ? html`<p class="notice">This is the sample profile. <a href="${site.path('/desk/profile/import')}">Put your profile here</a></p>` : ''}
${profile.isAddress ? html`<p>The profile is at an address, and edited there: a new version is served within half a minute.</p>` : html`<p>Choose a part to change it. Nobody sees a change before you publish it.</p>`}
${drafts.length === 0 || own !== undefined ? '' : html`<p class="notice attention"><a href="${site.path('/desk/profile/drafts')}">${pluralize(drafts.length, 'draft')}</a>, not published.</p>`}
${printFaults(profile.failedPrints, '/desk/profile', site, formToken).map(({ words, remedy }) => html`<div class="notice bad"><p>${words}</p>${remedy}</div>`)}
${own === undefined ? findings(profile, toExact(loadedAt), { site, values, draftId }) : ''}
<p class="small soft">${resumeUrl === null ? '' : html`<a href="${resumeUrl}">Open the PDF that visitors get</a><br>`}Loaded ${timeElement(loadedAt)}${document.obstacle === null && !profile.isSample ? html`<br><a href="${site.path('/desk/profile/import')}">Read another resume, as a draft</a>` : ''}</p>
${inDetails(html`<p>${profile.isAddress ? 'The profile is at' : 'The file is'} <code>${toVisible(profile.name)}</code></p>`)}
</div>
${outline({ site, drafts: drafts.length, values, draftId, place: null })}
${text === null ? '' : await previewPanel({ site, run }, { ...preview, text, saved: text })}
</div>`,
    };
  });
}

function findings(
  profile: ReturnType<DeskServices['profileState']>,
  loadedAt: string,
  page: Parameters<typeof lineWithLink>[2],
): Html | '' {
  const { faults, warnings, name } = profile;
  if (faults.length > 0)
    return html`<h2>${pluralize(faults.length, 'fault')}</h2>
<p class="notice bad">${profile.isAddress ? 'The document at the address cannot be served.' : 'The file has faults, so it is not served.'} Visitors get the profile as it was loaded on ${loadedAt}, until that is corrected.</p>
${rows(faults, name, page)}`;
  if (warnings.length > 0)
    return html`<h2>${warnings.length === 1 ? 'Probably a mistake' : 'Probably mistakes'}</h2>
${rows(warnings, name, page)}`;
  return '';
}

const rows = (lines: readonly string[], name: string, page: Parameters<typeof lineWithLink>[2]): Html =>
  html`<ul class="rows">${lines.map((line) => {
    const [, at = '', remark = line] = /^:(\d+):\d+: (.*)$/s.exec(line.slice(name.length)) ?? [];
    const message = remark.replace(/^(\w+: )?warning: /, '$1');
    // `experience[0].roles[1].title: …`
    const [, path = '', rest = message] = /^([\w$.[\]-]+): (.*)$/s.exec(message) ?? [];
    const isSetting = at === '' && /^[A-Z_]+$/.test(path);
    const steps = path.match(/[\w$-]+/g) ?? [];
    const words = isSetting
      ? html`A setting: ${toVisible(rest)}${inDetails(html`<p>It is <code>${path}</code>.</p>`)}`
      : path === '' || fieldOf(steps, null) === null
        ? html`${at === '' ? '' : `Line ${at}: `}${toVisible(message)}`
        : lineWithLink(steps, rest, page);
    return html`
<li class="row"><div>${words}</div></li>`;
  })}
</ul>`;
