import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { getProfileState } from '../../../operations/owner/desk.ts';
import { listLinks } from '../../../operations/owner/links.ts';
import { listProposals } from '../../../operations/owner/proposals.ts';
import { getWorkingCopy } from '../../../operations/owner/working-copy.ts';
import { inDetails, jsonForScript, redirectTo } from '../page.ts';
import { toWorkingCopy } from './editor/changes.ts';
import type { EditorPage } from './editor/editor-page.ts';
import { fieldsByPath } from './editor/fields.ts';
import { ownPagePath } from './editor/preview.ts';
import { obstacleNotice } from './editor/yaml.ts';
import { printFaults } from './prints.ts';
import type { Desk, DeskRouter } from './router.ts';

const path = '/desk/profile';

/** Adds the section Profile: the editor, or if the profile cannot be changed here, what it looks like. */
export function addProfileTo(desk: DeskRouter, { site, run, imports }: Desk): void {
  desk.early.page(path, async ({ query, formToken, token, times }) => {
    const copy = await run(getWorkingCopy, {});
    const { document } = copy;
    const isNew = document.place === 'none' || document.place === 'sample';
    if (isNew && copy.stored === null && !query.has('empty')) return redirectTo(site.path(`${path}/import`));
    const profile = await run(getProfileState, {});
    const proposals = (await run(listProposals, {})).length;
    const faults = printFaults(profile.failedPrints, path, site, formToken);
    const settings = profile.warnings.flatMap((line) => / (?:warning: )?([A-Z_]+: .*)$/s.exec(line)?.[1] ?? []);
    const notices = html`${settings.map((line) => html`<div class="notice attention"><p>A setting is probably wrong.</p>${inDetails(html`<p>${toVisible(line)}</p>`)}</div>`)}${faults.map(({ words, remedy }) => html`<div class="notice bad"><p>${words}</p>${remedy}</div>`)}
${proposals === 0 ? '' : html`<p class="notice attention"><a href="${site.path(`${path}/proposals`)}">${pluralize(proposals, 'proposal')}</a> for your profile.</p>`}`;
    const shown = await toWorkingCopy(copy, { run, imports }, times.now);
    const page = { title: 'Profile', section: 'Profile', hasFrame: true } as const;
    if (document.obstacle !== null && !isNew)
      return {
        ...page,
        body: html`<h1>Profile</h1>
${notices}${obstacleNotice(document)}
${profile.faults.length === 0 ? '' : html`<p class="notice bad">The document has faults, so visitors get the profile as it was loaded before.</p>`}
<ul class="rows">${[...profile.faults.map((fault) => fault.replace(/^.*?:(\d+):\d+: /, 'Line $1: ')), ...shown.findings.map(({ summary }) => summary)].map((line) => html`\n<li class="row">${toVisible(line)}</li>`)}</ul>
<p><a href="${site.path(`${path}/yaml`)}">The file (YAML)</a> · <a href="${site.path(`${path}/history`)}">History</a></p>
<p class="small soft">Loaded ${times.timeElement(profile.loadedAt)}${profile.resumeUrl === null ? '' : html` · <a href="${profile.resumeUrl}">The PDF that visitors get</a>`}</p>
${inDetails(html`<p>${profile.isAddress ? 'The profile is at' : 'The file is'} <code>${toVisible(profile.name)}</code></p>`)}
<iframe class="whole-page" src="${site.path(ownPagePath)}" title="The page that visitors get"></iframe>`,
      };
    const to = (name: string) => site.path(`${path}/${name}`);
    const state: EditorPage = {
      copy: shown,
      formToken: token,
      fields: Object.fromEntries(fieldsByPath()),
      paths: {
        ...{ profile: site.path(path), share: site.path('/desk/share') },
        ...{ preview: to('preview'), photo: to('photo'), yaml: to('yaml'), history: to('history') },
      },
      links: (await run(listLinks, {})).flatMap(({ link: { id, name, view }, address }) =>
        address === null ? [] : [{ id, name, view, address }],
      ),
      usualTheme: profile.usualTheme,
    };
    return {
      ...page,
      scripts: ['main.js'],
      contentId: 'content',
      body: html`${notices}
<noscript><h1 id="content">Profile</h1><p class="notice">The editor needs JavaScript. Without it, edit <a href="${to('yaml')}">the file (YAML)</a>.</p></noscript>
<div id="editor"></div>
<script type="application/json" id="editor-state">${jsonForScript(state)}</script>`,
    };
  });

  // Pages that were here before the editor.
  desk.early.page('/desk/availability', async () => redirectTo(site.path(path)));
  desk.early.page(`${path}/drafts`, async () => redirectTo(site.path(`${path}/proposals`)));
}
