import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { nullIfNotFound } from '../../../../model/failure.ts';
import { maxProposals, proposalDays } from '../../../../model/profile/document-state.ts';
import { getProposal, listProposals, removeProposal, takeProposal } from '../../../../operations/owner/proposals.ts';
import { statusMessage } from '../../page.ts';
import { askInPlace } from '../elements.ts';
import type { Desk, DeskRouter } from '../router.ts';
import { differences } from './differences.ts';
import { found } from './found.ts';

const path = '/desk/profile/proposals';

/** Adds the texts that are proposed as the profile: what each changes, to be taken over or discarded. */
export function addProposalsTo(desk: DeskRouter, { site, run, imports }: Desk): void {
  const nameOf = (name: string) => (name === '' ? 'A draft' : toVisible(name));
  const back = html`<p class="small"><a href="${site.path('/desk/profile')}">Profile</a></p>`;

  desk.early.page(path, async ({ query, times }) => {
    const proposals = await run(listProposals, {});
    return {
      title: 'Proposals',
      section: 'Profile',
      body: html`${back}
<div class="head spread"><h1>Proposals</h1><p class="soft small">${proposals.length === 0 ? '' : `${proposals.length} of at most ${maxProposals}`}</p></div>
${query.get('done') === 'removed' ? statusMessage('good', 'The proposal is discarded.') : ''}
${
  proposals.length === 0
    ? html`<p class="empty">Nothing is proposed. <a href="${site.path('/desk/profile/import')}">Read another resume</a></p>`
    : html`<ul class="rows">${proposals.map(
        ({ id, name, savedAt }) => html`
<li class="row"><a href="${site.path(`${path}/${id}`)}"><bdi>${nameOf(name)}</bdi></a><span class="row-end soft small">${times.timeElement(savedAt)}</span></li>`,
      )}
</ul>`
}
<p class="small soft">A proposal is seen by you alone, and goes after ${proposalDays} days.</p>
${proposals.length === 0 ? '' : times.zoneNote()}`,
    };
  });

  desk.early.page(`${path}/:id`, async ({ params: { id = '' }, formToken, times }) => {
    const shown = await run(getProposal, { id }).catch(nullIfNotFound);
    if (shown === null)
      return {
        title: 'Proposals',
        section: 'Profile',
        status: 404,
        body: html`${back}<h1>Proposals</h1>${statusMessage('attention', 'That proposal is not there any more: it was taken over or discarded.')}`,
      };
    const { proposal, copy, text } = shown;
    return {
      title: nameOf(proposal.name),
      section: 'Profile',
      body: html`<p class="small"><a href="${site.path(path)}">Proposals</a></p>
<h1><bdi>${nameOf(proposal.name)}</bdi></h1>
<p class="soft small">${times.timeElement(proposal.savedAt)}</p>
${imports.has(id) ? found(imports.get(id)!) : ''}
<h2>What taking it over changes</h2>
${differences(copy.text, text)}
<div class="actions"><form method="post" action="${site.path(`${path}/${id}/take`)}">${formToken}<button>Take it over</button></form>
${askInPlace({
  action: site.path(`${path}/${id}/remove`),
  label: 'Discard',
  fields: formToken,
  question: html`Removes the proposal of ${times.toExact(proposal.savedAt)}. It cannot be undone.`,
  button: 'Discard the proposal',
})}</div>
<p class="small soft">It becomes one change of your profile, which you can undo, and is seen by you alone until you publish.</p>`,
    };
  });

  desk.early.action(`${path}/:id/take`, async ({ params: { id = '' }, session }) => {
    await run(takeProposal, { id, session: session.id });
    return '/desk/profile';
  });

  desk.early.action(`${path}/:id/remove`, async ({ params: { id = '' } }) => {
    await run(removeProposal, { id });
    return `${path}?done=removed`;
  });
}
