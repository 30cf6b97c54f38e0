import { html } from 'hono/html';
import { pluralize, toVisible } from '../../../model/text.ts';
import { getProfileState } from '../../../operations/owner/desk.ts';
import { getProfileDocument } from '../../../operations/owner/profile.ts';
import type { ProfileState } from '../../../operations/owner/services.ts';
import type { Html, Site } from '../page.ts';
import { linkToField } from './editor/form-faults.ts';
import { outline } from './editor/outline.ts';
import { readValues } from './editor/part-values.ts';
import type { Desk, DeskRouter } from './router.ts';

/** Adds the section Profile. */
export function addProfileTo(desk: DeskRouter, { site, run }: Desk): void {
  desk.page('/desk/profile', async ({ times: { timeElement, toExact } }) => {
    const profile = await run(getProfileState, {});
    const document = await run(getProfileDocument, {});
    const { loadedAt, resumeUrl } = profile;
    return {
      title: 'Profile',
      section: 'Profile',
      body: html`<div class="editor">
${outline({ site, values: readValues(document.text ?? '') ?? {}, draftId: null, place: null })}
<div class="overview">
<div class="head">
<h1>Profile</h1>
<p class="soft small">Loaded ${timeElement(loadedAt)}</p>
</div>
<dl class="facts">
<div><dt>${profile.isAddress ? 'Address' : 'File'}</dt><dd><code>${toVisible(profile.name)}</code></dd></div>
<div><dt>Resume</dt><dd>${resumeUrl === null ? '' : html`<a href="${resumeUrl}">Open the PDF that visitors get</a> · `}<a href="${site.path('/desk/profile/edit/look')}">Choose its look</a></dd></div>
</dl>
${profile.isSample ? html`<p class="notice">This is the sample profile. <a href="${site.path('/desk/profile/import')}">Put your profile here</a></p>` : ''}
${profile.isAddress ? html`<p>The profile is at an address, and edited there: a new version is served within half a minute.</p>` : ''}
${profile.pdfFault === null ? '' : html`<p class="notice bad">The resume cannot be printed: ${toVisible(profile.pdfFault)}. Visitors get the last PDF that could.</p>`}
${findings(profile, toExact(loadedAt), site)}
</div>
</div>`,
    };
  });
}

function findings(profile: ProfileState, loadedAt: string, site: Site): Html {
  const { faults, warnings, name } = profile;
  if (faults.length > 0)
    return html`<h2>${pluralize(faults.length, 'fault')}</h2>
<p class="notice bad">${profile.isAddress ? 'The document at the address cannot be served.' : 'The file has faults, so it is not served.'} Visitors get the profile as it was loaded on ${loadedAt}, until that is corrected.</p>
${rows(faults, name, site)}`;
  if (warnings.length > 0)
    return html`<h2>${pluralize(warnings.length, 'warning')}</h2>
<p>The profile is valid and served. These are probably not what you mean:</p>
${rows(warnings, name, site)}`;
  return html`<h2>No findings</h2>
<p>The profile is valid and served.</p>`;
}

const rows = (lines: readonly string[], name: string, site: Site): Html =>
  html`<ol class="rows findings">${lines.map((line) => {
    const [, at = '', found = line] = /^:(\d+):\d+: (.*)$/s.exec(line.slice(name.length)) ?? [];
    const message = found.replace(/^(\w+: )?warning: /, '$1');
    // `experience[0].roles[1].title: …`
    const [, path = ''] = /^([\w$.[\]-]+): /.exec(message) ?? [];
    const link = linkToField(path.match(/[\w$-]+/g) ?? [], site);
    return html`
<li class="row"><span class="soft small figures">${at === '' ? '' : `Line ${at}`}</span><span>${toVisible(message)}${link === '' ? '' : html`<br>${link}`}</span></li>`;
  })}
</ol>`;
